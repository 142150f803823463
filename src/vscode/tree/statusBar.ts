import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Event } from '../../core/base/event';
import type { FlowLabel } from '../../core/vocabulary/flow';
import { profileWords } from '../../core/profiles/shippedProfiles';
import type { ReaderStatus } from '../../core/policy/approvals/readerApprovals';
import type { ResolvedProfile } from '../../core/profiles/profile';
import { plainMarkdown, proseMarkdown, withoutIcons } from '../../core/present/words';
import type { ListedAgent } from '../agent/agentFileKeeper';
import { newChatsBeginWith, newChatsSetting } from '../agent/newChats';
import { commandId } from '../manifest/commands/commandId';

interface ShownStatus {
  profile(): ResolvedProfile;
  /** The number of calls that wait for an answer. */
  pendingApprovals(): number;
  /** The frozen plan that is in force, by its title and how many of its calls have not run. */
  plan(): { readonly title: string; readonly left: number } | undefined;
  /** Each agent whose hook does not hold, in words. */
  unprotected(): readonly string[];
  /** The second reader while it is on: how many calls it let through, and how many questions are left this hour. */
  reader(): ReaderStatus | undefined;
  /** The labels that the sessions of agents have together. */
  labels(): readonly FlowLabel[];
  /** The agent of the chat that follows the profile. */
  agent(): ListedAgent | undefined;
  readonly changes: readonly Event<void>[];
}

/**
 * `$(shield) Reviewer · plan`: the profile and mode that hold now; a click switches. Warns while approvals are waiting.
 */
export function showStatus(shown: ShownStatus): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('agentCapabilities.profile', vscode.StatusBarAlignment.Left, 10),
  );
  item.name = vscode.l10n.t('Agent profile');
  const refresh = (): void => {
    const now = statusNow(shown);
    const warns = now.waiting + now.red.length > 0;
    item.text = lineOf(now);
    item.backgroundColor = warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.command = commandId(now.waiting > 0 ? 'pendingApprovals' : 'switchProfile');
    item.tooltip = tooltipOf(now);
    item.accessibilityInformation = { label: spokenOf(now), role: 'button' };
  };
  for (const change of shown.changes) store.add(change(refresh));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(newChatsSetting) && refresh()),
  );
  refresh();
  item.show();
  return store;
}

/** What the item says now, asked once for its text, its tooltip and its spoken label. */
function statusNow(shown: ShownStatus) {
  const { profile, mode } = shown.profile();
  const waiting = shown.pendingApprovals();
  return {
    profile: profileWords(profile, vscode.l10n.t),
    mode,
    waiting,
    calls:
      waiting === 1
        ? vscode.l10n.t('1 call waits for your answer')
        : vscode.l10n.t('{0} calls wait for your answer', waiting),
    hasNewChats: newChatsBeginWith(shown.agent()),
    plan: shown.plan(),
    red: shown.unprotected(),
    reader: shown.reader(),
    labels: shown
      .labels()
      .map((one) => (one === 'private' ? vscode.l10n.t('private') : vscode.l10n.t('untrusted')))
      .join(' + '),
  };
}

type StatusNow = ReturnType<typeof statusNow>;

function lineOf({ profile, mode, plan, reader, red, waiting, labels }: StatusNow): string {
  return [
    `$(shield) ${withoutIcons(visible(profile.name))}`,
    mode,
    ...(plan ? [`$(lock) ${vscode.l10n.t('plan, {0} left', plan.left)}`] : []),
    ...(reader ? [reader.isMissing ? '$(eye-closed)' : `$(eye) ${reader.yes}`] : []),
    ...(red.length > 0 ? [`$(error) ${red.length}`] : []),
    ...(waiting > 0 ? [`$(bell-dot) ${waiting}`] : []),
    ...(labels ? [`$(tag) ${labels}`] : []),
  ].join(' · ');
}

/** The commands that a click in the tooltip may run. */
const linked = [
  'openChatWithProfile',
  'useAgentForNewChats',
  'comparePlainAgent',
  'checkProtection',
  'clearLabels',
] as const;

const link = (text: string, command: (typeof linked)[number]): string => `[${text}](command:${commandId(command)})`;

function tooltipOf({
  profile,
  plan,
  reader,
  red,
  labels,
  waiting,
  calls,
  hasNewChats,
}: StatusNow): vscode.MarkdownString {
  const about = [profile.name, ...(profile.description === '' ? [] : [profile.description])];
  const lines = [
    about.map((text) => proseMarkdown(text)).join(': '),
    ...(plan
      ? [
          vscode.l10n.t(
            'Agents are held to the frozen plan {0}. Calls left: {1}.',
            plainMarkdown(plan.title),
            plan.left,
          ),
        ]
      : []),
    ...(reader
      ? [
          reader.isMissing
            ? vscode.l10n.t(
                'There is no second reader {0}: no language model has this name.',
                plainMarkdown(reader.model),
              )
            : vscode.l10n.t(
                'The second reader {0} answers in this window. Calls allowed: {1}; questions left this hour: {2}.',
                plainMarkdown(reader.model),
                reader.yes,
                reader.left,
              ),
        ]
      : []),
    ...red.map((words) => `${proseMarkdown(words)} · ${link(vscode.l10n.t('Check Protection'), 'checkProtection')}`),
    ...(labels
      ? [
          `${vscode.l10n.t('What agents read so far makes their sessions {0}.', labels)} ${link(vscode.l10n.t('Clear Labels…'), 'clearLabels')}`,
        ]
      : []),
    waiting > 0 ? calls : vscode.l10n.t('Switch the profile of agents'),
    vscode.l10n.t('Chats with the agent *Agent Capabilities* follow it; plain *Agent* also has tools that pass it by.'),
    [
      link(vscode.l10n.t('Use It in the Chat'), 'openChatWithProfile'),
      hasNewChats
        ? vscode.l10n.t('New chats begin with it')
        : link(vscode.l10n.t('Use It for New Chats'), 'useAgentForNewChats'),
      link(vscode.l10n.t('What Is the Difference?'), 'comparePlainAgent'),
    ].join(' · '),
  ];
  const tooltip = new vscode.MarkdownString(lines.join('\n\n'));
  tooltip.isTrusted = { enabledCommands: linked.map((id) => commandId(id)) };
  return tooltip;
}

function spokenOf({ profile, mode, plan, red, labels, reader, waiting, calls }: StatusNow): string {
  return [
    vscode.l10n.t('Agent profile {0}, mode {1}', visible(profile.name), mode),
    ...(plan ? [vscode.l10n.t('frozen plan, {0} left', plan.left)] : []),
    ...red,
    ...(labels ? [vscode.l10n.t('labels {0}', labels)] : []),
    ...(reader
      ? [
          reader.isMissing
            ? vscode.l10n.t('no second reader')
            : vscode.l10n.t('second reader, calls allowed: {0}', reader.yes),
        ]
      : []),
    ...(waiting > 0 ? [calls] : []),
  ].join(', ');
}
