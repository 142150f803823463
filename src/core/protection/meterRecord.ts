import type { AuditSink } from '../audit/event';
import { noteChange } from '../audit/noteChange';
import { worded } from '../base/sentence';
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
    const now = [state, ...[...faults, ...notes].map(({ said }) => worded(said))].join('; ');
    const before = this.#states.get(agent);
    this.#states.set(agent, now);
    if (before === undefined ? !isRed : before === now) return;
    const actor = { type: 'user', id: 'protection' } as const;
    noteChange({ audit: this.#audit, clock: this.#clock }, 'settings', `protection:${agent}`, now.slice(0, 500), actor);
  }
}
