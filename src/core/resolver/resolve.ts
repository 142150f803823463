import { worded } from '../base/sentence';
import { reasonSaid } from '../vocabulary/ruleWords';
import { compareRules, firingOf, fires } from '../policy/rules/decide';
import type { CompiledRule } from '../policy/rules/compile';
import { flattenRequires } from '../capability/composed';
import type { RequirementState, Verdict } from '../vocabulary/requirement';
import { composedSubject } from '../policy/rules/subject';
import type { ComposedCapability } from '../capability/capability';

/**
 * A verdict with what blocks, what warns and what a person or a probe would have to do. Its field names are those that
 * agents read.
 */
export interface Resolution {
  readonly verdict: Verdict;
  /** `<requirement>: red`, `policy:<boundary>`. */
  readonly blocking: readonly string[];
  /** `probe:<requirement>`, `approval:<boundary or capability>`. */
  readonly required_actions: readonly string[];
  /** `<requirement>: stale`, `<boundary>: advisory`. */
  readonly warnings: readonly string[];
}

/**
 * Resolves a capability from the states of its requirements and the boundaries. Pure: the same input has the same
 * answer, and the order of the boundaries does not matter. A requirement without a state is `unknown`. Presets judge
 * calls of tools and are not consulted here.
 * @param word how an id is told; as it is written where nobody says otherwise.
 */
export function resolve(
  capability: ComposedCapability,
  state: (requirementId: string) => RequirementState | undefined,
  rules: Iterable<CompiledRule>,
  word: (id: string) => string = (id) => id,
): Resolution {
  const blocking = new Set<string>();
  const warnings = new Set<string>();
  const actions = new Set<string>();
  for (const id of flattenRequires(capability.requires)) {
    const found = state(id) ?? 'unknown';
    const name = word(id);
    if (found === 'red') blocking.add(`${name}: red`);
    else if (found !== 'fresh') {
      warnings.add(`${name}: ${found}`);
      actions.add(`probe:${name}`);
    }
  }
  const subject = composedSubject(capability);
  const fired = [...rules]
    .filter((rule) => rule.boundary.severity === 'hard' && rule.boundary.scope !== 'builtin' && fires(rule, subject))
    .sort(compareRules);
  let isDenied = false;
  for (const rule of fired) {
    const { decision } = rule.boundary;
    const id = word(rule.boundary.id);
    const firing = firingOf(rule, subject);
    switch (firing.kind) {
      case 'deny':
        isDenied = true;
        blocking.add(
          decision === 'deny_unless_account' ? `policy:${id}: ${worded(reasonSaid(firing.reason))}` : `policy:${id}`,
        );
        break;
      case 'ask':
        actions.add(`approval:${id}`);
        break;
      case 'advise':
        warnings.add(`${id}: advisory`);
        break;
      case 'allow':
        break;
    }
  }
  if (capability.approvalRequired) actions.add(`approval:${word(capability.id)}`);
  return {
    verdict: verdictOf(isDenied, blocking, actions),
    blocking: [...blocking],
    required_actions: [...actions],
    warnings: [...warnings],
  };
}

function verdictOf(isDenied: boolean, blocking: ReadonlySet<string>, actions: ReadonlySet<string>): Verdict {
  if (isDenied) return 'blocked-by-policy';
  if (blocking.size > 0) return 'no';
  if ([...actions].some((action) => action.startsWith('approval:'))) return 'yes-after-approval';
  return actions.size > 0 ? 'yes-after-probe' : 'yes';
}
