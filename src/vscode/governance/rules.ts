import * as vscode from 'vscode';
import { namedFile } from '../files/namedFile';
import type { AuditRecord } from '../../core/audit/record';
import { defined } from '../../core/base/json';
import { type Sentence, worded } from '../../core/base/sentence';
import { oneLine } from '../../core/present/approvalWords';
import { reasonWords } from '../../core/vocabulary/reasonWords';
import { clauseLines, effectWords, originWords } from '../../core/present/ruleRows';
import { codeSpan, plainMarkdown, proseMarkdown } from '../../core/present/words';
import { settingId } from '../../core/settings/settingTable';
import type { Boundary } from '../../core/vocabulary/boundary';
import { reasonSaid, ruleWords } from '../../core/vocabulary/ruleWords';
import { clickedRows, type GovernanceCommand, type GovernanceContext } from './governanceCommand';
import { preview } from '../files/readOnlyText';
import { openFileAt, openSettingsAt } from '../files/openAt';
import { showWarning } from '../notices';
import { localTime } from '../times';
import { isPresetId } from '../../core/policy/rules/presets';

/** Opens the place where the clicked rule stands: its file, the settings, or the setting that brings it. */
export const editRule: GovernanceCommand<'selection'> = async (context, ...args) => {
  const rule = clickedRule(context, args);
  if (!rule) return;
  const { scope, file, id, line } = rule;
  if (file !== undefined) return openFileAt(namedFile(file), id, line);
  if (scope === 'user') return openSettingsAt('user', id, 'policy.boundaries');
  const key = scope === 'workspace' ? 'policy.boundaries' : isPresetId(id) ? 'policy.preset' : undefined;
  await vscode.commands.executeCommand(
    scope === 'workspace' ? 'workbench.action.openWorkspaceSettings' : 'workbench.action.openSettings',
    settingId(key ?? 'policy.adminApproval'),
  );
};

/**
 * Copies the clicked rule as it may stand in a list of rules; one that was not understood whole would say less there.
 */
export const copyRule: GovernanceCommand<'selection'> = async (context, ...args) => {
  const rule = clickedRule(context, args);
  if (!rule) return;
  const name = oneLine(rule.id);
  if ((rule.faults ?? []).length > 0 || rule.withheld) {
    void showWarning(
      vscode.l10n.t('The rule "{0}" could not be read whole, so it is not copied; open it instead.', name),
    );
    return;
  }
  await vscode.env.clipboard.writeText(JSON.stringify(ruleJson(rule), undefined, 2));
  void vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the rule {0}', name), 5000);
};

function ruleJson({ id, severity, match, exceptions, decision, account, reason, steer }: Boundary): object {
  const words = (text: string | Sentence): string => (typeof text === 'string' ? text : worded(text));
  return defined({
    id,
    severity: severity === 'soft' ? severity : undefined,
    match,
    exceptions: exceptions.length > 0 ? exceptions : undefined,
    decision,
    account,
    reason: words(reason),
    steer: steer === undefined ? undefined : words(steer),
  });
}

/** Shows what a rule, clicked or named, says in full, where it comes from, and which calls it decided. */
export const showRule: GovernanceCommand<
  'audit' | 'policy' | 'profile' | 'recent' | 'selection' | 'settings' | 'texts'
> = async (context, ...args) => {
  const rule = typeof args[0] === 'string' ? namedRule(context, args[0]) : clickedRule(context, args);
  if (!rule) return;
  const { found } = await context.audit.page({ rule: [rule.id] }, { limit: mostCalls });
  const text = rulePage(
    rule,
    originWords(rule, { preset: context.settings().get('policy.preset'), fileName }, vscode.l10n.t),
    found.map(({ record }) => record).filter(({ tool }) => tool !== undefined),
  );
  await preview(context.texts, 'Rule.md', text);
};

const mostCalls = 40;
const mostReasons = 400;
const mostClauses = 1000;

function namedRule({ policy, profile }: Pick<GovernanceContext, 'policy' | 'profile'>, id: string): Boundary {
  const found = policy.rules(profile()).find(({ boundary }) => boundary.id === id);
  if (!found) throw new Error(vscode.l10n.t('There is no rule "{0}" any more.', oneLine(id)));
  return found.boundary;
}

function clickedRule(context: Pick<GovernanceContext, 'selection'>, args: readonly unknown[]): Boundary | undefined {
  const [row] = clickedRows(context, args);
  return row?.kind === 'rule' ? row.rule : undefined;
}

function rulePage(rule: Boundary, origin: string, records: readonly AuditRecord[]): string {
  const { t } = vscode.l10n;
  const words = ruleWords(rule);
  const reasons = rule.withheld ? [] : (rule.reasons ?? []);
  // Paths with reasons of their own stand beside these, below.
  const { path: _paths, ...others } = rule.match;
  const about = clauseLines(reasons.length > 0 ? { ...rule, match: others } : rule, mostClauses);
  return [
    `# ${codeSpan(oneLine(rule.id))} ${plainMarkdown(effectWords(rule, t))}`,
    '',
    proseMarkdown(reasonWords(words.reason, t)),
    '',
    ...(words.steer ? [t('Allowed instead: {0}', proseMarkdown(reasonWords(words.steer, t))), ''] : []),
    t('From: {0}', plainMarkdown(origin)),
    '',
    ...(rule.faults ?? []).map((fault) => `- ⚠ ${proseMarkdown(worded(fault.said, t))}`),
    `## ${t('Calls that it decided')}`,
    '',
    ...(records.length === 0 ? [t('None in the record.')] : records.map(callLine)),
    '',
    `## ${t('What it is about')}`,
    '',
    ...(about.length === 0 ? [t('every call')] : about.map((line) => `- ${line}`)),
    '',
    ...(reasons.length === 0
      ? []
      : [
          `## ${t('Its reasons, path by path')}`,
          '',
          ...reasons
            .slice(0, mostReasons)
            .map(
              ({ path, reason }) =>
                `- ${proseMarkdown(reasonWords(reasonSaid(reason), t))}: ${path.map((one) => codeSpan(one)).join(', ')}`,
            ),
          '',
        ]),
  ].join('\n');
}

function callLine(record: AuditRecord): string {
  const touched = (record.accesses ?? []).slice(0, 3).map(({ resource }) => codeSpan(oneLine(resource)));
  const when = localTime(record.time);
  const outcome = record.outcome === undefined ? '' : ` · ${plainMarkdown(outcomeWords(record.outcome))}`;
  return `- ${when} ${codeSpan(oneLine(record['gen_ai.tool.name'] ?? record.tool ?? ''))} ${touched.join(' ')}${outcome}`;
}

function outcomeWords(outcome: NonNullable<AuditRecord['outcome']>): string {
  if (outcome === 'success') return vscode.l10n.t('ran');
  if (outcome === 'denied') return vscode.l10n.t('denied');
  return outcome === 'allowed' ? vscode.l10n.t('allowed') : vscode.l10n.t('failed');
}

/** A file of rules as it is called in this window. */
const fileName = (file: string): string => vscode.workspace.asRelativePath(namedFile(file));
