import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../../core/base/json';
import { visibleText } from '../../core/base/visible';

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
export function callerOf(server: Server, context: ServerContext): Caller {
  const envelope: Readonly<Record<string, unknown>> | undefined = context.mcpReq.envelope;
  const info: unknown = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const capabilities: unknown = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const name = isObject(info) && typeof info['name'] === 'string' ? visibleText(info['name']).text.slice(0, 80) : '';
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  const canAsk =
    isObject(elicitation) &&
    (Object.keys(elicitation).length === 0 || elicitation['form'] !== undefined || elicitation['url'] === undefined);
  const canSample = isObject(capabilities) && isObject(capabilities['sampling']);
  return { name: name === '' ? 'mcp-client' : name, canAsk, canSample };
}
