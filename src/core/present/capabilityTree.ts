import { visible } from '../base/visible';
import { ownValue } from '../base/json';
import type { Capability } from '../capability/capability';
import type { Problem } from '../base/problem';
import { type Sentence, worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { isHiddenFrom, type ResolvedProfile } from '../profiles/profile';
import type { CapabilityRegistry } from '../registry/registry';
import type { Budget } from './budget';
import { capabilityRow } from './capabilityRow';
import { sourceWords } from './sourceWords';
import type { TreeFilter } from './treeFilter';
import { groupRows, leaf, type ToolState, type TreeRow } from './treeRow';
import { plainMarkdown, proseMarkdown, rowText, wholeNumber } from './words';

export type Grouping = 'order' | 'category' | 'source';

interface TreeInput {
  readonly registry: CapabilityRegistry;
  readonly profile: ResolvedProfile;
  /** What a workspace makes of the profile beyond that, while the person has not reviewed it. */
  readonly heldBack?: ResolvedProfile;
  /** Problems beside the profile's own, such as those of settings. */
  readonly problems: readonly Problem[];
  readonly budget: Budget;
  readonly grouping: Grouping;
  readonly filter?: TreeFilter;
  /** True where samples for developers are shown although the profile does not name them. */
  readonly isDeveloper?: boolean;
  readonly t: Translate;
}

/**
 * Builds the rows of the Capabilities view: problems that belong to no capability first, then the capabilities in the
 * profile's order, then those that it does not list.
 */
export function capabilityTree(input: TreeInput): readonly TreeRow[] {
  const { t } = input;
  const known = new Set(input.registry.capabilityIds());
  const all = [...input.profile.problems, ...input.problems].filter(distinct());
  const problemsOf = new Map<string, Problem[]>();
  const loose: Problem[] = [];
  for (const problem of all) {
    const subject = problem.subject;
    if (subject !== undefined && known.has(subject))
      problemsOf.set(subject, [...(problemsOf.get(subject) ?? []), problem]);
    else if (problem.severity !== 'information') loose.push(problem);
  }
  const listed = input.profile.entries.map((entry) => ({
    capability: entry.capability,
    enabled: entry.entry.enabled,
    tools: entry.tools.filter(forPeople),
  }));
  const inProfile = new Set(listed.map((one) => one.capability.id));
  const others = input.registry
    .capabilities()
    .filter(({ id, forDevelopers }) => !inProfile.has(id) && (!forDevelopers || input.isDeveloper === true))
    .map((capability) => ({
      capability,
      enabled: false,
      tools: input.registry
        .toolsOf(capability.id)
        .map((tool) => ({ tool, enabled: false }))
        .filter(forPeople),
    }));
  const everything = [...listed, ...others];
  const wanted = new Set(
    input.heldBack?.entries.flatMap(({ capability, entry }) => (entry.enabled ? [capability.id] : [])),
  );
  let found = 0;
  const rows = everything.flatMap((one, index) => {
    const { id } = one.capability;
    const shown = input.filter ? input.filter.keep(one.capability, one.tools) : one.tools;
    if (!shown) return [];
    found += shown.length;
    const place = { position: index + 1, total: everything.length, problems: problemsOf.get(id) ?? [] };
    const row = capabilityRow(
      {
        ...one,
        ...place,
        shown,
        tokens: input.budget.tokensOf.get(id) ?? 0,
        mode: input.profile.mode,
        heldBack: wanted.has(id),
        isHeldBack: (tool) => input.heldBack?.isToolEnabled(tool) === true,
      },
      t,
    );
    return [row];
  });
  const below = [...loose.map((problem, index) => problemRow(problem, index, t)), ...inGroups(rows, input.grouping, t)];
  if (!input.filter || below.length === 0) return below;
  const total = everything.reduce((sum, { tools }) => sum + tools.length, 0);
  return [filterRow(input.filter.text, found, total, t), ...below];
}

/** What a channel declares for agents only is shown to no person; its capability says how many there are. */
const forPeople = ({ tool }: ToolState): boolean => !isHiddenFrom('user', tool.definition);

/** Says above what a filter leaves that there is one; its buttons change it and take it away. */
function filterRow(text: string, found: number, total: number, t: Translate): TreeRow {
  const label = t('Filter: {0}', visible(text));
  const description = t('{0} of {1} tools · Esc clears it', wholeNumber(found, t), wholeNumber(total, t));
  return {
    ...leaf,
    kind: 'group',
    id: 'filter',
    label,
    description,
    icon: 'filter-filled',
    tooltip: () => plainMarkdown(t('Only what fits the filter is shown. Nothing is switched by it.')),
    accessibleLabel: `${label}, ${description}`,
    contextValue: 'filter',
  };
}

function distinct(): (problem: Problem) => boolean {
  const seen = new Set<string>();
  return (problem) => {
    if (seen.has(problem.message)) return false;
    seen.add(problem.message);
    return true;
  };
}

/** The group of a capability where they are grouped by category: ours in the person's language. */
function categoryWords({ local, category = '' }: Capability, t: Translate): string {
  const ours = {
    'MCP servers': t('MCP servers'),
    'Other extensions': t('Other extensions'),
    Channels: t('Channels'),
    Actions: t('Actions'),
  };
  return local?.category ?? ownValue<string>(ours, category) ?? (category || t('Other'));
}

function inGroups(
  rows: readonly (TreeRow & { kind: 'capability' })[],
  grouping: Grouping,
  t: Translate,
): readonly TreeRow[] {
  if (grouping === 'order') return rows;
  const groups = new Map<string, TreeRow[]>();
  for (const row of rows) {
    const key = grouping === 'category' ? categoryWords(row.capability, t) : sourceWords(row.capability.source, t);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].flatMap(([label, children]) =>
    groupRows(`${grouping}:${label}`, {
      label,
      description: t('{0} of {1} on', children.filter((row) => row.checkbox?.checked).length, children.length),
      icon: grouping === 'category' ? 'symbol-folder' : 'plug',
      accessibleLabel: t(
        '{0}, group of {1}',
        label,
        children.length === 1 ? t('1 capability') : t('{0} capabilities', children.length),
      ),
      contextValue: 'group',
      children,
    }),
  );
}

function problemRow(problem: Problem, index: number, t: Translate): TreeRow {
  const message = visible(worded(problem.said, t));
  const { name, point } = namedPoint(problem, t);
  return {
    ...leaf,
    kind: 'problem',
    problem,
    id: `problem:${problem.code}:${problem.subject ?? ''}:${index}`,
    label: visible(name),
    description: rowText(point),
    icon: problem.severity === 'error' ? 'error' : 'warning',
    warns: true,
    tooltip: () => proseMarkdown(message),
    accessibleLabel: t('problem: {0}', rowText(message)),
    contextValue: `problem.${problem.code}`,
  };
}

/** What a problem is about, and the rest of it: a narrow row would cut what matters behind a name that it has twice. */
function namedPoint({ file, said, subject }: Problem, t: Translate): { name: string; point: string } {
  const [server, fault] = said.args;
  if (said.code === 'server_fault' && typeof server === 'string' && isSentence(fault))
    return { name: server, point: worded(fault, t) };
  const name = subject ?? file?.replace(/^.*[\\/]/, '');
  return name === undefined ? { name: rowText(worded(said, t)), point: '' } : { name, point: worded(said, t) };
}

const isSentence = (value: Sentence['args'][number] | undefined): value is Sentence =>
  typeof value === 'object' && 'code' in value;
