import * as vscode from 'vscode';
import type { PendingApproval } from '../../core/policy/approvals/approvals';
import { type ApprovalText, describeApproval } from '../../core/present/approvalText';
import type { ModalQuestions } from '../confirm/modalQuestions';
import { runCommand } from '../manifest/commands/runCommand';
import { clickedRows, type GovernanceCommand, type GovernanceContext } from './governanceCommand';

/** Lists the calls that wait for an answer; picking one asks again, and several are answered at once. */
export const pendingApprovals: GovernanceCommand<'questions' | 'queue'> = async (context) => {
  const { queue } = context;
  const pending = queue?.pending() ?? [];
  if (!queue || pending.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No call waits for your answer.'));
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
    [...items, ...(pending.length > 1 ? [several] : []), denyAll, suggest],
    { title: vscode.l10n.t('Pending approvals'), placeHolder: vscode.l10n.t('Pick a call to answer it') },
  );
  if (!picked) return;
  const ids = items.map((item) => item.id);
  if (picked === denyAll) await queue.answer(ids, { outcome: 'deny' });
  else if (picked === suggest) await runCommand('suggestRules');
  else if (picked === several) await answerSeveral(context.questions, queue, pending);
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
    description: stateWords(state),
    detail: text.lines.slice(0, 2).join(' '),
    id: request.id,
  };
}

function stateWords(state: PendingApproval['state']): string {
  switch (state) {
    case 'queued':
      return vscode.l10n.t('not asked yet');
    case 'shown':
      return vscode.l10n.t('being asked');
    case 'parked':
      return vscode.l10n.t('put aside');
  }
}

const linesOfEach = 6;
const mostInBatch = 8;

/**
 * One answer for the calls that the person checks. Calls whose content does not fit, or that need the admin token,
 * cannot be allowed together: a person must have seen what is allowed.
 */
async function answerSeveral(
  questions: ModalQuestions,
  queue: NonNullable<GovernanceContext['queue']>,
  pending: readonly PendingApproval[],
): Promise<void> {
  const items = pending.map((one) => ({ ...itemOf(one), picked: true, request: one.request }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Answer several at once'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!picked || picked.length === 0) return;
  const whole = picked.filter(
    ({ request }) => !request.needsAdmin && isShort(describeApproval(request, vscode.l10n.t)),
  );
  const allowed = whole.slice(0, mostInBatch);
  const left = picked.length - allowed.length;
  const detail = [
    ...allowed.flatMap(({ request }) => {
      const text = describeApproval(request, vscode.l10n.t);
      return [
        text.title,
        ...text.lines
          .slice(2)
          .filter((line) => line !== '')
          .map((line) => `    ${line}`),
        '',
      ];
    }),
    ...(left > 0
      ? [vscode.l10n.t('{0} more have to be answered one by one: they do not fit here or need the admin token.', left)]
      : []),
  ].join('\n');
  const allow = { id: 'allow', label: vscode.l10n.t('Allow {0} Once', allowed.length) } as const;
  const deny = { id: 'deny', label: vscode.l10n.t('Deny {0}', picked.length), isHarmless: true } as const;
  const answer = await questions.ask({
    title: vscode.l10n.t('Answer {0} calls?', picked.length),
    detail,
    buttons: [...(allowed.length > 0 ? [allow] : []), deny],
  });
  if (answer === 'allow')
    await queue.answer(
      allowed.map((one) => one.id),
      { outcome: 'allow-once' },
    );
  if (answer === 'deny')
    await queue.answer(
      picked.map((one) => one.id),
      { outcome: 'deny' },
    );
}

const isShort = (text: ApprovalText): boolean => !text.truncated && text.lines.length <= linesOfEach + 3;
