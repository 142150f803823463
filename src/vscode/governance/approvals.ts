import * as vscode from 'vscode';
import type { PendingApproval } from '../../core/policy/approvals/approvals';
import { describeApproval } from '../../core/present/approvalText';
import { mayStandTogether } from '../../core/present/together';
import { runCommand } from '../manifest/commands/runCommand';
import { clickedRows, type GovernanceCommand, type GovernanceContext } from './governanceCommand';
import { showInformation } from '../notices';

type Several = Pick<GovernanceContext, 'clock' | 'decisions' | 'questions' | 'queue'>;

/** Lists the calls that wait for an answer; picking one asks again, and several are answered at once. */
export const pendingApprovals: GovernanceCommand<keyof Several> = async (context) => {
  const { queue } = context;
  const pending = queue?.pending() ?? [];
  if (!queue || pending.length === 0) {
    void showInformation(vscode.l10n.t('No call waits for your answer.'));
    return;
  }
  const items = pending.map(itemOf);
  const several = { label: `$(checklist) ${vscode.l10n.t('Answer several at once…')}`, id: '', alwaysShow: true };
  const denyWords = pending.length === 1 ? vscode.l10n.t('Deny it') : vscode.l10n.t('Deny all of them');
  const denyAll = { label: `$(circle-slash) ${denyWords}`, id: '', alwaysShow: true };
  const suggest = {
    label: `$(lightbulb) ${vscode.l10n.t('Suggest rules from the record…')}`,
    id: '',
    alwaysShow: true,
  };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { id: string }>(
    [
      ...items,
      ...(pending.filter(({ request }) => mayStandTogether(request)).length > 1 ? [several] : []),
      denyAll,
      suggest,
    ],
    { title: vscode.l10n.t('Pending approvals'), placeHolder: vscode.l10n.t('Pick a call to answer it') },
  );
  if (!picked) return;
  const ids = items.map((item) => item.id);
  if (picked === denyAll) await queue.answer(ids, { outcome: 'deny' });
  else if (picked === suggest) await runCommand('suggestRules');
  else if (picked === several) await answerSeveral(context);
  else queue.show(picked.id);
};

/** Asks again for the call of the clicked row. */
export const answerApproval: GovernanceCommand<'queue' | 'selection'> = (context, ...args) => {
  for (const row of clickedRows(context, args).slice(0, 1))
    if (row.kind === 'pending') context.queue?.show(row.requestId);
};

/** Denies the calls of the clicked rows. */
export const denyApproval: GovernanceCommand<'queue' | 'selection'> = async (context, ...args) => {
  const ids = clickedRows(context, args).flatMap((row) => (row.kind === 'pending' ? [row.requestId] : []));
  await context.queue?.answer(ids, { outcome: 'deny' });
};

function itemOf({ request, state }: PendingApproval): vscode.QuickPickItem & { id: string } {
  const text = describeApproval(request, vscode.l10n.t);
  return {
    label: text.title,
    description: stateWords()[state],
    detail: text.lines.slice(0, 2).join(' '),
    id: request.id,
  };
}

const stateWords = (): Readonly<Record<PendingApproval['state'], string>> => ({
  queued: vscode.l10n.t('not asked yet'),
  shown: vscode.l10n.t('being asked'),
  parked: vscode.l10n.t('put aside'),
});

/** One list for the calls that may be answered together; the others wait on. */
async function answerSeveral({ questions, clock, decisions, queue }: Several): Promise<void> {
  const { answerAll, decideTogether } = await import('../confirm/togetherQuestion');
  const requests = (queue?.pending() ?? []).map(({ request }) => request).filter(mayStandTogether);
  const answers = await decideTogether(requests, { questions, clock, editors: await decisions() });
  if (!answers) return;
  await answerAll(queue, answers);
  const [alone] = answers.alone;
  if (alone) queue?.show(alone.id);
}
