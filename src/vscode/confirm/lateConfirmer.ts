import { lazy } from '../../core/base/lazy';
import type { DisposableStore } from '../../core/base/lifecycle';
import type { ApprovalQueue, Confirmer } from '../../core/policy/approvals/approvals';
import type { Crypto } from '../../core/ports/platform';
import type { ConfirmerContext, EditorConfirmer } from './confirmer';
import type { DecisionEditors } from './decisionEditors';

interface LateConfirmerContext extends Omit<ConfirmerContext, 'editors' | 'queue'> {
  readonly crypto: Pick<Crypto, 'randomId'>;
  /** There once all is composed. */
  readonly queue: () => ApprovalQueue | undefined;
  readonly store: DisposableStore;
}

export interface LateConfirmer {
  readonly confirmer: Confirmer;
  readonly decisions: () => Promise<DecisionEditors>;
}

/** The person's side of confirmations, loaded with the first question. */
export function lateConfirmer({ store, crypto, ...parts }: LateConfirmerContext): LateConfirmer {
  const all = lazy(async (): Promise<{ readonly confirmer: EditorConfirmer; readonly editors: DecisionEditors }> => {
    const [one, two] = await Promise.all([import('./confirmer'), import('./decisionEditors')]);
    const editors = store.add(new two.DecisionEditors({ clock: parts.clock, crypto }));
    const waiting = parts.queue();
    if (waiting) editors.follow(waiting);
    return { editors, confirmer: new one.EditorConfirmer({ ...parts, editors }) };
  });
  return {
    confirmer: {
      confirm: async (request, signal) => (await all()).confirmer.confirm(request, signal),
      refused: (request, why) => void all().then(({ confirmer }) => confirmer.refused(request, why)),
    },
    decisions: async () => (await all()).editors,
  };
}
