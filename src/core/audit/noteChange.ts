import type { Sentence } from '../base/sentence';
import type { Clock } from '../ports/platform';
import type { Actor } from '../vocabulary/toolDefinition';
import type { AuditSink, ChangeType } from './event';

/** Records a change: that of a person in the editor, where nobody else is named. */
export function noteChange(
  { audit, clock }: { readonly audit: AuditSink; readonly clock: Pick<Clock, 'now'> },
  what: ChangeType,
  id: string,
  detail: Sentence,
  actor: Actor = { type: 'user', id: 'editor' },
): void {
  audit.record({ type: 'changed', time: clock.now(), what, id, detail, actor });
}
