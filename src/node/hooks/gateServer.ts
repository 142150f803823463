import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isObject, parsedJson } from '../../core/base/json';
import { type Disposable, toDisposable } from '../../core/base/lifecycle';
import type { HookVerdict } from '../../core/gate/hookCall';
import { type HostEvent, isDialect } from '../../core/hooks/hostEvent';
import { replaceFileSync } from '../files/replaceFile';
import { isRunning } from '../processes/isRunning';
import { randomToken } from '../system';
import { type GateNotice, longestMessage } from './gateProtocol';
import { privateSubfolder } from './privateFolder';

/** A path of a socket may have about so many bytes. */
const longestSocketPath = 100;

interface GateServerOptions {
  /** The user's private folder. */
  readonly folder: string;
  /** The folders that are open here. */
  readonly folders: () => readonly string[];
  /**
   * `signal` aborts when the agent no longer waits; `isBeside` is true for a call of an agent that works elsewhere by
   * now, of which only a denial counts.
   */
  readonly judge: (event: HostEvent, signal: AbortSignal, isBeside: boolean) => Promise<HookVerdict>;
  readonly onError: (error: unknown) => void;
}

interface GateServer extends Disposable {
  /** Tells hooks which folders are open now. */
  announce(): void;
}

/**
 * Listens for hooks of this user on a socket that no other user can open, and tells where by a file beside it. Each
 * question carries the token of that file.
 */
export function serveHooks({ folder, folders, judge, onError }: GateServerOptions): GateServer {
  const gates = privateSubfolder(folder, 'gates');
  sweep(gates);
  const token = randomToken();
  const name = `${process.pid}-${token.slice(0, 8)}`;
  const notice = path.join(gates, `${name}.json`);
  const socket = socketPath(gates, name);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    answer(client, token, judge, onError);
  });
  server.on('error', onError);
  const announce = (): void => {
    const told: GateNotice = { version: 1, pid: process.pid, socket, token, folders: folders() };
    try {
      replaceFileSync(notice, JSON.stringify(told));
    } catch (error) {
      onError(error);
    }
  };
  server.listen(socket, () => {
    // Nobody reaches it before: the folder is this user's alone.
    if (process.platform !== 'win32') chmodSync(socket, 0o600);
    announce();
  });
  // It keeps no process alive.
  server.unref();
  const closed = toDisposable(() => {
    rmSync(notice, { force: true });
    for (const client of open) client.destroy();
    server.close();
  });
  return { announce, dispose: () => closed.dispose() };
}

/** Removes what processes left there that ended without a word. */
function sweep(gates: string): void {
  for (const name of readdirSync(gates)) {
    const pid = /^(\d+)-[\w-]+\.(?:json(?:\.\d+\.tmp)?|sock)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(gates, name), { force: true });
  }
}

function socketPath(gates: string, name: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\agent-capabilities-${name}`;
  const beside = path.join(gates, `${name}.sock`);
  // A long home folder leaves no room; the name cannot be guessed, and the file can be opened by this user alone.
  return beside.length <= longestSocketPath ? beside : path.join(tmpdir(), `agent-capabilities-${name}.sock`);
}

function answer(
  client: Socket,
  token: string,
  judge: GateServerOptions['judge'],
  onError: (error: unknown) => void,
): void {
  const gone = new AbortController();
  let text = '';
  let isAsked = false;
  client.setEncoding('utf8');
  client.on('error', () => gone.abort());
  client.on('close', () => gone.abort());
  client.on('data', (data: string) => {
    if (isAsked) return;
    text += data;
    if (text.length > longestMessage) return void client.destroy();
    const end = text.indexOf('\n');
    if (end < 0) return;
    isAsked = true;
    const question = parsedJson(text.slice(0, end));
    const event = readQuestion(question, token);
    if (!event) return void client.destroy();
    judge(event, gone.signal, isObject(question) && question['isBeside'] === true).then(
      (verdict) => client.end(`${JSON.stringify({ verdict })}\n`),
      (error: unknown) => {
        onError(error);
        client.destroy();
      },
    );
  });
}

function readQuestion(value: unknown, token: string): HostEvent | undefined {
  if (!isObject(value) || value['token'] !== token) return undefined;
  const event = value['event'];
  if (!isObject(event)) return undefined;
  const { agent, kind, event: name, tool, input } = event;
  if (typeof agent !== 'string' || !isDialect(agent) || typeof name !== 'string' || typeof tool !== 'string')
    return undefined;
  if (kind !== 'before' && kind !== 'after' && kind !== 'prompt' && kind !== 'note') return undefined;
  const text = (key: string): Record<string, string> => {
    const one = event[key];
    return typeof one === 'string' ? { [key]: one } : {};
  };
  const [duration, folders, stayed] = [event['durationMs'], event['folders'], event['stayed']];
  return {
    agent,
    kind,
    event: name,
    tool,
    input,
    ...text('session'),
    ...text('cwd'),
    ...(Array.isArray(folders) ? { folders: folders.filter((one) => typeof one === 'string') } : {}),
    ...(Array.isArray(stayed) ? { stayed: stayed.filter((one) => typeof one === 'string') } : {}),
    ...text('callId'),
    ...text('prompt'),
    ...text('error'),
    ...(event['output'] === undefined ? {} : { output: event['output'] }),
    ...(typeof duration === 'number' ? { durationMs: duration } : {}),
  };
}
