import { type Mutant, mutants } from '../policy/cases/mutants';
import { fires } from '../policy/rules/decide';
import type { PolicyEngine } from '../policy/rules/engine';
import type { Boundary } from '../vocabulary/boundary';
import { hasPassed, isExpected, type JudgedCase, verdictUnder } from './judgeCase';

/** How many planted mistakes the cases found. */
export interface MutationResult {
  readonly planted: number;
  readonly found: number;
  /** The mistakes that no case noticed. */
  readonly survivors: readonly Mutant[];
  /** From 0 to 1; 1 where nothing could be planted. */
  readonly score: number;
}

/**
 * Plants one mistake after the other in the rules of a policy that `counts`, and tells which of them no case notices.
 * Only cases that pass without a mistake can notice one.
 */
export async function mutate(
  cases: readonly JudgedCase[],
  policy: Pick<PolicyEngine, 'boundaries' | 'withRules'>,
  counts: (rule: Boundary) => boolean,
): Promise<MutationResult> {
  // A case asks what decides and not in which words, and to find the words of a path takes a third of the time.
  const rules = policy.boundaries.map(({ reasons: _reasons, ...rule }): Boundary => rule);
  const passed = cases.filter((one) => hasPassed(one) && one.subject);
  const engine = policy.withRules(rules);
  try {
    await engine.ready;
    const before = engine.rules();
    const spoke = before.map((rule) => new Set(passed.filter(({ subject }) => subject && fires(rule, subject))));
    const planted = mutants(rules, counts);
    const survivors: Mutant[] = [];
    for (const mutant of planted) {
      engine.setRules(rules.flatMap((rule, at) => mutant.changed.get(at)?.rules ?? rule));
      await engine.ready;
      if (!isNoticed(mutant, engine, passed, spoke)) survivors.push(mutant);
    }
    const found = planted.length - survivors.length;
    return { planted: planted.length, found, survivors, score: planted.length === 0 ? 1 : found / planted.length };
  } finally {
    engine.dispose();
  }
}

/** Only a case for which a changed rule speaks now or spoke before can end otherwise. */
function isNoticed(
  { changed }: Mutant,
  engine: PolicyEngine,
  cases: readonly JudgedCase[],
  spoke: readonly ReadonlySet<JudgedCase>[],
): boolean {
  const fresh = new Set([...changed.values()].flatMap(({ wider }) => wider));
  const isFresh = (rule: Boundary | undefined): boolean => rule !== undefined && fresh.has(rule);
  const wider = engine.rules().filter((_rule, at) => isFresh(engine.boundaries[at]));
  return cases.some((one) => {
    const { subject } = one;
    if (!subject) return false;
    const concerned =
      [...changed.keys()].some((at) => spoke[at]?.has(one)) || wider.some((rule) => fires(rule, subject));
    return concerned && !isExpected(one.case.expect, verdictUnder(engine, one));
  });
}
