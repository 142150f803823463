import { withoutIcons } from '../../core/present/words';
import { worded } from '../../core/base/sentence';
import { reasonSaid } from '../../core/vocabulary/ruleWords';
import * as vscode from 'vscode';
import { didYouMean } from '../../core/base/nearest';
import { visible } from '../visible';
import { settingId } from '../../core/settings/settingTable';
import { flattenRequires } from '../../core/capability/composed';
import type { CapabilityAnswer } from '../../core/ports/governance';
import { verdictLine } from '../../core/present/governanceRows';
import { runCommand } from '../manifest/commands/runCommand';
import { clickedRows, type GovernanceCommand, type GovernanceContext } from './governanceCommand';
import { inProgress, showInformation, showWarning } from '../notices';

interface Finding extends vscode.QuickPickItem {
  /** Puts the finding right where a person can; undefined where it only tells. */
  readonly run?: () => Promise<unknown>;
}

/** Resolves a capability: can it run now, what blocks it, and what would make it possible, each with a way to do it. */
export const checkCapability: GovernanceCommand<
  'policy' | 'questions' | 'registry' | 'resolver' | 'selection' | 'texts'
> = async (context, ...args) => {
  const id = await chosenId(context, args);
  if (id === undefined) return undefined;
  const answer = await resolved(context, id);
  // A program wants the answer; a person also what to do about it.
  if (typeof args[0] !== 'string') await showFindings(context, id);
  return answer;
};

/** Probes everything that a capability needs and that is not known to be good. */
export const probeCapability: GovernanceCommand<'questions' | 'registry' | 'resolver' | 'selection' | 'texts'> = async (
  context,
  ...args
) => {
  const id = await chosenId(context, args);
  if (id === undefined) return;
  const answer = await resolved(context, id);
  const requirements = probesOf(answer);
  if (requirements.length === 0)
    void showInformation(vscode.l10n.t('{0} needs nothing that is to be probed now.', answer.name));
  await Promise.all(requirements.map((requirement) => probe(context, requirement)));
};

const probesOf = (answer: CapabilityAnswer): readonly string[] =>
  answer.requiredActions.map(split).flatMap(([kind, name]) => (kind === 'probe' ? [name] : []));

async function resolved(context: Pick<GovernanceContext, 'resolver'>, id: string): Promise<CapabilityAnswer> {
  // As they are written: what is probed or set up is found by them.
  const answer = await context.resolver.governance.resolve(id, (written) => written);
  if ('unknown' in answer) throw new Error(`there is no capability \`${id}\`${didYouMean(id, answer.near)}`);
  return answer;
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
      const answer = await resolved(context, id);
      return { label: inRow(answer.name), description: id, detail: inRow(verdictText(answer)), id };
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

const verdictText = (answer: CapabilityAnswer): string =>
  verdictLine({
    verdict: answer.verdict,
    blocking: answer.blocking,
    warnings: answer.warnings,
    required_actions: answer.requiredActions,
  });

/** Shows the verdict again after each action, until the person has seen enough. */
async function showFindings(
  context: Pick<GovernanceContext, 'policy' | 'questions' | 'resolver' | 'texts'>,
  id: string,
): Promise<void> {
  for (;;) {
    const answer = await resolved(context, id);
    const picked = await vscode.window.showQuickPick(findings(context, answer), {
      title: `${answer.name}: ${answer.verdict}`,
      placeHolder: vscode.l10n.t('Pick an action to carry it out'),
      ignoreFocusOut: true,
    });
    if (!picked?.run) return;
    await picked.run();
  }
}

function findings(
  context: Pick<GovernanceContext, 'policy' | 'questions' | 'resolver' | 'texts'>,
  answer: CapabilityAnswer,
): readonly Finding[] {
  const { resolver } = context;
  const items: Finding[] = answer.blocking.map((text): Finding => {
    const [kind, name] = split(text);
    const rule = kind === 'policy' ? split(name)[0] : undefined;
    const reason = context.policy.boundaries.find((one) => one.id === rule)?.reason;
    return {
      label: `$(error) ${inRow(text)}`,
      ...(reason === undefined ? {} : { description: worded(reasonSaid(reason), vscode.l10n.t) }),
    };
  });
  for (const action of answer.requiredActions) {
    const [kind, name] = split(action);
    if (kind === 'set-up') {
      const run = settingUp(name);
      items.push({
        label: `$(gear) ${inRow(name)}`,
        description: vscode.l10n.t('to be set up'),
        ...(run ? { run } : {}),
      });
      continue;
    }
    if (kind !== 'probe') {
      items.push({
        label: `$(question) ${inRow(action)}`,
        description: vscode.l10n.t('You are asked when the agent calls it'),
      });
      continue;
    }
    const status = resolver.resolver.status(name);
    const { requirement } = status;
    const where = requirement?.probe ? vscode.l10n.t('probe now') : vscode.l10n.t('nothing says how to probe it');
    items.push({
      label: `$(refresh) ${vscode.l10n.t('Probe {0}', inRow(name))}`,
      description: `${status.state} · ${where}`,
      ...(status.detail === undefined ? {} : { detail: inRow(status.detail) }),
      ...(requirement?.probe ? { run: () => probe(context, name) } : {}),
    });
  }
  for (const name of flattenRequires(resolver.governance.capability(answer.id)?.requires ?? [])) {
    const { state, requirement } = resolver.resolver.status(name);
    if (state !== 'red' || !requirement?.probe) continue;
    items.push({
      label: `$(refresh) ${vscode.l10n.t('Probe {0} again', inRow(name))}`,
      run: () => probe(context, name),
    });
  }
  for (const text of answer.warnings) items.push({ label: `$(warning) ${inRow(text)}` });
  for (const text of answer.accounts) items.push({ label: `$(account) ${inRow(text)}` });
  for (const tool of answer.tools)
    items.push({
      label: `${{ pass: '$(pass)', ask: '$(question)', deny: '$(circle-slash)' }[tool.effect]} ${tool.name}`,
      description: tool.why ?? vscode.l10n.t('may run'),
    });
  return items.length > 0 ? items : [{ label: `$(pass) ${vscode.l10n.t('Nothing stands in the way')}` }];
}

/** Words of a repository in a row: every character visible, and no icon of the editor. */
const inRow = (text: string): string => withoutIcons(visible(text));

/** Opens what sets up a setting, a secret or a definition; undefined for what a person does elsewhere. */
function settingUp(what: string): (() => Promise<unknown>) | undefined {
  const [kind, name] = split(what);
  if (kind === 'secret') return async () => runCommand('setSecret', name);
  if (kind === 'definition') return async () => runCommand('validateDefinitions');
  const setting = { setting: name, file: settingId('database.connections') }[kind];
  if (setting === undefined) return undefined;
  return async () => {
    await vscode.commands.executeCommand('workbench.action.openSettings', setting);
  };
}

/** Takes apart what agents read as `<kind>:<name>`. */
function split(code: string): readonly [kind: string, name: string] {
  const [kind = '', ...name] = code.split(':');
  return [kind, name.join(':')];
}

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
  else if (!outcome.isGood) void showWarning(vscode.l10n.t('{0} is red: {1}', name, visible(outcome.detail)));
}
