import { worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { visible } from '../base/visible';
import type { AgentProtection, ToolProtection } from '../protection/meter';
import { groupRows, leaf, type TreeRow } from './treeRow';
import { proseMarkdown, rowText } from './words';

interface ProtectionRowsInput {
  /** The meters of the agents that are used here, or that were protected. */
  readonly meters: readonly AgentProtection[];
  /** Says a time as people read it. */
  readonly when: (time: number) => string;
  readonly t: Translate;
}

/** The group "Protection": how far the own tools of each agent on this machine are under the gate. */
export function protectionRows({ meters, when, t }: ProtectionRowsInput): readonly TreeRow[] {
  const red = meters.filter(({ isRed }) => isRed).length;
  const hooked = meters.filter(({ state }) => state === 'hooked').length;
  const description =
    red === 0
      ? t('hooked: {0} of {1}', hooked, meters.length)
      : red === 1
        ? t('1 needs a look')
        : t('{0} need a look', red);
  return groupRows('protection', {
    label: t('Protection'),
    description,
    icon: 'shield',
    warns: red > 0,
    tooltip: t('Which agents ask the gate before they use tools of their own'),
    accessibleLabel: t('Protection, group of {0}, {1}', meters.length, description),
    children: meters.map((meter) => agentRow(meter, when, t)),
  });
}

function agentRow(meter: AgentProtection, when: (time: number) => string, t: Translate): TreeRow {
  const { agent, name, isRed, faults, notes, lastAt, tools } = meter;
  const state = stateWords(meter, t);
  const since = lastAt === undefined ? '' : ` · ${t('last answer {0}', when(lastAt))}`;
  const problems = [...faults, ...notes].map(({ said, step }) => visible(`${worded(said, t)}; ${worded(step, t)}`));
  const counts = toolCounts(meter, t);
  const icon = isRed ? 'error' : meter.state === 'hooked' ? 'pass' : 'circle-slash';
  return {
    kind: 'group',
    id: `protection:${agent}`,
    label: name,
    description: `${state}${since}`,
    icon,
    warns: isRed,
    tooltip: () => [name, counts, ...problems].map((line) => proseMarkdown(line)).join('\n\n'),
    accessibleLabel: [name, state, counts, ...problems.slice(0, 1).map(rowText)].join(', '),
    contextValue: `protection.${agent}`,
    children: () => states.flatMap((one) => tools.filter((tool) => tool.state === one).map((tool) => row(tool))),
    expandable: tools.length > 0,
  };

  function row(tool: ToolProtection): TreeRow {
    const label = visible(tool.tool);
    const words = toolWords(tool.state, t);
    const seen = tool.lastAt === undefined ? '' : ` · ${t('last answer {0}', when(tool.lastAt))}`;
    const step = tool.step ? visible(worded(tool.step, t)) : undefined;
    return {
      ...leaf,
      kind: 'group',
      id: `protection:${agent}:${tool.tool}`,
      label,
      description: `${words}${seen}`,
      icon: icons[tool.state],
      tooltip: () =>
        [`${label}: ${words}`, ...(step === undefined ? [] : [step])].map((line) => proseMarkdown(line)).join('\n\n'),
      accessibleLabel: [label, words, ...(step === undefined ? [] : [rowText(step)])].join(', '),
      contextValue: `protection.tool.${tool.state}`,
    };
  }
}

/** What is open comes first: it is what there is to do. */
const states = ['open', 'hooked', 'enforced'] as const;
const icons = { open: 'circle-slash', hooked: 'pass', enforced: 'shield' } as const;

function toolWords(state: ToolProtection['state'], t: Translate): string {
  if (state === 'enforced') return t('enforced: runs through the gate');
  return state === 'hooked' ? t('hooked') : t('open');
}

/** How many tools of an agent are enforced, hooked and open. */
function toolCounts({ tools }: AgentProtection, t: Translate): string {
  const count = (state: ToolProtection['state']): number => tools.filter((tool) => tool.state === state).length;
  return t('{0} enforced, {1} hooked, {2} open', count('enforced'), count('hooked'), count('open'));
}

/** The state of an agent in words, with what is the matter first. */
export function stateWords({ state, isRed, isInstalled, lastAt }: AgentProtection, t: Translate): string {
  if (isRed) return state === 'hooked' ? t('hooked, with a fault') : t('open: the hook does not hold');
  if (state === 'hooked') return lastAt === undefined ? t('hooked, not answered yet') : t('hooked');
  return isInstalled ? t('open') : t('open: no hook');
}
