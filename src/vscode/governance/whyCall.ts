import * as vscode from 'vscode';
import type { PastCall } from '../../core/audit/recentCalls';
import { endsOfCalls, type AuditRecord, stepsOf } from '../../core/audit/record';
import type { Json } from '../../core/base/json';
import type { Access } from '../../core/vocabulary/access';
import { explanationText } from '../../core/explain/explain';
import { oneLine } from '../../core/present/approvalWords';
import { explainMarkdown } from '../../core/present/recordText';
import { localTime } from '../times';
import { runCommand } from '../manifest/commands/runCommand';
import { preview } from '../files/readOnlyText';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import { showInformation } from '../notices';

const page = 'Explanation.md';

type Context = Pick<GovernanceContext, 'asked' | 'audit' | 'recent' | 'registry' | 'resolver' | 'texts'>;

/**
 * Explains why a call came to nothing: the one that a line of the chat leads to, else the last one of this window that
 * was denied or failed; and offers the rule that follows from it.
 */
export const whyCall: GovernanceCommand<'asked' | 'audit' | 'recent' | 'registry' | 'resolver' | 'texts'> = async (
  context,
  ...args
) => {
  const asked = typeof args[0] === 'number' ? context.asked.find(args[0]) : undefined;
  if (asked) {
    const { governance } = context.resolver;
    // reason: the editor carries the arguments of tools as JSON
    const explanation = await governance.why(asked.tool, asked.input as Json, vscode.l10n.t);
    const id = context.registry.tool(asked.tool)?.id;
    const past = context.recent.list().find((one) => one.tool === id && touchesSame(one, explanation.accesses));
    // What happened says more than what would happen now.
    const record = past && past.outcome !== 'ran' ? await recordOf(context, past) : undefined;
    const text = record
      ? explainMarkdown(record, localTime, vscode.l10n.t)
      : explanationText(explanation, vscode.l10n.t);
    await preview(context.texts, page, text);
    return offerRule(past, record);
  }
  const call = context.recent.list().find(({ outcome }) => outcome !== 'ran');
  if (!call) {
    void showInformation(vscode.l10n.t('No call was denied or failed in this window.'));
    return undefined;
  }
  const record = await recordOf(context, call);
  if (record) await preview(context.texts, page, explainMarkdown(record, localTime, vscode.l10n.t));
  return offerRule(call, record);
};

type Touched = readonly Pick<Access, 'effect' | 'resource'>[];

function touchesSame(call: PastCall, accesses: Touched): boolean {
  const key = (some: Touched): string => JSON.stringify(some.map(({ effect, resource }) => [effect, resource]));
  return key(call.accesses) === key(accesses);
}

async function recordOf({ audit }: Context, { invocationId }: PastCall): Promise<AuditRecord | undefined> {
  const { found } = await audit.page({ event: endsOfCalls }, { limit: 200 });
  return found.map(({ record }) => record).find((record) => record['gen_ai.tool.call.id'] === invocationId);
}

/** Not awaited: the explanation is there, and the offer stays beside it. What a rule denied needs no other to hold. */
function offerRule(call: PastCall | undefined, record: AuditRecord | undefined): undefined {
  if (!call || call.outcome !== 'denied') return;
  const turn = vscode.l10n.t('Turn into a Rule…');
  const show = vscode.l10n.t('Why This Rule?');
  const rule = call.code === 'denied_by_policy' ? record && denyingRule(record) : undefined;
  const name = oneLine(call.toolName);
  const words =
    call.code === 'declined'
      ? vscode.l10n.t('You declined {0}. Shall that hold for the next calls too?', name)
      : call.code === 'approval_timeout'
        ? vscode.l10n.t('Nobody answered whether {0} may run. Shall a rule answer the next calls?', name)
        : rule === undefined
          ? vscode.l10n.t('{0} was denied. Shall that hold for the next calls too?', name)
          : vscode.l10n.t('{0} was denied by the rule "{1}", which holds for the next calls too.', name, oneLine(rule));
  void showInformation(words, ...(rule === undefined ? [] : [show]), turn).then((picked) => {
    if (picked === show && rule !== undefined) return runCommand('showRule', rule);
    return picked === turn ? runCommand('turnIntoRule', call.invocationId) : undefined;
  });
}

function denyingRule(record: AuditRecord): string | undefined {
  const denied = stepsOf(record).find(({ effect }) => effect === 'deny');
  return denied?.reasons?.find(({ rule }) => rule !== undefined)?.rule;
}
