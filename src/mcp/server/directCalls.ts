import type { Server } from '@modelcontextprotocol/server';
import { isObject } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import type { RegisteredTool } from '../../core/registry/registry';
import type { GovernedTools } from './governed';
import type { Caller, PendingCall } from './pendingCall';
import { type CallProgress, clientOf, type ToolCalls } from './toolCalls';

export interface DirectCallsOptions {
  readonly tools: GovernedTools;
  /** Sends one message; the text ends with a line break. */
  readonly write: (text: string) => void;
  /** Lets the SDK's server have a message as it came. */
  readonly pass: (line: string) => void;
}

/** The connection that the calls belong to: its server, which holds the handshake, and its calls. */
interface Connection {
  readonly server: Server;
  readonly calls: ToolCalls;
}

/** A `tools/call` in the form in which nothing about it is left to decide. */
interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly progressToken: string | number | undefined;
}

interface Running {
  readonly pending: PendingCall;
  readonly line: string;
}

/**
 * Answers plain calls of this program's own tools without the SDK's server, which checks each message against its
 * schemas several times and takes longer than the gate and most tools together. What is plain is told by a narrow test,
 * and everything else, such as every request that is not quite right, a call of another tool, or a call that turns out
 * to have a question, goes to the SDK's server, which alone knows the protocol. Serves connections of the older
 * protocol, where a call says nothing that the handshake has not said; the newer one says it with each call.
 */
export class DirectCalls implements Disposable {
  readonly #options: DirectCallsOptions;
  readonly #running = new Map<string | number, Running>();
  #connection: Connection | undefined;
  /**
   * Controllers of calls that ended without being cancelled; to make one, with its signal, takes longer than to read a
   * call.
   */
  readonly #idle: AbortController[] = [];
  /** Who calls, made once for what the handshake said. */
  #caller: { readonly said: object; readonly caller: Caller } | undefined;

  constructor(options: DirectCallsOptions) {
    this.#options = options;
  }

  /** Serves a connection from the moment on in which its handshake is over. */
  attach(connection: Connection): void {
    this.#connection = connection;
  }

  /** Answers a message if it is a plain call; false where the SDK's server has to have it. */
  take(line: string): boolean {
    if (this.#running.size > 0 && line.includes('cancelled')) this.#cancel(line);
    if (!this.#connection || !line.includes('"tools/call"')) return false;
    const call = readPlainCall(line);
    const tool = call && this.#options.tools.find(call.name);
    // What other tools answer is checked by the SDK, because it is not ours.
    if (!call || tool?.source.type !== 'builtin' || this.#running.has(call.id)) return false;
    const caller = this.#callerOf(this.#connection);
    if (!caller) return false;
    this.#run(this.#connection.calls, caller, call, tool, line);
    return true;
  }

  /** Lets go of the connection: what runs is cancelled, and nothing more is answered. */
  dispose(): void {
    this.#connection = undefined;
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const { pending } of running) pending.stop.abort();
  }

  /** Undefined until the client has said hello. */
  #callerOf({ server }: Connection): Caller | undefined {
    const said = server.getClientCapabilities();
    if (!said) return undefined;
    if (this.#caller?.said !== said) this.#caller = { said, caller: clientOf(server) };
    return this.#caller.caller;
  }

  #run(calls: ToolCalls, caller: Caller, call: PlainCall, tool: RegisteredTool, line: string): void {
    const { id, name, input, progressToken } = call;
    const onProgress =
      progressToken === undefined
        ? undefined
        : (progress: CallProgress): void => {
            if (!this.#connection) return;
            const message = {
              method: 'notifications/progress',
              params: { progressToken, ...progress },
              jsonrpc: '2.0',
            };
            this.#options.write(`${JSON.stringify(message)}\n`);
          };
    const pending = calls.begin({ name, input, tool, actor: 'agent' }, caller, onProgress, this.#idle.pop());
    this.#running.set(id, { pending, line });
    // Only the SDK's server can ask the client, so a call with a question goes on there.
    pending.onQuestion(() => {
      if (!this.#running.delete(id)) return;
      calls.handOver(id, pending);
      this.#options.pass(line);
    });
    pending.result?.then(
      (result) => this.#end(id, pending, () => `"result":${calls.answerText(result, tool)}`),
      (error: unknown) =>
        this.#end(id, pending, () => {
          const message = error instanceof Error ? error.message : 'Internal error';
          return `"error":${JSON.stringify({ code: -32603, message })}`;
        }),
    );
  }

  /** Sends the answer, unless the call was cancelled or is somebody else's by now. */
  #end(id: string | number, pending: PendingCall, answer: () => string): void {
    if (!this.#running.delete(id) || pending.stop.signal.aborted) return;
    if (this.#idle.length < mostIdle) this.#idle.push(pending.stop);
    this.#options.write(`{${answer()},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`);
  }

  #cancel(line: string): void {
    const message = parse(line);
    if (!isObject(message) || message['method'] !== 'notifications/cancelled' || !isObject(message['params'])) return;
    const id = message['params']['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.#running.get(id)?.pending.stop.abort();
  }
}

const mostIdle = 8;

const messageKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramKeys: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
/** Under such keys of `_meta` the protocol itself speaks. */
const reserved = /^(?:[^/]*\.)?(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//;

/**
 * Reads a call that is written as the protocol's schema wants it and asks for nothing beyond; undefined for everything
 * else.
 */
export function readPlainCall(line: string): PlainCall | undefined {
  const message = parse(line);
  if (
    !isObject(message) ||
    message['jsonrpc'] !== '2.0' ||
    message['method'] !== 'tools/call' ||
    !hasOnly(message, messageKeys)
  )
    return undefined;
  const { id, params } = message;
  if (!isId(id) || !isObject(params) || !hasOnly(params, paramKeys)) return undefined;
  const { name, arguments: input = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isObject(input) || !isObject(meta)) return undefined;
  const { progressToken } = meta;
  if ((progressToken !== undefined && !isId(progressToken)) || Object.keys(meta).some((key) => reserved.test(key)))
    return undefined;
  return { id, name, input, progressToken };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function hasOnly(object: object, keys: ReadonlySet<string>): boolean {
  for (const key in object) if (!keys.has(key)) return false;
  return true;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
