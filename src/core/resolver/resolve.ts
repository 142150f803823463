import { reasonSaid } from '../vocabulary/ruleWords';
import { compareRules, firingOf, fires } from '../policy/rules/decide';
import type { CompiledRule } from '../policy/rules/compile';
import { flattenRequires } from '../capability/composed';
import type { RequirementState, Verdict } from '../vocabulary/requirement';
import type { RequiredAction, Resolution, ResolverFinding } from '../vocabulary/resolution';
import { composedSubject } from '../policy/rules/subject';
import type { ComposedCapability } from '../capability/capability';

/**
 * Resolves a capability from the states of its requirements and the boundaries. Pure: the same input has the same
 * answer, and the order of the boundaries does not matter. A requirement without a state is `unknown`. Presets judge
 * calls of tools and are not consulted here.
 */
export function resolve(
  capability: ComposedCapability,
  state: (requirementId: string) => RequirementState | undefined,
  rules: Iterable<CompiledRule>,
): Resolution {
  const blocking: ResolverFinding[] = [];
  const warnings: ResolverFinding[] = [];
  const actions: RequiredAction[] = [];
  for (const id of flattenRequires(capability.requires)) {
    const found = state(id) ?? 'unknown';
    if (found === 'red') blocking.push({ kind: 'requirement', id, state: found });
    else if (found !== 'fresh') {
      warnings.push({ kind: 'requirement', id, state: found });
      actions.push({ kind: 'probe', requirement: id });
    }
  }
  const subject = composedSubject(capability);
  const fired = [...rules]
    .filter((rule) => rule.boundary.severity === 'hard' && rule.boundary.scope !== 'builtin' && fires(rule, subject))
    .sort(compareRules);
  const asking = new Set<string>();
  const advising = new Set<string>();
  for (const rule of fired) {
    const { decision, id, reason } = rule.boundary;
    const firing = firingOf(rule, subject);
    switch (firing.kind) {
      case 'deny': {
        const why = reasonSaid(firing.reason);
        const told =
          decision === 'deny_unless_account' ? { reason: reasonSaid(reason), noAccount: why } : { reason: why };
        blocking.push({ kind: 'rule', id, ...told });
        break;
      }
      case 'ask':
        asking.add(id);
        break;
      case 'advise':
        advising.add(id);
        break;
      case 'allow':
        break;
    }
  }
  for (const id of asking) actions.push({ kind: 'approval', of: 'rule', id });
  for (const rule of advising) warnings.push({ kind: 'advice', rule });
  if (capability.approvalRequired) actions.push({ kind: 'approval', of: 'capability', id: capability.id });
  return { verdict: verdictOf(blocking, actions), blocking, actions, warnings };
}

function verdictOf(blocking: readonly ResolverFinding[], actions: readonly RequiredAction[]): Verdict {
  if (blocking.some(({ kind }) => kind === 'rule')) return 'blocked-by-policy';
  if (blocking.length > 0) return 'no';
  if (actions.some(({ kind }) => kind === 'approval')) return 'yes-after-approval';
  return actions.length > 0 ? 'yes-after-probe' : 'yes';
}
