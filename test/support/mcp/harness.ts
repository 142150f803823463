import { unhurriedClock } from '../unhurriedClock';
import { PassThrough } from 'node:stream';
import path from 'node:path';
import { Client, type ClientCapabilities, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { parseArgs } from '../../../src/cli/args';
import { consentUsage, optionsOf, workspaceUsage } from '../../../src/cli/usage';
import { openWorkspace, type OpenedWorkspace, type WorkspaceOptions } from '../../../src/cli/openWorkspace';
import { runServe } from '../../../src/cli/serve';
import { nobody, type ServerUser, type ToolsApproval } from '../../../src/core/foreign/serverUser';
import type { Clock } from '../../../src/core/ports/platform';
import type { ToolResult } from '../../../src/core/vocabulary/toolResult';
import { temporaryWorkspace } from '../cli';

/** The server of test/support/mcp/scripted.mjs as an entry of the setting. */
export function scripted(options: object = {}, more: object = {}): object {
  return {
    command: process.execPath,
    args: [path.resolve('test/support/mcp/scripted.mjs'), JSON.stringify(options)],
    protocol: '2025-11-25',
    ...more,
  };
}

/** A user whose answers a test gives, with everything that was asked. */
export function scriptedUser(answers: Partial<ServerUser> = {}) {
  const asked: ToolsApproval[] = [];
  const user: ServerUser = {
    ...nobody,
    approveServer: async () => true,
    ...answers,
    approveTools: async (request, signal) => {
      asked.push(request);
      return answers.approveTools ? answers.approveTools(request, signal) : 'approve';
    },
  };
  return { user, asked };
}

export interface GatewayOptions extends WorkspaceOptions {
  files?: Readonly<Record<string, string>>;
  servers?: Readonly<Record<string, object>>;
  set?: Readonly<Record<string, unknown>>;
  yes?: boolean;
  environment?: NodeJS.ProcessEnv;
}

/** The real core over a temporary folder, with MCP servers from the user's settings. */
export async function gateway(options: GatewayOptions = {}) {
  const workspace = temporaryWorkspace(options.files);
  const errors: string[] = [];
  const settings = { ...(options.servers ? { 'mcp.servers': options.servers } : {}), ...options.set };
  const args = parseArgs(
    [
      '--workspace',
      workspace.folder,
      ...(options.yes === false ? [] : ['--yes']),
      ...Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]),
    ],
    optionsOf(workspaceUsage),
  );
  const io = {
    out() {},
    error: (text: string) => errors.push(text),
    environment: { PATH: process.env['PATH'], ...options.environment },
  };
  const opened: OpenedWorkspace = await openWorkspace(args, io, options);
  const { core } = opened;
  return {
    ...workspace,
    core,
    opened,
    errors,
    call: (
      tool: string,
      input: unknown = {},
      more: { signal?: AbortSignal; onProgress?: (p: { message: string }) => void } = {},
    ): Promise<ToolResult> =>
      core.gate.router.invoke({ tool, input, actor: { type: 'agent', id: 'test' }, surface: 'mcp', ...more }),
    state: (name: string) => core.servers.list.list().find((one) => one.name === name)?.state,
    async close() {
      await opened.close();
      workspace.dispose();
    },
  };
}

/** The input schema of the tools of a scripted server, where a test does not care. */
export const schema = { type: 'object', properties: { text: { type: 'string' } } };

/** Tools of a scripted server; their names say what they do. */
export const named = (...names: string[]) =>
  names.map((name) => ({ name, description: `Does ${name}`, inputSchema: schema }));

/** One line that says how a call went: its text, or its error's code. */
export function outcome(result: ToolResult): string {
  if (!result.success) return result.error.code;
  const { payload } = result;
  if (typeof payload === 'object' && payload !== null && 'text' in payload) return String(payload['text']);
  return JSON.stringify(payload);
}

export async function until(what: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!what()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${String(what)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Speaks newline-delimited JSON on two streams; the client's half of stdio without a process. */
export class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  #rest = '';
  readonly input: PassThrough;
  readonly output: PassThrough;
  constructor(input: PassThrough, output: PassThrough) {
    this.input = input;
    this.output = output;
  }
  async start(): Promise<void> {
    this.output.setEncoding('utf8');
    this.output.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') this.onmessage?.(JSON.parse(line));
    });
  }
  async send(message: JSONRPCMessage): Promise<void> {
    this.input.write(`${JSON.stringify(message)}\n`);
  }
  async close(): Promise<void> {
    this.input.end();
    this.onclose?.();
  }
}

export interface ServedOptions {
  files?: Readonly<Record<string, string>>;
  servers?: Readonly<Record<string, object>>;
  set?: Readonly<Record<string, unknown>>;
  args?: readonly string[];
  era?: 'legacy' | 'modern';
  capabilities?: ClientCapabilities;
  /** Answers the questions that the server asks through the client. */
  answer?: (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
  /** How long whoever answers seems to take; a second where it is left out. */
  answersWithinMs?: number;
  /** In place of one that lets people answer within that time. */
  clock?: Clock;
  /** What the client's language model says. */
  sample?: string;
  onListChanged?: () => void;
}

/** `serve` on a pair of streams with a real client of the SDK at the other end. */
export async function served(options: ServedOptions = {}) {
  const workspace = temporaryWorkspace(options.files);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const errors: string[] = [];
  const settings = { ...(options.servers ? { 'mcp.servers': options.servers } : {}), ...options.set };
  const known = optionsOf(
    `[--http PORT] [--token-file FILE] [--api-token-file FILE] ${consentUsage} ${workspaceUsage}`,
  );
  const args = parseArgs(
    [
      '--workspace',
      workspace.folder,
      ...(options.args ?? []),
      ...Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]),
    ],
    known,
  );
  const ended = runServe(args, {
    clock: options.clock ?? unhurriedClock(options.answersWithinMs),
    out() {},
    error: (text) => errors.push(text),
    environment: { PATH: process.env['PATH'] },
    stdin: input,
    stdout: output,
  });
  const questions: string[] = [];
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    {
      capabilities: options.capabilities ?? (options.answer ? { elicitation: {} } : {}),
      versionNegotiation: { mode: options.era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (options.answer) {
    const { answer } = options;
    client.setRequestHandler('elicitation/create', async (request) => {
      questions.push(request.params.message);
      return answer(request.params.message);
    });
  }
  const { sample } = options;
  if (sample !== undefined)
    client.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant' as const,
      model: 'test',
      content: { type: 'text' as const, text: sample },
    }));
  if (options.onListChanged) client.setNotificationHandler('notifications/tools/list_changed', options.onListChanged);
  await client.connect(new StreamTransport(input, output));
  return {
    ...workspace,
    client,
    errors,
    questions,
    call: async (name: string, input: Record<string, unknown> = {}): Promise<any> =>
      client.callTool({ name, arguments: input }),
    async close() {
      await client.close();
      const code = await ended;
      workspace.dispose();
      return code;
    },
  };
}
