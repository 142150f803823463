import { isObject } from '../../base/json';
import type { PlannedCall } from './plannedCall';

/** A list of calls that a person froze; its hash binds exactly these calls. */
export type FrozenPlan = {
  readonly hash: string;
  readonly title: string;
  readonly calls: readonly PlannedCall[];
  readonly frozenAt: number;
  /** Approved as a batch: its calls need no further question. */
  readonly isApproved: boolean;
  /** How often each line has run. */
  readonly used: readonly number[];
  /**
   * Which tool each line named when the plan was approved as a batch: a yes holds for these and for no other of the
   * same id.
   */
  readonly bindings?: readonly string[];
};

/**
 * One plan as two processes know it: the one that was frozen last, approved where either approved it, of each line with
 * what was used of it at most.
 */
export function together(mine: FrozenPlan, theirs: FrozenPlan | undefined): FrozenPlan {
  if (!theirs || mine.frozenAt !== theirs.frozenAt) return theirs && theirs.frozenAt > mine.frozenAt ? theirs : mine;
  const known = theirs.isApproved && !mine.isApproved ? theirs : mine;
  return { ...known, used: withUsed(mine, [theirs]).used };
}

/** A plan with what any process counted of it: each counts on from what all have stored. */
export function withUsed(plan: FrozenPlan, stored: readonly FrozenPlan[]): FrozenPlan {
  const known = stored.find(({ hash, frozenAt }) => hash === plan.hash && frozenAt === plan.frozenAt);
  return known ? { ...plan, used: plan.used.map((one, line) => Math.max(one, known.used[line] ?? 0)) } : plan;
}

/** When plans were revoked that another process may still know. */
export function revokedIn(stored: unknown): Readonly<Record<string, number>> {
  const revoked = isObject(stored) && isObject(stored['revoked']) ? stored['revoked'] : {};
  return Object.fromEntries(
    Object.entries(revoked).flatMap(([hash, at]) => (typeof at === 'number' ? [[hash, at]] : [])),
  );
}

/** How many calls of a plan have not run yet. */
export function callsLeft({ calls, used }: FrozenPlan): number {
  return calls.reduce((left, call, index) => left + Math.max(0, call.count - (used[index] ?? 0)), 0);
}
