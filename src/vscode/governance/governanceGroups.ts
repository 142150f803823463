import * as vscode from 'vscode';
import type { Problem } from '../../core/base/problem';
import { composedOf } from '../../core/capability/composed';
import { faultyDefinition, isWaiting, withLacks } from '../../core/explain/lacks';
import { governanceRows, readinessProblem } from '../../core/present/governanceRows';
import { planRows } from '../../core/present/planRows';
import { ruleRows } from '../../core/present/ruleRows';
import type { MoreRows } from '../tree/capabilityView';
import type { GovernanceContext } from './governanceCommand';

/** What the view's groups of rules, plans, grants and questions are made from. */
export type GroupsContext = Pick<
  GovernanceContext,
  'clock' | 'grants' | 'plans' | 'policy' | 'profile' | 'queue' | 'recent' | 'registry' | 'resolver' | 'settings'
>;

/** The groups of the Capabilities view about questions, grants, the frozen plan and the rules in force. */
export function governanceGroups(context: GroupsContext): Pick<Required<MoreRows>, 'rows' | 'problems'> {
  const { queue, grants, resolver, registry, plans, policy, recent } = context;
  return {
    rows: () => [
      ...governanceRows({
        pending: queue?.pending() ?? [],
        grants: grants.list(),
        composed: resolver
          .rows()
          .capabilities.filter((one) => registry.capability(one.id) === undefined)
          .map((capability) => {
            const known = resolver.governance.definitions;
            const lacks = faultyDefinition(capability, known);
            return {
              capability,
              resolution: withLacks(resolver.resolver.resolve(capability), lacks),
              isWaiting: isWaiting(capability, known),
            };
          }),
        now: context.clock.now(),
        t: vscode.l10n.t,
      }),
      ...planRows(plans.active, vscode.l10n.t),
      ...ruleRows({
        rules: policy.rules(context.profile()).map(({ boundary }) => boundary),
        preset: context.settings().get('policy.preset'),
        hitsOf: (rule) => recent.hitsOf(rule),
        fileName: (file) => vscode.workspace.asRelativePath(file),
        t: vscode.l10n.t,
      }),
    ],
    problems: () =>
      registry.capabilities().flatMap((capability): Problem[] => {
        if (!capability.composed && (capability.requires ?? []).length === 0) return [];
        const problem = readinessProblem(capability.id, resolver.resolver.resolve(composedOf(capability)));
        return problem ? [problem] : [];
      }),
  };
}
