import { visible } from '../../core/base/visible';
import { withoutIcons } from '../../core/present/words';
import { type Sentence, worded } from '../../core/base/sentence';
import * as vscode from 'vscode';
import { didYouMean } from '../../core/base/nearest';
import { settingId } from '../../core/settings/settingTable';
import { flattenRequires } from '../../core/capability/composed';
import { capabilityAnswer, type FoundCapability } from '../../core/explain/governance';
import { actionSaid, findingSaid, missingSaid, resolutionSaid, verdictSaid } from '../../core/present/findingWords';
import type { Missing } from '../../core/vocabulary/missing';
import type { RequiredAction } from '../../core/vocabulary/resolution';
import { runCommand } from '../manifest/commands/runCommand';
import { clickedRows, type GovernanceCommand, type GovernanceContext } from './governanceCommand';
import { inProgress, showInformation, showWarning } from '../notices';

interface Finding extends vscode.QuickPickItem {
  /** Puts the finding right where a person can; undefined where it only tells. */
  readonly run?: () => Promise<unknown>;
}

/** Resolves a capability: can it run now, what blocks it, and what would make it possible, each with a way to do it. */
export const checkCapability: GovernanceCommand<'questions' | 'registry' | 'resolver' | 'selection' | 'texts'> = async (
  context,
  ...args
) => {
  const id = await chosenId(context, args);
  if (id === undefined) return undefined;
  const found = await resolved(context, id);
  // A program wants the answer; a person also what to do about it.
  if (typeof args[0] !== 'string') await showFindings(context, id);
  return capabilityAnswer(found);
};

/** Probes everything that a capability needs and that is not known to be good. */
export const probeCapability: GovernanceCommand<'questions' | 'registry' | 'resolver' | 'selection' | 'texts'> = async (
  context,
  ...args
) => {
  const id = await chosenId(context, args);
  if (id === undefined) return;
  const { name, resolution } = await resolved(context, id);
  const probes = resolution.actions.filter((one) => one.kind === 'probe');
  if (probes.length === 0) void showInformation(vscode.l10n.t('{0} needs nothing that is to be probed now.', name));
  await Promise.all(probes.map(({ requirement }) => probe(context, requirement)));
};

async function resolved(context: Pick<GovernanceContext, 'resolver'>, id: string): Promise<FoundCapability> {
  const found = await context.resolver.governance.find(id);
  if ('unknown' in found) throw new Error(`there is no capability \`${id}\`${didYouMean(id, found.near)}`);
  return found;
}

async function chosenId(
  context: Pick<GovernanceContext, 'registry' | 'resolver' | 'selection'>,
  args: readonly unknown[],
): Promise<string | undefined> {
  if (typeof args[0] === 'string') return args[0];
  for (const row of clickedRows(context, args)) {
    if (row.kind === 'capability') return row.capability.id;
    if (row.kind === 'composed') return row.capabilityId;
    if (row.kind === 'tool') return row.tool.capability.id;
  }
  const { registry, resolver } = context;
  const ids = [...new Set([...resolver.rows().capabilities.map((one) => one.id), ...registry.capabilityIds()])];
  const items = await Promise.all(
    ids.map(async (id) => {
      const { name, resolution } = await resolved(context, id);
      return { label: inRow(name), description: id, detail: said(resolutionSaid(resolution)), id };
    }),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Check a capability'),
    placeHolder: vscode.l10n.t('Can it run now, and if not, what would make it possible?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.id;
}

/** Shows the verdict again after each action, until the person has seen enough. */
async function showFindings(
  context: Pick<GovernanceContext, 'questions' | 'resolver' | 'texts'>,
  id: string,
): Promise<void> {
  for (;;) {
    const found = await resolved(context, id);
    const picked = await vscode.window.showQuickPick(findings(context, found), {
      title: `${found.name}: ${said(verdictSaid(found.resolution.verdict))}`,
      placeHolder: vscode.l10n.t('Pick an action to carry it out'),
      ignoreFocusOut: true,
    });
    if (!picked?.run) return;
    await picked.run();
  }
}

function findings(
  context: Pick<GovernanceContext, 'questions' | 'resolver' | 'texts'>,
  found: FoundCapability,
): readonly Finding[] {
  const { resolver } = context;
  const items: Finding[] = found.resolution.blocking.map((one) => ({
    label: `$(error) ${said(findingSaid(one))}`,
    ...(one.kind === 'rule' ? { description: said(one.reason) } : {}),
  }));
  for (const action of found.resolution.actions) items.push(actionItem(context, action));
  for (const name of flattenRequires(resolver.governance.capability(found.id)?.requires ?? [])) {
    const { state, requirement } = resolver.resolver.status(name);
    if (state !== 'red' || !requirement?.probe) continue;
    items.push({
      label: `$(refresh) ${vscode.l10n.t('Probe {0} again', inRow(name))}`,
      run: () => probe(context, name),
    });
  }
  for (const one of found.resolution.warnings) items.push({ label: `$(warning) ${said(findingSaid(one))}` });
  for (const one of found.accounts) items.push({ label: `$(account) ${said(one)}` });
  for (const { name, effect, reasons } of found.tools)
    items.push({
      label: `${{ pass: '$(pass)', ask: '$(question)', deny: '$(circle-slash)' }[effect]} ${name}`,
      description: reasons[0] ? said(reasons[0].said) : vscode.l10n.t('may run'),
    });
  return items.length > 0 ? items : [{ label: `$(pass) ${vscode.l10n.t('Nothing stands in the way')}` }];
}

/** Words of a repository in a row: every character visible, and no icon of the editor. */
const inRow = (text: string): string => withoutIcons(visible(text));

/** A sentence in such a row, in the person's language. */
const said = (sentence: Sentence): string => inRow(worded(sentence, vscode.l10n.t));

/** What would have to be done, with a way to do it where there is one. */
function actionItem(
  context: Pick<GovernanceContext, 'questions' | 'resolver' | 'texts'>,
  action: RequiredAction,
): Finding {
  switch (action.kind) {
    case 'set-up': {
      const run = settingUp(action.missing);
      return {
        label: `$(gear) ${said(missingSaid(action.missing))}`,
        description: vscode.l10n.t('to be set up'),
        ...(run ? { run } : {}),
      };
    }
    case 'approval':
      return {
        label: `$(question) ${said(actionSaid(action))}`,
        description: vscode.l10n.t('You are asked when the agent calls it'),
      };
    case 'probe': {
      const id = action.requirement;
      const { requirement, state, detail } = context.resolver.resolver.status(id);
      const where = requirement?.probe ? vscode.l10n.t('probe now') : vscode.l10n.t('nothing says how to probe it');
      return {
        label: `$(refresh) ${vscode.l10n.t('Probe {0}', inRow(id))}`,
        description: `${said(findingSaid({ kind: 'requirement', id, state }))} · ${where}`,
        ...(detail === undefined ? {} : { detail: said(detail) }),
        ...(requirement?.probe ? { run: () => probe(context, id) } : {}),
      };
    }
  }
}

/** Opens what sets up a setting, a secret or a definition; undefined for what a person does elsewhere. */
function settingUp({ kind, name }: Missing): (() => Promise<unknown>) | undefined {
  switch (kind) {
    case 'secret':
      return async () => runCommand('setSecret', name);
    case 'definition':
      return async () => runCommand('validateDefinitions');
    case 'setting':
      return async () => openSetting(name);
    case 'file':
      return async () => openSetting(settingId('database.connections'));
    default:
      return undefined;
  }
}

const openSetting = async (id: string): Promise<unknown> =>
  vscode.commands.executeCommand('workbench.action.openSettings', id);

const mostLines = 18;
const mostColumns = 120;

/**
 * Probes on the person's behalf; a probe that runs a program or sends a secret is shown and approved first, once for
 * its content.
 */
async function probe(context: Pick<GovernanceContext, 'questions' | 'resolver' | 'texts'>, id: string): Promise<void> {
  const { resolver } = context.resolver;
  const { requirement } = resolver.status(id);
  const name = visible(id);
  if (requirement && !resolver.isApproved(requirement)) {
    const lines = visible(JSON.stringify(requirement.probe, null, 2)).split('\n');
    // What does not fit cannot be approved: a person must have seen what runs.
    if (lines.length > mostLines || lines.some((line) => line.length > mostColumns)) {
      await context.texts.open(`Probe ${id}.txt`, lines.join('\n'));
      void showWarning(
        vscode.l10n.t('The probe of {0} is too long to be approved. Shorten it in requirements.json.', name),
      );
      return;
    }
    const isMeant = await context.questions.confirms(
      vscode.l10n.t('Probe {0}?', name),
      vscode.l10n.t('The workspace declares this probe:\n\n{0}', lines.join('\n')),
      vscode.l10n.t('Approve and Probe'),
    );
    if (!isMeant) return;
    await resolver.approveProbe(id);
  }
  const outcome = await inProgress(
    vscode.l10n.t('Probing {0}…', name),
    ({ signal }) => resolver.probe(id, signal, true),
    { cancellable: true },
  );
  if (outcome.outcome === 'not-run')
    void showWarning(vscode.l10n.t('{0} was not probed: {1}', name, worded(outcome.why, vscode.l10n.t)));
  else if (!outcome.isGood)
    void showWarning(vscode.l10n.t('{0} is red: {1}', name, visible(worded(outcome.detail, vscode.l10n.t))));
}
