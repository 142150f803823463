import { worded } from '../../core/base/sentence';
import * as vscode from 'vscode';
import { findPlan, type FoundPlan } from '../../core/agent/planText';
import { isObject, type Json, parsedJson } from '../../core/base/json';
import { visible, visibleLine, visibleText } from '../../core/base/visible';
import { shortName } from '../visible';
import { oneLine } from '../../core/present/approvalWords';
import type { FrozenPlan } from '../../core/policy/plans/frozenPlan';
import { describeCall } from '../../core/policy/plans/plannedCall';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import { showInformation, showWarning } from '../notices';

const mostLines = 18;
const mostColumns = 120;

/**
 * Freezes the plan in the open document, or the one that a program passes, as a list of calls: while it is active, an
 * agent's call that changes something has to be on it. The plan may be approved as a batch, but only where all of it
 * could be shown.
 */
export const freezePlan: GovernanceCommand<'plans' | 'questions' | 'texts'> = async (context, ...args) => {
  const given = isObject(args[0]) || Array.isArray(args[0]) ? findPlan(fenced(args[0] as Json)) : undefined; // reason: commands carry JSON
  const text = vscode.window.activeTextEditor?.document.getText() ?? '';
  const found = given ?? planIn(text);
  if (found?.ok) return askAndFreeze(context, found);
  if (context.plans.active) return manageActive(context, context.plans.active);
  if (found) throw new Error(found.problems.map((problem) => worded(problem.said, vscode.l10n.t)).join('; '));
  const write = vscode.l10n.t('Write a Plan');
  const answer = await showInformation(
    vscode.l10n.t('No plan is open. Ask @capabilities for one with /plan, or write one as JSON, and run this again.'),
    write,
  );
  if (answer === write) await newPlan(context);
  return undefined;
};

/** Opens a plan to start from; it is frozen with Freeze Plan. */
export const newPlan: GovernanceCommand<never> = async () => {
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ language: 'json', content: template }),
  );
};

/** Offers what can be done with the plan that is in force. */
export const managePlan: GovernanceCommand<'plans' | 'questions' | 'texts'> = (context) =>
  context.plans.active ? manageActive(context, context.plans.active) : undefined;

/** Ends the plan that is in force; agents are held to it no longer. */
export const endPlan: GovernanceCommand<'plans' | 'questions'> = async ({ plans, questions }) => {
  const plan = plans.active;
  if (!plan) return;
  const isMeant = await questions.confirms(
    vscode.l10n.t('End the plan "{0}"?', oneLine(plan.title).slice(0, 80)),
    vscode.l10n.t('Agents may then change what the profile and the rules let them, and ask again.'),
    vscode.l10n.t('End Plan'),
  );
  if (isMeant) plans.revoke(plan.hash);
};

/** The plan that a text ends with, in a fence or as the whole text. */
const planIn = (text: string): FoundPlan | undefined => findPlan(text) ?? planOfJson(text);

const template = `{
  "title": "what the plan does",
  "calls": [
    { "tool": "write_file", "arguments": { "path": { "glob": "src/**" }, "content": { "exists": true } }, "count": 1 }
  ]
}
`;

const fenced = (value: Json): string => `\`\`\`json plan\n${JSON.stringify(value)}\n\`\`\``;

/** A document that is itself a plan: `{ "title", "calls" }` or an array of calls. */
function planOfJson(text: string): FoundPlan | undefined {
  const value = parsedJson(text);
  const isPlan = (isObject(value) && Array.isArray(value['calls'])) || (Array.isArray(value) && value.length > 0);
  return isPlan ? findPlan(fenced(value as Json)) : undefined; // reason: it was JSON
}

/**
 * Asks once for the whole plan, so that no call of it asks again, and freezes it. Undefined where the person left.
 */
export async function askAndFreeze(
  { plans, questions }: Pick<GovernanceContext, 'plans' | 'questions'>,
  found: Extract<FoundPlan, { ok: true }>,
): Promise<string | undefined> {
  const lines = found.calls.map((call, index) =>
    visibleText(
      `${index + 1}. ${worded(describeCall(call), vscode.l10n.t)}${call.count > 1 ? ` × ${call.count}` : ''}`,
    ),
  );
  const isWhole =
    lines.length <= mostLines &&
    lines.every(({ text, count }) => count === 0 && text.length <= mostColumns && !/[\r\n]/.test(text));
  const shown = lines.slice(0, mostLines).map(({ text }) => text.replace(/\s+/g, ' ').slice(0, mostColumns));
  if (lines.length > mostLines) shown.push(vscode.l10n.t('… {0} more', lines.length - mostLines));
  const only = vscode.l10n.t('Freeze');
  const all = vscode.l10n.t('Freeze and Approve All Calls');
  const answer = await questions.ask({
    title: vscode.l10n.t('Freeze the plan "{0}"?', visibleLine(found.title).slice(0, 80)),
    detail: [vscode.l10n.t('Until it is ended, agents may change nothing that is not listed here:'), '', ...shown].join(
      '\n',
    ),
    buttons: [...(isWhole ? [{ id: 'approve', label: all } as const] : []), { id: 'freeze', label: only }],
  });
  if (answer === undefined) return undefined;
  const plan = plans.freeze(found.title, found.calls);
  if (answer === 'approve') plans.approve(plan.hash);
  return plan.hash;
}

/** What can be done with the plan that is in force. */
async function manageActive(
  context: Pick<GovernanceContext, 'plans' | 'questions' | 'texts'>,
  plan: FrozenPlan,
): Promise<unknown> {
  const { plans } = context;
  const title = visible(plan.title);
  const show = { label: `$(list-ordered) ${vscode.l10n.t('Show what is left')}` };
  const approve = {
    label: `$(check-all) ${vscode.l10n.t('Approve all calls')}`,
    description: vscode.l10n.t('no further question for what is listed'),
  };
  const end = {
    label: `$(debug-stop) ${vscode.l10n.t('End the plan')}`,
    description: vscode.l10n.t('agents are no longer held to it'),
  };
  const picked = await vscode.window.showQuickPick([show, ...(plan.isApproved ? [] : [approve]), end], {
    title: vscode.l10n.t('The frozen plan "{0}"', title),
  });
  if (picked === show) {
    const left = plans.allowed(plan).map((line) => visible(worded(line, vscode.l10n.t)));
    await context.texts.open(
      'Frozen plan.txt',
      [title, plan.hash, '', ...(left.length > 0 ? left : [vscode.l10n.t('Nothing is left.')])].join('\n'),
    );
  }
  // Approving goes through the same modal as freezing, so that what is approved has been seen.
  if (picked === approve) await approveActive(context, plan);
  if (picked === end) plans.revoke(plan.hash);
  return plan.hash;
}

async function approveActive(context: Pick<GovernanceContext, 'plans' | 'questions'>, plan: FrozenPlan): Promise<void> {
  const lines = context.plans.allowed(plan).map((line) => visibleText(worded(line, vscode.l10n.t)));
  if (lines.length > mostLines || lines.some(({ text, count }) => count > 0 || text.length > mostColumns)) {
    void showWarning(vscode.l10n.t('The plan is too long to be approved as a whole; its calls ask one by one.'));
    return;
  }
  const isMeant = await context.questions.confirms(
    vscode.l10n.t('Approve all calls of "{0}"?', shortName(plan.title)),
    lines.map(({ text }) => text).join('\n'),
    vscode.l10n.t('Approve All Calls'),
  );
  if (isMeant) context.plans.approve(plan.hash);
}
