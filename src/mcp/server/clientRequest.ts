import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../../core/base/json';
import { valueAt } from '../../core/base/pointer';
import { visible } from '../../core/base/visible';
import type { Invocation } from '../../core/call/gateCall';

/** A request of a client: the server of its connection, and what the protocol layer hands over with it. */
export interface Incoming {
  readonly server: Server;
  readonly context: ServerContext;
}

export interface Caller {
  /** What the client calls itself. */
  readonly name: string;
  /** Whether its user can be asked. */
  readonly canAsk: boolean;
  /** Whether it lends its language model. */
  readonly canSample: boolean;
}

/**
 * Who calls, and what its user can be asked: from each request's envelope in the newer protocol, else from the
 * handshake.
 */
export function callerOf({ server, context }: Incoming): Caller {
  const envelope: Readonly<Record<string, unknown>> | undefined = context.mcpReq.envelope;
  const info: unknown = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const capabilities: unknown = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const given = valueAt(info, '/name');
  const name = typeof given === 'string' ? visible(given).slice(0, 80) : '';
  const elicitation = valueAt(capabilities, '/elicitation');
  const canAsk =
    isObject(elicitation) &&
    (Object.keys(elicitation).length === 0 || elicitation['form'] !== undefined || elicitation['url'] === undefined);
  const canSample = isObject(valueAt(capabilities, '/sampling'));
  return { name: name === '' ? 'mcp-client' : name, canAsk, canSample };
}

/**
 * Tells the client how far its call is; undefined where it did not ask. The protocol wants a number that grows with
 * every message; a tool may give none.
 */
export function progressOf({ context }: Incoming): NonNullable<Invocation['onProgress']> | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let step = 0;
  return ({ message, fraction }) => {
    step++;
    const progress =
      fraction === undefined ? { progress: step } : { progress: Math.max(fraction * 100, step / 1000), total: 100 };
    const params = { progressToken, ...progress, ...(message ? { message } : {}) };
    // A client that has gone away takes no more progress; the call's own end tells.
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** A longer name is none of those that clients make. */
const longestPrompt = 200;

/**
 * The prompt that a client's agent works on, from what the client sends beside the arguments: VS Code names the request
 * of its chat, Codex the turn. Undefined where it is not told. It only says which calls belong together.
 */
export function promptOf(meta: unknown): string | undefined {
  const name = valueAt(meta, '/vscode.requestId') ?? valueAt(meta, '/x-codex-turn-metadata/turn_id');
  return typeof name === 'string' && name !== '' && name.length <= longestPrompt ? name : undefined;
}
