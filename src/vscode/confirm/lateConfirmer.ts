import { lazy } from '../../core/base/lazy';
import type { DisposableStore } from '../../core/base/lifecycle';
import type { ApprovalQueue, Confirmer } from '../../core/policy/approvals/approvals';
import type { Clock, Crypto } from '../../core/ports/platform';
import type { EditorConfirmer } from './confirmer';
import type { DecisionEditors } from './decisionEditors';
import type { LearnedGrantsOptions } from './learnedGrants';
import type { ModalQuestions } from './modalQuestions';

interface LateConfirmerContext {
  readonly questions: ModalQuestions;
  readonly clock: Clock;
  readonly crypto: Pick<Crypto, 'randomId'>;
  readonly isUnlocked: () => boolean;
  /** There once all is composed. */
  readonly queue: () => ApprovalQueue | undefined;
  /** What grants are learned from. */
  readonly learned: LearnedGrantsOptions;
  readonly store: DisposableStore;
}

interface LateConfirmer {
  readonly confirmer: Confirmer;
  readonly decisions: () => Promise<DecisionEditors>;
}

/** The person's side of confirmations, loaded with the first question. */
export function lateConfirmer({
  questions,
  clock,
  crypto,
  isUnlocked,
  queue,
  learned,
  store,
}: LateConfirmerContext): LateConfirmer {
  const all = lazy(async (): Promise<{ readonly confirmer: EditorConfirmer; readonly editors: DecisionEditors }> => {
    const [one, two] = await Promise.all([import('./confirmer'), import('./decisionEditors')]);
    const editors = store.add(new two.DecisionEditors({ clock, crypto }));
    const waiting = queue();
    if (waiting) editors.follow(waiting);
    return { editors, confirmer: new one.EditorConfirmer({ questions, editors, clock, queue, isUnlocked, learned }) };
  });
  return {
    confirmer: {
      confirm: async (request, signal) => (await all()).confirmer.confirm(request, signal),
      refused: (request, why) => void all().then(({ confirmer }) => confirmer.refused(request, why)),
    },
    decisions: async () => (await all()).editors,
  };
}
