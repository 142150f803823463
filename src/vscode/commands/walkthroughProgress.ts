import type { AuditSink } from '../../core/audit/event';
import type { ContextKeys } from '../settings/contextKeys';

/**
 * Completes the walkthrough's steps about calls by themselves: one when an agent's tool has run, one when a person has
 * said no.
 */
export function walkthroughProgress(keys: ContextKeys): AuditSink {
  return {
    record(event) {
      if (event.type === 'invocation.finished' && event.actor.type === 'agent') keys.set('toolCalled', true);
      else if (event.type === 'approval.answered' && event.outcome === 'denied' && event.by === 'user')
        keys.set('declined', true);
    },
  };
}
