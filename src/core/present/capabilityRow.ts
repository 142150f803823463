import { isHiddenFrom } from '../profiles/profile';
import type { Capability } from '../capability/capability';
import type { Problem } from '../base/problem';
import { worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { visible } from '../base/visible';
import type { RegisteredTool } from '../registry/registry';
import type { Mode } from '../vocabulary/decision';
import { sourceKey, sourceKind } from '../vocabulary/toolSource';
import { asksAgents, toolRow, toolWords } from './toolRow';
import type { ToolState, TreeRow } from './treeRow';
import {
  boldMarkdown,
  codeSpan,
  plainMarkdown,
  proseMarkdown,
  rowText,
  shortCount,
  shownName,
  toolCount,
} from './words';

interface ShownCapability {
  readonly capability: Capability;
  readonly enabled: boolean;
  /** All of its tools: what the row says is the same under a filter. */
  readonly tools: readonly ToolState[];
  /** Those that a filter leaves, with a row each. */
  readonly shown: readonly ToolState[];
  readonly position: number;
  readonly total: number;
  readonly problems: readonly Problem[];
  /** What it costs in every request. */
  readonly tokens: number;
  readonly mode: Mode;
  /** True where the workspace has it on, and the person has not reviewed that. */
  readonly heldBack: boolean;
  readonly isHeldBack: (tool: RegisteredTool) => boolean;
}

export function capabilityRow(one: ShownCapability, t: Translate): TreeRow & { kind: 'capability' } {
  const { capability, enabled, tools, shown, problems, mode } = one;
  const name = visible(shownName(capability));
  const on = tools.filter((tool) => tool.enabled).length;
  const asking = tools.filter((tool) => asksAgents(tool, mode)).length;
  const worst = problems.find((problem) => problem.severity === 'error') ?? problems[0];
  const soon = capability.status === 'coming_soon';
  const isPartly = enabled && on < tools.length;
  const held = one.heldBack && !enabled;
  const place = { total: shown.length, capabilityOn: enabled, soon, mode };
  // What matters most first, because a narrow side bar cuts the end.
  const parts = [
    ...(held ? [`⚠ ${t('held back: review first')}`] : []),
    ...(isPartly ? [t('{0} of {1} tools on', on, tools.length)] : []),
    ...(enabled && asking > 0 ? [`⚠ ${asking === 1 ? t('1 asks') : t('{0} ask', asking)}`] : []),
    ...(capability.status === 'deprecated' ? [t('deprecated')] : []),
    worst ? rowText(worded(worst.said, t)) : soon ? t('coming soon') : visible(summaryWords(capability, t)),
    ...(one.tokens > 0 ? [t('~{0} tokens', shortCount(one.tokens, t))] : []),
  ];
  return {
    kind: 'capability',
    capability,
    enabled,
    state: `${capability.version} ${mode} ${shown.map((state) => `${state.tool.definition.name}${signOf(state, one)}`).join(' ')}`,
    id: `cap:${capability.id}`,
    label: name,
    description: parts.join(' · '),
    icon: worst ? 'warning' : (capability.icon ?? 'symbol-method'),
    warns: worst !== undefined,
    tooltip: () => capabilityTooltip(one, t),
    accessibleLabel: [
      name,
      soon ? t('coming soon') : enabled ? t('enabled') : t('disabled'),
      ...(held ? [t('held back: review first')] : []),
      t('position {0} of {1}', one.position, one.total),
      isPartly ? t('{0} of {1} tools on', on, tools.length) : toolCount(tools.length, t),
      ...(asking > 0 ? [asking === 1 ? t('1 needs confirmation') : t('{0} need confirmation', asking)] : []),
      ...(worst ? [t('problem: {0}', rowText(worded(worst.said, t)))] : []),
    ].join(', '),
    contextValue: `capability.${enabled ? 'on' : 'off'}.${capability.source.type}`,
    ...(soon
      ? {}
      : { checkbox: { checked: enabled, label: enabled ? t('Disable {0}', name) : t('Enable {0}', name) } }),
    children: () =>
      shown.map((state, index) =>
        toolRow(state, { ...place, position: index + 1, heldBack: one.isHeldBack(state.tool) }, t),
      ),
    expandable: shown.length > 0,
  };
}

function signOf({ tool, enabled }: ToolState, { isHeldBack }: ShownCapability): string {
  return enabled ? '+' : isHeldBack(tool) ? '~' : '-';
}

/** What a capability is for; the built-in ones' words are in the bundle, those of others stay as they are. */
export function summaryWords({ summary, description }: Capability, translate: Translate): string {
  if (summary === undefined) return description;
  return typeof summary === 'string' ? translate(summary) : worded(summary, translate);
}

function capabilityTooltip(
  { capability, tools, problems, tokens, mode, isHeldBack }: ShownCapability,
  t: Translate,
): string {
  const lines = [
    `${boldMarkdown(shownName(capability))} ${plainMarkdown(capability.version)}`,
    proseMarkdown(summaryWords(capability, t)),
  ];
  for (const problem of problems) lines.push(`⚠ ${proseMarkdown(worded(problem.said, t))}`);
  if (capability.status === 'deprecated')
    lines.push(
      capability.replacement ? t('Deprecated; use {0} instead', codeSpan(capability.replacement)) : t('Deprecated'),
    );
  const listed = tools.slice(0, 20).map((state) => {
    const { tool, enabled } = state;
    const words = toolWords(state, { mode, heldBack: isHeldBack(tool) }, t);
    return `- ${enabled ? '☑' : '☐'} ${codeSpan(tool.definition.name)} ${plainMarkdown(words)}`;
  });
  if (tools.length > 20) listed.push(`- ${t('{0} more', tools.length - 20)}`);
  if (listed.length > 0) lines.push(listed.join('\n'));
  const hidden = capability.tools.filter(({ definition }) => isHiddenFrom('user', definition)).length;
  if (hidden > 0) lines.push(t('Tools for agents only, which are not shown: {0}', hidden));
  const needs = (capability.dependencies ?? []).map((one) => codeSpan(one.id)).join(', ');
  if (needs !== '') lines.push(t('Needs: {0}', needs));
  lines.push(
    t('Source: {0}', sourceKind(capability.source).isOurs ? t('built in') : codeSpan(sourceKey(capability.source))),
  );
  if (tokens > 0) lines.push(t('Costs about {0} tokens in every request', shortCount(tokens, t)));
  return lines.join('\n\n');
}
