import * as vscode from 'vscode';
import { describeApproval } from '../../core/policy/approvalText';
import type { CommandHandler } from './context';

/** Lists the calls that wait for an answer; picking one asks again, checking several answers them all at once. */
export const pendingApprovals: CommandHandler = async (context) => {
  const { queue } = context;
  const pending = queue?.pending() ?? [];
  if (!queue || pending.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No call waits for your answer.'));
    return;
  }
  const items = pending.map(({ request, state }) => {
    const text = describeApproval(request);
    return { label: text.title, description: state, detail: text.detail.split('\n').slice(0, 2).join(' '), id: request.id };
  });
  const denyAll = { label: `$(circle-slash) ${vscode.l10n.t('Deny all of them')}`, id: '' };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { id: string }>([...items, denyAll], {
    title: vscode.l10n.t('Pending approvals'),
    placeHolder: vscode.l10n.t('Pick a call to answer it'),
  });
  if (!picked) return;
  if (picked.id === '')
    await queue.answer(
      items.map((item) => item.id),
      { outcome: 'deny' },
    );
  else queue.show(picked.id);
};
