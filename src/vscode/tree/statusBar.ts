import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Event } from '../../core/base/event';
import type { FlowLabel } from '../../core/vocabulary/flow';
import type { ReaderStatus } from '../../core/policy/approvals/readerApprovals';
import type { ResolvedProfile } from '../../core/profiles/profile';
import { visibleText } from '../../core/base/visible';
import { plainMarkdown, proseMarkdown } from '../../core/present/words';
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
    const { profile, mode } = shown.profile();
    const waiting = shown.pendingApprovals();
    const name = visibleText(profile.name).text.replace(/\$\(/g, '$ (');
    const plan = shown.plan();
    const frozen = plan ? ` · $(lock) ${vscode.l10n.t('plan, {0} left', plan.left)}` : '';
    const red = shown.unprotected();
    const open = red.length > 0 ? ` · $(error) ${red.length}` : '';
    const reader = shown.reader();
    const read = reader ? ` · $(eye) ${reader.yes}` : '';
    const labels = shown
      .labels()
      .map((one) => (one === 'private' ? vscode.l10n.t('private') : vscode.l10n.t('untrusted')));
    const labelled = labels.length > 0 ? ` · $(tag) ${labels.join(' + ')}` : '';
    item.text = `$(shield) ${name} · ${mode}${frozen}${read}${open}${waiting > 0 ? ` · $(bell-dot) ${waiting}` : ''}${labelled}`;
    item.backgroundColor =
      waiting + red.length > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.command = commandId(waiting > 0 ? 'pendingApprovals' : 'switchProfile');
    const calls =
      waiting === 1
        ? vscode.l10n.t('1 call waits for your answer')
        : vscode.l10n.t('{0} calls wait for your answer', waiting);
    const about = [profile.name, ...(profile.description === '' ? [] : [profile.description])].map((text) =>
      proseMarkdown(visibleText(text).text),
    );
    const click = waiting > 0 ? calls : vscode.l10n.t('Switch the profile of agents');
    const chat = vscode.l10n.t(
      'Chats with the agent *Agent Capabilities* follow it; plain *Agent* also has tools that pass it by.',
    );
    const links = [
      `[${vscode.l10n.t('Use It in the Chat')}](command:${commandId('openChatWithProfile')})`,
      `[${vscode.l10n.t('Use It for New Chats')}](command:${commandId('useAgentForNewChats')})`,
      `[${vscode.l10n.t('What Is the Difference?')}](command:${commandId('comparePlainAgent')})`,
    ];
    const held = plan
      ? vscode.l10n.t(
          'Agents are held to the frozen plan {0}. Calls left: {1}.',
          plainMarkdown(visibleText(plan.title).text),
          plan.left,
        )
      : '';
    const readBy = reader
      ? vscode.l10n.t(
          'The second reader {0} answers in this window. Calls allowed: {1}; questions left this hour: {2}.',
          plainMarkdown(visibleText(reader.model).text),
          reader.yes,
          reader.left,
        )
      : '';
    const unprotected = red.map(
      (words) =>
        `${proseMarkdown(words)} · [${vscode.l10n.t('Check Protection')}](command:${commandId('checkProtection')})`,
    );
    item.tooltip = new vscode.MarkdownString(
      [
        about.join(': '),
        ...(held ? [held] : []),
        ...(readBy ? [readBy] : []),
        ...unprotected,
        ...(labels.length > 0
          ? [
              `${vscode.l10n.t('What agents read so far makes their sessions {0}.', labels.join(' + '))} [${vscode.l10n.t('Clear Labels…')}](command:${commandId('clearLabels')})`,
            ]
          : []),
        click,
        chat,
        links.join(' · '),
      ].join('\n\n'),
    );
    const linked = [
      'openChatWithProfile',
      'useAgentForNewChats',
      'comparePlainAgent',
      'checkProtection',
      'clearLabels',
    ] as const;
    item.tooltip.isTrusted = { enabledCommands: linked.map((id) => commandId(id)) };
    const label = vscode.l10n.t('Agent profile {0}, mode {1}', visibleText(profile.name).text, mode);
    const facts = [
      label,
      ...(plan ? [vscode.l10n.t('frozen plan, {0} left', plan.left)] : []),
      ...red,
      ...(labels.length > 0 ? [vscode.l10n.t('labels {0}', labels.join(' + '))] : []),
      ...(reader ? [vscode.l10n.t('second reader, calls allowed: {0}', reader.yes)] : []),
      ...(waiting > 0 ? [calls] : []),
    ];
    item.accessibilityInformation = { label: facts.join(', '), role: 'button' };
  };
  for (const change of shown.changes) store.add(change(refresh));
  refresh();
  item.show();
  return store;
}
