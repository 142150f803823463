import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { worded } from '../../core/base/sentence';
import { sourceSaid } from '../../core/flow/story';
import { sessionWords } from '../../core/present/flowWords';
import { type FlowLabel, flowLabels } from '../../core/vocabulary/flow';
import type { GovernanceCommand } from './governanceCommand';
import { showInformation } from '../notices';

const longestReason = 300;

type LabelItem = vscode.QuickPickItem & { readonly session: string; readonly cleared: FlowLabel };

/**
 * Takes labels from sessions, and from what they wrote, with a reason that is recorded. It takes no arguments: a person
 * picks and says why.
 */
export const clearLabels: GovernanceCommand<'flow'> = async ({ flow }) => {
  const tracker = await flow.tracker();
  const items = tracker.sessions().flatMap((session) =>
    flowLabels.flatMap((label): LabelItem[] => {
      const sources = session[label];
      if (sources.length === 0) return [];
      const name = label === 'private' ? vscode.l10n.t('private') : vscode.l10n.t('untrusted');
      const read = sources.map((one) => visible(worded(sourceSaid(one), vscode.l10n.t)));
      return [
        {
          label: `$(tag) ${name}`,
          description: visible(sessionWords(session.id, vscode.l10n.t)),
          detail: read.join('; '),
          session: session.id,
          cleared: label,
        },
      ];
    }),
  );
  // One alone is ticked: whoever goes on says why, and an empty choice would close the list without a word.
  if (items.length === 1 && items[0]) items[0].picked = true;
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('No session of an agent has a label.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Clear labels'),
    placeHolder: vscode.l10n.t('Which labels can go? What the session read stays in its context.'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked || picked.length === 0) return;
  const reason = await vscode.window.showInputBox({
    title: vscode.l10n.t('Clear labels'),
    prompt: vscode.l10n.t('Why can they go? The reason is recorded.'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Say why in a few words.') : undefined),
  });
  if (reason === undefined || reason.trim() === '') return;
  for (const { session, cleared } of picked) tracker.clear(session, cleared, reason.slice(0, longestReason));
  void showInformation(
    picked.length === 1
      ? vscode.l10n.t('1 label is cleared. What agents read from now on can set it again.')
      : vscode.l10n.t('{0} labels are cleared. What agents read from now on can set them again.', picked.length),
  );
};
