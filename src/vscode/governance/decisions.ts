import * as vscode from 'vscode';
import type { ConfirmerAnswer } from '../../core/policy/approvals/approvals';
import type { ApprovalRequest } from '../../core/call/gateCall';
import { describeApproval } from '../../core/present/approvalText';
import { answerOf, pickAnswer } from '../confirm/confirmer';
import type { GovernanceCommand } from './governanceCommand';

type Decision = GovernanceCommand<'clock' | 'decisions' | 'queue'>;

/** Allows the call whose editor is in front, once. Called by anybody but its button, it asks by modal. */
export const allowDecision: Decision = (context, ...args) =>
  decide(context, args, () => Promise.resolve({ outcome: 'allow-once' }));

/** Denies it, at once: a no does no harm, and needs no token. */
export const denyDecision: Decision = async ({ decisions: load, queue }, ...args) => {
  const decisions = await load();
  const request = decisions.pressed(args, { isHarmless: true });
  if (!request) return decisions.ask();
  await queue?.answer([request.id], { outcome: 'deny' });
};

/** Allows it for longer; what exactly, the person picks. */
export const allowDecisionForSession: Decision = (context, ...args) =>
  decide(context, args, async (request) => {
    const { lasting, lastingButtons } = describeApproval(request, vscode.l10n.t);
    if (lasting === 'never') return undefined;
    const picked = await pickAnswer(lastingButtons);
    const answer = picked && (await answerOf(picked, request, () => context.clock.now()));
    return answer && { ...answer, hasRead: true };
  });

async function decide(
  { decisions: load, queue }: Parameters<Decision>[0],
  args: readonly unknown[],
  answer: (request: ApprovalRequest) => Promise<ConfirmerAnswer | undefined>,
): Promise<void> {
  const decisions = await load();
  const request = decisions.pressed(args);
  // The admin token is asked for beside the modal.
  if (!request || request.needsAdmin) return decisions.ask();
  const given = await answer(request);
  if (given) await queue?.answer([request.id], given);
}
