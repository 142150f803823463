import type { Capability } from '../capability/capability';
import { visibleText } from '../base/visible';
import type { Problem } from '../base/problem';
import type { ResolvedProfile } from '../profiles/profile';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import type { Permission } from '../vocabulary/toolDefinition';
import { type Budget } from './budget';
import type { TreeFilter } from './treeFilter';
import { groupRow, leaf, type ToolState, type TreeRow } from './treeRow';
import { isSetByUser, judgementLines } from './judgement';
import { worded } from '../base/sentence';
import { plainWords, type Translate } from '../base/translate';
import { sourceWords } from './sourceWords';
import {
  codeSpan,
  permissionWord,
  plainMarkdown,
  riskAndPermission,
  riskWord,
  riskWords,
  shortCount,
  toolCount,
} from './words';
import { sourceKey, sourceKind } from '../vocabulary/toolSource';

export type Grouping = 'order' | 'category' | 'source';

interface TreeInput {
  readonly registry: CapabilityRegistry;
  readonly profile: ResolvedProfile;
  /** Problems beside the profile's own, such as those of settings. */
  readonly problems: readonly Problem[];
  readonly budget: Budget;
  readonly grouping: Grouping;
  readonly filter?: TreeFilter;
  readonly t?: Translate;
}

/**
 * Builds the rows of the Capabilities view: problems that belong to no capability first, then the capabilities in the
 * profile's order, then those that it does not list.
 */
export function capabilityTree(input: TreeInput): readonly TreeRow[] {
  const t = input.t ?? plainWords;
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
    tools: entry.tools,
  }));
  const inProfile = new Set(listed.map((one) => one.capability.id));
  const others = input.registry
    .capabilities()
    .filter((capability) => !inProfile.has(capability.id))
    .map((capability) => ({
      capability,
      enabled: false,
      tools: input.registry.toolsOf(capability.id).map((tool) => ({ tool, enabled: false })),
    }));
  const everything = [...listed, ...others];
  const shown = everything.flatMap((one, index) => {
    const kept = input.filter ? input.filter.keep(one.capability, one.tools) : one.tools;
    return kept === undefined ? [] : [{ ...one, tools: kept, position: index + 1 }];
  });
  const rows = shown.map((one): TreeRow & { kind: 'capability' } =>
    capabilityRow(
      one,
      { position: one.position, total: everything.length, problems: problemsOf.get(one.capability.id) ?? [] },
      input,
      t,
    ),
  );
  return [...loose.map((problem, index) => problemRow(problem, index, t)), ...inGroups(rows, input.grouping, t)];
}

function distinct(): (problem: Problem) => boolean {
  const seen = new Set<string>();
  return (problem) => {
    if (seen.has(problem.message)) return false;
    seen.add(problem.message);
    return true;
  };
}

function inGroups(
  rows: readonly (TreeRow & { kind: 'capability' })[],
  grouping: Grouping,
  t: Translate,
): readonly TreeRow[] {
  if (grouping === 'order') return rows;
  const groups = new Map<string, TreeRow[]>();
  for (const row of rows) {
    const key =
      grouping === 'category' ? (row.capability.category ?? t('Other')) : sourceWords(row.capability.source, t);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([label, children]) =>
    groupRow(`${grouping}:${label}`, {
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

function capabilityRow(
  one: { readonly capability: Capability; readonly enabled: boolean; readonly tools: readonly ToolState[] },
  place: { readonly position: number; readonly total: number; readonly problems: readonly Problem[] },
  input: TreeInput,
  t: Translate,
): TreeRow & { kind: 'capability' } {
  const { capability, enabled, tools } = one;
  const name = visibleText(capability.name).text;
  const on = tools.filter((tool) => tool.enabled);
  const asking = on.filter((tool) => tool.tool.definition.permissions.agent === 'confirmation_required').length;
  const worst = place.problems.find((problem) => problem.severity === 'error') ?? place.problems[0];
  const soon = capability.status === 'coming_soon';
  const parts: string[] = [];
  if (worst) parts.push(visibleText(worded(worst.said, t)).text);
  else if (soon) parts.push(t('coming soon'));
  else parts.push(visibleText(summaryWords(capability, t)).text);
  if (capability.status === 'deprecated') parts.unshift(t('deprecated'));
  // Before what it is for, because a narrow side bar cuts the end.
  if (enabled && asking > 0) parts.unshift(`⚠ ${asking === 1 ? t('1 asks') : t('{0} ask', asking)}`);
  const cost = input.budget.byCapability.get(capability.id);
  if (cost && cost.tokens > 0) parts.push(t('~{0} tokens', shortCount(cost.tokens)));
  return {
    kind: 'capability',
    capability,
    enabled,
    state: `${capability.version} ${tools.map((one) => `${one.tool.definition.name}${one.enabled ? '+' : '-'}`).join(' ')}`,
    id: `cap:${capability.id}`,
    label: name,
    description: parts.join(' · '),
    icon: worst ? 'warning' : (capability.icon ?? 'symbol-method'),
    warns: worst !== undefined,
    tooltip: () => capabilityTooltip(capability, tools, place.problems, cost?.tokens ?? 0, t),
    accessibleLabel: [
      name,
      soon ? t('coming soon') : enabled ? t('enabled') : t('disabled'),
      t('position {0} of {1}', place.position, place.total),
      toolCount(tools.length, t),
      ...(asking > 0 ? [asking === 1 ? t('1 needs confirmation') : t('{0} need confirmation', asking)] : []),
      ...(worst ? [t('problem: {0}', worded(worst.said, t))] : []),
    ].join(', '),
    contextValue: `capability.${enabled ? 'on' : 'off'}.${capability.source.type}`,
    ...(soon ? {} : { checkbox: checkbox(enabled, name, t) }),
    children: () => tools.map((tool, index) => toolRow(tool, index + 1, tools.length, enabled, soon, t)),
    expandable: tools.length > 0,
  };
}

/** @param place tells apart the rows of a tool that is shown in more than one place. */
export function toolRow(
  state: ToolState,
  position: number,
  total: number,
  capabilityOn: boolean,
  soon: boolean,
  t: Translate,
  place = '',
): TreeRow {
  const { tool, enabled } = state;
  const { definition } = tool;
  const words = [
    riskAndPermission(definition.riskLevel, definition.permissions.agent, t),
    ...(isSetByUser(definition) ? [t('set by you')] : []),
  ];
  const name = visibleText(definition.name).text;
  return {
    ...leaf,
    kind: 'tool',
    tool,
    enabled,
    id: `${place}${tool.id}`,
    label: name,
    description: words.join(' · ').replace(' · ', ` · ${permissionSign[definition.permissions.agent]} `),
    icon: definition.icon ?? permissionIcon[definition.permissions.agent],
    warns: false,
    tooltip: () => toolTooltip(tool, t),
    accessibleLabel: [
      name,
      enabled ? t('enabled') : capabilityOn ? t('disabled') : t('disabled with its capability'),
      t('position {0} of {1}', position, total),
      riskWords(definition.riskLevel, t),
      permissionSentence(definition.permissions.agent, t),
      ...words.slice(1),
    ].join(', '),
    contextValue: `tool.${enabled ? 'on' : 'off'}${definition.origins ? '.foreign' : ''}`,
    ...(soon ? {} : { checkbox: checkbox(enabled, name, t) }),
  };
}

function checkbox(checked: boolean, name: string, t: Translate): NonNullable<TreeRow['checkbox']> {
  return { checked, label: checked ? t('Disable {0}', name) : t('Enable {0}', name) };
}

const permissionIcon: Readonly<Record<Permission, string>> = {
  allowed: 'pass',
  confirmation_required: 'question',
  forbidden: 'circle-slash',
};

/** Beside the words, because a tool's own icon hides the one of its permission. */
const permissionSign: Readonly<Record<Permission, string>> = {
  allowed: '✓',
  confirmation_required: '⚠',
  forbidden: '⊘',
};

function permissionSentence(permission: Permission, t: Translate): string {
  return {
    allowed: t('allowed for agents'),
    confirmation_required: t('agents need a confirmation'),
    forbidden: t('forbidden for agents'),
  }[permission];
}

/**
 * What a capability is for; the built-in ones' words are in the bundle of texts, those of others are not and stay as
 * they are.
 */
function summaryWords({ summary, description }: Capability, translate: Translate): string {
  return summary === undefined ? description : translate(summary);
}

function problemRow(problem: Problem, index: number, t: Translate): TreeRow {
  const message = visibleText(worded(problem.said, t)).text;
  return {
    ...leaf,
    kind: 'problem',
    problem,
    id: `problem:${problem.code}:${problem.subject ?? ''}:${index}`,
    label: problem.subject ? visibleText(problem.subject).text : problem.code,
    description: message,
    icon: problem.severity === 'error' ? 'error' : 'warning',
    warns: true,
    tooltip: () => plainMarkdown(message),
    accessibleLabel: t('problem: {0}', message),
    contextValue: `problem.${problem.code}`,
  };
}

function capabilityTooltip(
  capability: Capability,
  tools: readonly ToolState[],
  problems: readonly Problem[],
  tokens: number,
  t: Translate,
): string {
  const lines = [
    `**${plainMarkdown(visibleText(capability.name).text)}** ${plainMarkdown(capability.version)}`,
    plainMarkdown(visibleText(capability.description).text),
  ];
  for (const problem of problems) lines.push(`$(warning) ${plainMarkdown(visibleText(worded(problem.said, t)).text)}`);
  if (capability.status === 'deprecated')
    lines.push(
      capability.replacement ? t('Deprecated; use {0} instead', codeSpan(capability.replacement)) : t('Deprecated'),
    );
  const listed = tools
    .slice(0, 20)
    .map(
      ({ tool, enabled }) =>
        `- ${enabled ? '$(check)' : '$(circle-outline)'} ${codeSpan(tool.definition.name)} ${plainMarkdown(riskAndPermission(tool.definition.riskLevel, tool.definition.permissions.agent, t))}`,
    );
  if (tools.length > 20) listed.push(`- ${t('{0} more', tools.length - 20)}`);
  if (listed.length > 0) lines.push(listed.join('\n'));
  const needs = (capability.dependencies ?? []).map((one) => codeSpan(one.id)).join(', ');
  if (needs !== '') lines.push(t('Needs: {0}', needs));
  lines.push(
    t('Source: {0}', sourceKind(capability.source).isOurs ? t('built in') : codeSpan(sourceKey(capability.source))),
  );
  if (tokens > 0) lines.push(t('Costs about {0} tokens in every request', shortCount(tokens)));
  return lines.join('\n\n');
}

function toolTooltip(tool: RegisteredTool, t: Translate): string {
  const { definition } = tool;
  const list = (items: readonly string[]): string => (items.length === 0 ? t('none') : items.map(codeSpan).join(', '));
  const lines = [
    `**${plainMarkdown(visibleText(definition.title).text)}**`,
    plainMarkdown(visibleText(definition.userDescription).text),
    t(
      'Risk: {0}; for agents: {1}; for you: {2}',
      riskWord(definition.riskLevel, t),
      permissionWord(definition.permissions.agent, t),
      permissionWord(definition.permissions.user, t),
    ),
    t('Touches: {0}', list(definition.sideEffects)),
    t('Scopes: {0}', list(definition.scopes)),
    ...judgementLines(definition, t).map(plainMarkdown),
    ...(definition.rateLimit
      ? [t('Limit: {0} calls in {1} s', definition.rateLimit.requests, definition.rateLimit.windowMs / 1000)]
      : []),
    t('Id: {0}; a model calls it {1}', codeSpan(tool.id), codeSpan(tool.modelName)),
  ];
  return lines.join('\n\n');
}
