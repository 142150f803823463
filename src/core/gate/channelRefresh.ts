import { defined } from '../base/json';
import { say } from '../base/sentence';
import { approvalUnavailable } from '../vocabulary/errors';
import type { Invocation } from '../call/gateCall';
import type { ToolRouter } from './router';
import type { RefreshResult } from '../definitions/channelPoller';

/**
 * Makes the calls by which channels refresh themselves: through the gate like any other, but only where nobody would
 * have to be asked, because a question that no one caused would come again with every interval.
 */
export function refreshThrough(
  router: () => Pick<ToolRouter, 'preview' | 'invoke'>,
): (invocation: Invocation) => Promise<RefreshResult> {
  return async (invocation) => {
    const preview = await router().preview(invocation);
    if (preview.effect === 'pass') return router().invoke(invocation);
    const toolId = preview.toolId ?? invocation.tool;
    const { data, said } = approvalUnavailable(toolId, say('nobody_for_refresh'));
    return {
      success: false,
      invocationId: '',
      toolId,
      ...(preview.error ? defined({ error: preview.error, said: preview.said }) : { error: data, said }),
      declaredSideEffects: [],
      durationMs: 0,
    };
  };
}
