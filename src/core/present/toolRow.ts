import { plansRefuse } from '../gate/planRefusal';
import { visible } from '../base/visible';
import type { RegisteredTool } from '../registry/registry';
import type { Mode } from '../vocabulary/decision';
import type { ActorType, Permission } from '../vocabulary/toolDefinition';
import type { Translate } from '../base/translate';
import { isSetByUser, judgementLines } from './judgement';
import { leaf, type ToolState, type TreeRow } from './treeRow';
import { boldMarkdown, codeSpan, permissionWord, proseMarkdown, riskWord, riskWords, shownTitle } from './words';

/** What decides what an agent's call of a tool meets. */
interface ToolMeeting {
  readonly mode: Mode;
  /** True where the workspace has it on, and the person has not reviewed that. */
  readonly heldBack: boolean;
}

interface ToolPlace extends ToolMeeting {
  readonly position: number;
  readonly total: number;
  readonly capabilityOn: boolean;
  /** True where nothing of the capability can be switched yet. */
  readonly soon: boolean;
  /** Tells apart the rows of a tool that is shown in more than one place. */
  readonly prefix?: string;
}

/** What an agent's call meets, before how bad it could be: `asks · medium risk`. */
export function toolWords(state: ToolState, place: ToolMeeting, t: Translate): string {
  const meets = meetsAgents(state, place);
  return [...(meets ? [meetingWord(meets, t)] : []), riskWords(state.tool.definition.riskLevel, t)].join(' · ');
}

/** What a call of a tool that is on meets, before how bad it could be; the same in every list of tools. */
export function meetingAndRisk(tool: RegisteredTool, mode: Mode, t: Translate, caller: ActorType = 'agent'): string {
  return `${meetingWord(callersMeet(tool, mode, caller), t)} · ${riskWords(tool.definition.riskLevel, t)}`;
}

export function toolRow(state: ToolState, place: ToolPlace, t: Translate): TreeRow {
  const { tool, enabled } = state;
  const { definition } = tool;
  const name = visible(definition.name);
  const meets = meetsAgents(state, place);
  const risk = riskWords(definition.riskLevel, t);
  const byUser = isSetByUser(definition) ? [t('set by you')] : [];
  return {
    ...leaf,
    kind: 'tool',
    tool,
    enabled,
    id: `${place.prefix ?? ''}${tool.id}`,
    label: name,
    description: [toolWords(state, place, t), ...byUser].join(' · '),
    icon: (meets && meetingIcons[meets]) ?? definition.icon ?? 'symbol-method',
    tooltip: () => toolTooltip(tool, place.mode, t),
    accessibleLabel: [
      name,
      enabled ? t('enabled') : place.capabilityOn ? t('disabled') : t('disabled with its capability'),
      t('position {0} of {1}', place.position, place.total),
      risk,
      ...(meets ? [meetingSentence(meets, t)] : []),
      ...byUser,
    ].join(', '),
    contextValue: `tool.${enabled ? 'on' : 'off'}${definition.origins ? '.foreign' : ''}`,
    ...(place.soon
      ? {}
      : { checkbox: { checked: enabled, label: enabled ? t('Disable {0}', name) : t('Enable {0}', name) } }),
  };
}

/** What an agent's call of a tool meets before its risk is of interest. */
type Meeting = Permission | 'refused_by_mode' | 'reads_by_mode' | 'held_back';

/** Undefined for a tool that is off: nobody is asked about it. */
function meetsAgents({ tool, enabled }: ToolState, { mode, heldBack }: ToolMeeting): Meeting | undefined {
  if (!enabled) return heldBack ? 'held_back' : undefined;
  return callersMeet(tool, mode, 'agent');
}

/** What somebody meets at a tool that is on. */
function callersMeet(tool: RegisteredTool, mode: Mode, caller: ActorType): Meeting {
  const permission = tool.definition.permissions[caller];
  const isOwnUse = caller === 'user' && tool.definition.alwaysForPeople === true;
  if (mode !== 'plan' || permission === 'forbidden' || isOwnUse) return permission;
  return ({ all: 'refused_by_mode', changes: 'reads_by_mode', nothing: permission } as const)[plansRefuse(tool)];
}

/** True where a person is asked about an agent's call. */
export function asksAgents(state: ToolState, mode: Mode): boolean {
  const { tool, enabled } = state;
  if (!enabled || tool.definition.permissions.agent !== 'confirmation_required') return false;
  return mode !== 'plan' || plansRefuse(tool) !== 'all';
}

/**
 * What stands in an agent's way takes the place of the tool's own icon: in the narrowest side bar the words beside a
 * name are cut away. Rules have the same icons.
 */
const meetingIcons: Readonly<Partial<Record<Meeting, string>>> = {
  confirmation_required: 'question',
  forbidden: 'circle-slash',
  refused_by_mode: 'circle-slash',
  held_back: 'warning',
};

function meetingWord(meeting: Meeting, t: Translate): string {
  switch (meeting) {
    case 'refused_by_mode':
      return t('refused in plan mode');
    case 'reads_by_mode':
      return t('only reads in plan mode');
    case 'held_back':
      return t('held back: review first');
    default:
      return permissionWord(meeting, t);
  }
}

function meetingSentence(meeting: Meeting, t: Translate): string {
  switch (meeting) {
    case 'allowed':
      return t('allowed for agents');
    case 'confirmation_required':
      return t('agents need a confirmation');
    case 'forbidden':
      return t('forbidden for agents');
    default:
      return meetingWord(meeting, t);
  }
}

function toolTooltip(tool: RegisteredTool, mode: Mode, t: Translate): string {
  const { definition } = tool;
  const list = (items: readonly string[]): string => (items.length === 0 ? t('none') : items.map(codeSpan).join(', '));
  const lines = [
    boldMarkdown(shownTitle(definition)),
    proseMarkdown(definition.userDescription),
    t(
      'Risk: {0}; for agents: {1}; for you: {2}',
      riskWord(definition.riskLevel, t),
      meetingWord(callersMeet(tool, mode, 'agent'), t),
      meetingWord(callersMeet(tool, mode, 'user'), t),
    ),
    t('Touches: {0}', list(definition.sideEffects)),
    t('Scopes: {0}', list(definition.scopes)),
    ...judgementLines(definition, t).map((line) => proseMarkdown(line)),
    ...(definition.rateLimit
      ? [t('Limit of calls: {0} in {1} s', definition.rateLimit.requests, definition.rateLimit.windowMs / 1000)]
      : []),
    t('Id: {0}; a model calls it {1}', codeSpan(tool.id), codeSpan(tool.modelName)),
  ];
  return lines.join('\n\n');
}
