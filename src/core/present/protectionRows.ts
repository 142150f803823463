import { worded } from '../base/sentence';
import { plainWords, type Translate } from '../base/translate';
import { visibleText } from '../base/visible';
import type { AgentProtection } from '../protection/meter';
import { groupRow, leaf, type TreeRow } from './treeRow';
import { plainMarkdown } from './words';

interface ProtectionRowsInput {
  /** The meters of the agents that are used here, or that were protected. */
  readonly meters: readonly AgentProtection[];
  /** Says a time as people read it. */
  readonly when: (time: number) => string;
  readonly t?: Translate;
}

/** The group "Protection": how far the own tools of each agent on this machine are under the gate. */
export function protectionRows({ meters, when, t = plainWords }: ProtectionRowsInput): readonly TreeRow[] {
  if (meters.length === 0) return [];
  const red = meters.filter(({ isRed }) => isRed).length;
  const hooked = meters.filter(({ state }) => state === 'hooked').length;
  const description = red > 0 ? t('{0} need a look', red) : t('{0} of {1} agents hooked', hooked, meters.length);
  return [
    groupRow('protection', {
      label: t('Protection'),
      description,
      icon: 'shield',
      warns: red > 0,
      tooltip: t('Which agents ask the gate before they use tools of their own'),
      accessibleLabel: t('Protection, group of {0}, {1}', meters.length, description),
      children: meters.map((meter) => agentRow(meter, when, t)),
    }),
  ];
}

function agentRow(meter: AgentProtection, when: (time: number) => string, t: Translate): TreeRow {
  const { agent, name, isRed, faults, notes, lastAt, tools } = meter;
  const state = stateWords(meter, t);
  const since = lastAt === undefined ? '' : ` · ${t('last answer {0}', when(lastAt))}`;
  const problems = [...faults, ...notes].map(
    ({ said, step }) => visibleText(`${worded(said, t)}; ${worded(step, t)}`).text,
  );
  const open = tools.filter((tool) => tool.state === 'open').map(({ tool }) => tool);
  const openWords = meter.state === 'hooked' && open.length > 0 ? [t('Open all the same: {0}', open.join(', '))] : [];
  const icon = isRed ? 'error' : meter.state === 'hooked' ? 'pass' : 'circle-slash';
  return {
    ...leaf,
    kind: 'group',
    id: `protection:${agent}`,
    label: name,
    description: `${state}${since}`,
    icon,
    warns: isRed,
    tooltip: () => [name, ...problems, ...openWords].map(plainMarkdown).join('\n\n'),
    accessibleLabel: [name, state, ...problems.slice(0, 1)].join(', '),
    contextValue: `protection.${agent}`,
  };
}

/** The state of an agent in words, with what is the matter first. */
export function stateWords({ state, isRed, isInstalled }: AgentProtection, t: Translate): string {
  if (isRed) return state === 'hooked' ? t('hooked, with a fault') : t('open: the hook does not hold');
  if (state === 'hooked') return t('hooked');
  return isInstalled ? t('open') : t('open: no hook');
}
