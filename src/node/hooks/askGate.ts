import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, parsedJson } from '../../core/base/json';
import type { HookVerdict } from '../../core/gate/hookCall';
import type { HostEvent } from '../../core/hooks/hostEvent';
import { namesIn } from '../folders/quietly';
import { depthIn } from './hookWorkspace';
import { checkPrivate } from './privateFolder';
import { type GateNotice, longestMessage } from './gateProtocol';

/**
 * Asks the editor of this user that has the agent's folder open. Undefined where there is none: then the hook
 * decides alone. Throws where one took the question and gave no answer in time: nobody knows what it would have said.
 */
export async function askGate(
  folder: string,
  event: HostEvent,
  limitMs: number,
): Promise<{ readonly verdict: HookVerdict; readonly by: 'editor' } | undefined> {
  for (const notice of noticesFor(folder, event.cwd ?? process.cwd())) {
    const verdict = await ask(notice, event, limitMs);
    if (verdict) return { verdict, by: 'editor' };
  }
  return undefined;
}

/** Those whose folder holds the place, the innermost first. */
function noticesFor(folder: string, cwd: string): readonly GateNotice[] {
  const gates = path.join(folder, 'gates');
  const names = namesIn(gates).filter((name) => name.endsWith('.json'));
  if (names.length === 0) return [];
  checkPrivate(gates, true);
  return names
    .flatMap((name) => readNotice(path.join(gates, name)) ?? [])
    .map((notice) => ({ notice, depth: Math.max(...notice.folders.map((one) => depthIn(one, cwd)), -1) }))
    .filter(({ depth }) => depth >= 0)
    .sort((a, b) => b.depth - a.depth)
    .map(({ notice }) => notice);
}

function readNotice(file: string): GateNotice | undefined {
  try {
    checkPrivate(file, false);
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value) || value['version'] !== 1) return undefined;
    const { pid, socket, token, folders } = value;
    if (typeof pid !== 'number' || typeof socket !== 'string' || typeof token !== 'string') return undefined;
    if (!Array.isArray(folders)) return undefined;
    process.kill(pid, 0);
    return { version: 1, pid, socket, token, folders: folders.filter((one) => typeof one === 'string') };
  } catch {
    return undefined;
  }
}

/** Undefined where nobody listens. */
async function ask(notice: GateNotice, event: HostEvent, limitMs: number): Promise<HookVerdict | undefined> {
  const { connect } = await import('node:net');
  if (process.platform !== 'win32') {
    // Swept away: nobody listens there any more.
    if (!existsSync(notice.socket)) return undefined;
    checkPrivate(notice.socket, false);
  }
  return new Promise((resolve, reject) => {
    const socket = connect(notice.socket);
    let isConnected = false;
    let text = '';
    const timer = setTimeout(() => fail('the editor gave no answer in time'), Math.max(50, limitMs));
    const fail = (why: string): void => {
      clearTimeout(timer);
      socket.destroy();
      if (isConnected) reject(new Error(why));
      else resolve(undefined);
    };
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      isConnected = true;
      socket.write(`${JSON.stringify({ token: notice.token, event })}\n`);
    });
    socket.on('error', (error) => fail(`the editor could not be asked (${error.message})`));
    socket.on('close', () => fail('the editor closed without an answer'));
    socket.on('data', (data: string) => {
      text += data;
      if (text.length > longestMessage) return fail('the answer of the editor is too long');
      const end = text.indexOf('\n');
      if (end < 0) return;
      const verdict = readVerdict(text.slice(0, end));
      if (!verdict) return fail('the answer of the editor cannot be read');
      clearTimeout(timer);
      socket.removeAllListeners('close');
      socket.destroy();
      resolve(verdict);
    });
  });
}

function readVerdict(line: string): HookVerdict | undefined {
  const value = parsedJson(line);
  const verdict = isObject(value) ? value['verdict'] : undefined;
  if (!isObject(verdict) || typeof verdict['reason'] !== 'string') return undefined;
  const { effect, reason, code, rule } = verdict;
  if (effect !== 'allow' && effect !== 'deny' && effect !== 'ask') return undefined;
  return {
    effect,
    reason,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof rule === 'string' ? { rule } : {}),
  };
}
