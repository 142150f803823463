import * as vscode from 'vscode';
import type { PastCall } from '../../core/audit/recentCalls';
import type { CallUndo } from '../../core/changes/undo';
import { oneLine } from '../../core/present/approvalWords';
import { failureWords } from '../../core/present/chatWords';
import { viewIds } from '../manifest/commands/viewIds';
import { showInformation } from '../notices';

/** Why nothing of a call is there to be taken back, or made again. */
export function nothingOf(past: PastCall | undefined, { takenBack }: CallUndo): string {
  if (takenBack > 0) return vscode.l10n.t('What this call changed was taken back already.');
  if (past?.outcome === 'denied')
    return past.code === 'declined'
      ? vscode.l10n.t('You declined this call: nothing was changed.')
      : vscode.l10n.t('This call was denied: nothing was changed.');
  return vscode.l10n.t('This call changed nothing that can be taken back.');
}

/** What became of a call that a line of the chat said would be asked about first. */
export function outcomeOf(past: PastCall | undefined, undo: CallUndo): string {
  const { standing, takenBack } = undo;
  if (!past && standing + takenBack === 0)
    return vscode.l10n.t('This call has not ended, or many came after it. The audit view has every call that ended.');
  if (past?.outcome === 'failed') {
    const why = failureWords(past, vscode.l10n.t);
    return vscode.l10n.t('{0} did not succeed: {1}.', oneLine(past.toolName), why);
  }
  if (standing === 0) return nothingOf(past, undo);
  return standing === 1
    ? vscode.l10n.t('This call ran and made 1 change.')
    : vscode.l10n.t('This call ran and made {0} changes.', standing);
}

/** Said where a link stands in a chat that is older than this window. */
export function tellNotKnown(): void {
  const open = vscode.l10n.t('Open Changes by Agents');
  void showInformation(vscode.l10n.t('That call is no longer known in this window.'), open).then(
    (picked) => picked === open && vscode.commands.executeCommand(`${viewIds.changes}.focus`),
  );
}
