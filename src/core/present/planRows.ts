import { visibleLine } from '../base/visible';
import { worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { callsLeft, type FrozenPlan } from '../policy/plans/frozenPlan';
import { describeCall } from '../policy/plans/plannedCall';
import { oneLine } from './approvalWords';
import { leaf, type TreeRow } from './treeRow';
import { boldMarkdown, plainMarkdown, proseMarkdown } from './words';

/** The group of the frozen plan that is in force, a row for each of its calls; nothing where none is. */
export function planRows(plan: FrozenPlan | undefined, t: Translate): readonly TreeRow[] {
  if (!plan) return [];
  const title = oneLine(plan.title);
  const left = callsLeft(plan);
  const total = plan.calls.reduce((sum, { count }) => sum + count, 0);
  const state = plan.isApproved ? t('approved as a whole') : t('each call still asks');
  const description = `${t('calls left: {0} of {1}', left, total)} · ${state}`;
  const label = t('Frozen plan: {0}', title);
  return [
    {
      kind: 'plan',
      id: 'group:plan',
      label,
      description,
      icon: 'lock',
      warns: false,
      tooltip: () =>
        [
          boldMarkdown(label),
          plainMarkdown(description),
          plainMarkdown(t('Until it is ended, agents may change nothing that it does not list.')),
        ].join('\n\n'),
      accessibleLabel: `${label}, ${description}`,
      contextValue: 'plan',
      expandable: true,
      children: () =>
        plan.calls.map((call, index): TreeRow => {
          const ran = plan.used[index] ?? 0;
          const words = visibleLine(worded(describeCall(call), t));
          const runs = t('{0} of {1} ran', ran, call.count);
          return {
            ...leaf,
            kind: 'plan',
            id: `plan:${plan.hash}:${index}`,
            label: words,
            description: runs,
            icon: ran >= call.count ? 'pass' : 'circle-large-outline',
            tooltip: () => proseMarkdown(words),
            accessibleLabel: `${words}, ${runs}`,
            contextValue: 'planCall',
          };
        }),
    },
  ];
}
