import type { ServerContext } from '@modelcontextprotocol/server';
import type { Invocation } from '../../core/call/gateCall';

/**
 * Tells the client how far its call is; undefined where it did not ask. The protocol wants a number that grows with
 * every message; a tool may give none.
 */
export function progressOf(context: ServerContext): NonNullable<Invocation['onProgress']> | undefined {
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
