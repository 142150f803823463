import * as vscode from 'vscode';
import { callOfRecord, type PastCall } from '../../core/audit/recentCalls';
import { isObject } from '../../core/base/json';
import { parseRecord } from '../../core/audit/record';
import {
  coversCall,
  type DraftDecision,
  draftDecisions,
  draftRule,
  type JudgedCall,
  type RuleTarget,
  ruleTargets,
  type RuleTool,
} from '../../core/policy/rules/ruleDraft';
import { oneLine } from '../../core/present/approvalWords';
import { draftWords } from '../../core/present/ruleDraftWords';
import { settingId } from '../../core/settings/settingTable';
import { runCommand } from '../manifest/commands/runCommand';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import { openFileAt, openSettingsAt } from '../files/openAt';
import { addRule, boundariesFile, removeRule, type RulePlace } from './ruleStore';
import { showInformation } from '../notices';
import { shortTime } from '../times';

interface Choice extends vscode.QuickPickItem {
  readonly decision: DraftDecision;
  readonly target: RuleTarget;
  /** True where the person types the pattern. */
  readonly isOpen?: boolean;
  readonly place: RulePlace;
}

export type { RuleTool };

/** What is written, and where. */
type Draft = Pick<Choice, 'decision' | 'target' | 'place'>;

type Context = Pick<GovernanceContext, 'clock' | 'ownRules' | 'policy' | 'recent' | 'writeText'>;

/**
 * Makes a rule from a call: of the audit, one of this window by its id, or one that the person picks. One list holds
 * every rule that makes sense, so that one click decides what, about what and where.
 */
export const turnIntoRule: GovernanceCommand<'clock' | 'ownRules' | 'policy' | 'recent' | 'writeText'> = async (
  context,
  ...args
) => {
  const call = await calledOf(context, args[0]);
  if (!call) return undefined;
  const judged: JudgedCall = { ...call, outcome: call.outcome === 'denied' ? 'denied' : 'ran' };
  const picked = await vscode.window.showQuickPick(choicesOf(judged), {
    title: vscode.l10n.t('A rule from this call of {0}', oneLine(call.toolName)),
    placeHolder: vscode.l10n.t('What shall hold for agents from now on?'),
    matchOnDescription: true,
    // The page that says why opens with the offer of this, and may take the focus a moment later.
    ignoreFocusOut: true,
  });
  if (!picked || !('decision' in picked)) return undefined;
  const target = picked.isOpen ? await typedTarget(picked, judged) : picked.target;
  // A question would not let it through: denials come before questions.
  const isDeniedStill = picked.decision === 'ask' && call.code === 'denied_by_policy';
  return target && writeRule(context, judged, { ...picked, target }, { isNew: false, isDeniedStill });
};

async function calledOf(context: Context, given: unknown): Promise<PastCall | undefined> {
  if (typeof given === 'string') {
    const known = context.recent.find(given);
    if (!known) throw new Error(vscode.l10n.t('That call is no longer known in this window; find it in the audit.'));
    return known;
  }
  // The audit hands over a record; whatever else it may be is read like a line of the log.
  const record = isObject(given) ? parseRecord(JSON.stringify(given)) : undefined;
  const call = record && callOfRecord(record);
  return call ?? pickCall(context);
}

async function pickCall({ recent }: Pick<GovernanceContext, 'recent'>): Promise<PastCall | undefined> {
  const words = {
    denied: vscode.l10n.t('denied'),
    failed: vscode.l10n.t('failed'),
    ran: vscode.l10n.t('ran'),
  };
  const declined = vscode.l10n.t('declined by you');
  const icons = { denied: 'circle-slash', failed: 'error', ran: 'pass' };
  const items = recent.list().map((call) => ({
    label: `$(${icons[call.outcome]}) ${oneLine(call.toolName)}`,
    description: [
      call.code === 'declined' ? declined : words[call.outcome],
      ...call.accesses.slice(0, 2).map((one) => oneLine(one.resource)),
    ].join(' · '),
    detail: shortTime(call.time),
    call,
  }));
  if (items.length === 0) {
    const write = vscode.l10n.t('New Rule…');
    const audit = vscode.l10n.t('Open Audit View');
    void showInformation(
      vscode.l10n.t('No agent called a tool in this window yet; the audit holds earlier calls.'),
      write,
      audit,
    ).then((chosen) => {
      if (chosen === write) return runCommand('newRule');
      return chosen === audit ? runCommand('openAuditView') : undefined;
    });
    return undefined;
  }
  const without = { label: `$(add) ${vscode.l10n.t('New Rule…')}`, description: vscode.l10n.t('without a call') };
  const choices: readonly (vscode.QuickPickItem & { readonly call?: PastCall })[] = [...items, without];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Turn a call into a rule'),
    placeHolder: vscode.l10n.t('Which call? The newest is first.'),
    matchOnDescription: true,
  });
  if (picked === without) await runCommand('newRule');
  return picked?.call;
}

function choicesOf(call: JudgedCall): readonly (Choice | vscode.QuickPickItem)[] {
  const folder = folderOf(call);
  const targets = ruleTargets(call);
  return placesOfRules(folder).flatMap(({ place, label, whose }) => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...draftDecisions(call).flatMap((decision) =>
      targets.map((target) => choiceOf(call, { place, whose }, decision, target)),
    ),
  ]);
}

/** Where a rule can be written, and for whom it holds there. */
interface PlaceOfRules {
  readonly place: RulePlace;
  readonly label: string;
  readonly whose: string;
}

export function placesOfRules(folder: vscode.Uri | undefined): readonly PlaceOfRules[] {
  const own = {
    place: { type: 'user' },
    label: vscode.l10n.t('your settings'),
    whose: vscode.l10n.t('for you'),
  } as const;
  if (!folder) return [own];
  const place = { type: 'workspace', folder } as const;
  return [{ place, label: 'boundaries.json', whose: vscode.l10n.t('for this workspace') }, own];
}

function choiceOf(
  call: JudgedCall,
  { place, whose: where }: Omit<PlaceOfRules, 'label'>,
  decision: DraftDecision,
  target: RuleTarget,
): Choice {
  const isOpen = target.type === 'pattern';
  const label = draftWords(decision, target, call.toolName, vscode.l10n.t);
  return {
    label: `$(${decision === 'deny' ? 'circle-slash' : 'question'}) ${isOpen ? `${label}…` : label}`,
    description: isOpen ? vscode.l10n.t('{0}, a pattern that you can change', where) : where,
    decision,
    target,
    place,
    ...(isOpen ? { isOpen } : {}),
  };
}

/** The folder that the call is about, where several are open; the first one for what names none. */
function folderOf(call: JudgedCall): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const names = call.accesses.map(({ resource }) => resource.split('/')[0]);
  return (folders.find(({ name }) => folders.length > 1 && names.includes(name)) ?? folders[0])?.uri;
}

async function typedTarget({ target }: Choice, call: JudgedCall): Promise<RuleTarget | undefined> {
  if (target.type !== 'pattern') return target;
  const pattern = await vscode.window.showInputBox({
    title: vscode.l10n.t('Which paths? ** stands for any folders'),
    value: target.pattern,
    validateInput: (text) =>
      coversCall(text.trim(), call) ? undefined : vscode.l10n.t('It does not cover the call that you started from.'),
  });
  return pattern === undefined ? undefined : { ...target, pattern: pattern.trim() };
}

/** Writes a rule about calls of a tool, or about what any tool touches, and offers to take it back. */
export async function writeRule(
  context: Context,
  call: RuleTool,
  { decision, target, place }: Draft,
  { isNew, isDeniedStill } = { isNew: true, isDeniedStill: false },
): Promise<string> {
  const taken = new Set(context.policy.rules().map(({ boundary }) => boundary.id));
  const day = new Date(context.clock.now()).toISOString().slice(0, 10);
  const rule = draftRule(call, decision, target, { taken, day, isNew });
  await addRule(context, place, rule);
  // Not awaited: the command is over, and the offer stays as long as the person likes.
  const words = draftWords(decision, target, call.toolName, vscode.l10n.t);
  void offerUndo(context, rule.id, place, words, isDeniedStill);
  return rule.id;
}

async function offerUndo(
  context: Context,
  id: string,
  place: RulePlace,
  words: string,
  isDeniedStill: boolean,
): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const edit = vscode.l10n.t('Edit');
  const where = place.type === 'user' ? settingId('policy.boundaries') : 'boundaries.json';
  const picked = await showInformation(
    isDeniedStill
      ? vscode.l10n.t(
          'Written: {0}. It is the rule "{1}" in {2}. What another rule denies stays denied, as this call is.',
          words,
          id,
          where,
        )
      : vscode.l10n.t('Holds from now on: {0}. It is the rule "{1}" in {2}.', words, id, where),
    undo,
    edit,
  );
  if (picked === edit) {
    if (place.type === 'user') await openSettingsAt('user', id, 'policy.boundaries');
    else await openFileAt(boundariesFile(place.folder), id);
  }
  if (picked !== undo) return;
  const wasThere = await removeRule(context, place, id);
  void showInformation(
    wasThere
      ? vscode.l10n.t('The rule "{0}" is gone again.', id)
      : vscode.l10n.t('The rule "{0}" was gone already.', id),
  );
}
