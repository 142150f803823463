import type { AuditSink } from '../audit/event';
import { noteChange } from '../audit/noteChange';
import { say, sentenceKey } from '../base/sentence';
import type { Clock } from '../ports/platform';
import type { AgentId } from './agents';
import type { AgentProtection } from './meter';

/** Records what a meter says otherwise than at its last look, and at the first one what does not hold. */
export class MeterRecord {
  readonly #audit: AuditSink;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #states = new Map<AgentId, string>();

  constructor(audit: AuditSink, clock: Pick<Clock, 'now'>) {
    this.#audit = audit;
    this.#clock = clock;
  }

  note({ agent, state, faults, notes, isRed }: AgentProtection): void {
    const found = [...faults, ...notes].map(({ said }) => said);
    const now = say('as_it_is', [say(`note_agent_${state}`), ...found]);
    const key = sentenceKey(now);
    const before = this.#states.get(agent);
    this.#states.set(agent, key);
    if (before === undefined ? !isRed : before === key) return;
    const actor = { type: 'user', id: 'protection' } as const;
    noteChange({ audit: this.#audit, clock: this.#clock }, 'settings', `protection:${agent}`, now, actor);
  }
}
