import * as vscode from 'vscode';
import { pastCalls } from '../../core/audit/pastCalls';
import { grouped } from '../../core/audit/words';
import { simulate, type SimulatedChange } from '../../core/explain';
import type { Boundary } from '../../core/policy/boundary';
import { PolicyEngine } from '../../core/policy/engine';
import { gatherBoundaries } from '../../core/policy/policySources';
import { presetBoundaries, presetNames, type PresetOptions } from '../../core/policy/presets';
import { codeSpan } from '../../core/view/words';
import type { GovernanceCommand, GovernanceParts } from './parts';

/** How many of the last records are judged anew. */
const mostRecords = 2000;

interface Candidate {
  readonly label: string;
  readonly boundaries: readonly Boundary[];
}

/** Shows which of the last calls a changed policy would have judged otherwise. Nothing changes and nothing is recorded. */
export const simulatePolicy: GovernanceCommand = async (parts, ...args) => {
  const candidates = candidatesOf(parts);
  const picked =
    typeof args[0] === 'string'
      ? candidates.find((one) => one.id === args[0])
      : await vscode.window.showQuickPick(candidates, {
          title: vscode.l10n.t('Simulate Policy'),
          placeHolder: vscode.l10n.t('Which policy would have judged the last calls?'),
        });
  if (!picked) return undefined;
  const after = new PolicyEngine(picked.boundaries);
  try {
    await after.ready;
    const { found } = await parts.audit.page({ event: ['invocation.finished', 'policy.violation'] }, { limit: mostRecords });
    const calls = pastCalls(
      found.map((one) => one.record),
      parts.core.registry,
    );
    const changes = simulate(calls, parts.core.policy, after);
    const text = report(picked.label, calls.length, changes);
    await vscode.commands.executeCommand('markdown.showPreview', parts.texts.put('Simulation.md', text));
    return { calls: calls.length, changes };
  } finally {
    after.dispose();
  }
};

function candidatesOf(parts: GovernanceParts): readonly (vscode.QuickPickItem & Candidate & { readonly id: string })[] {
  const { core } = parts;
  const now = core.policy.boundaries;
  const others = now.filter((one) => one.scope !== 'builtin');
  const settings = core.settings();
  const admin = settings.string('policy.adminApproval');
  const options: PresetOptions = {
    allowedPrivateHosts: settings.strings('network.allowedPrivateHosts'),
    adminApproval: admin === 'critical' || admin === 'high' ? admin : 'never',
  };
  const preset = settings.string('policy.preset');
  const document = vscode.window.activeTextEditor?.document;
  const file = document && parts.files.read().find((one) => one.path === document.uri.fsPath || one.path === document.uri.toString());
  return [
    ...(document && file
      ? [
          {
            id: 'document',
            label: vscode.l10n.t('The boundaries in the editor, as they stand'),
            description: vscode.workspace.asRelativePath(document.uri),
            boundaries: gatherBoundaries(
              settings,
              parts.files.read().map((one) => (one === file ? { path: one.path, text: document.getText() } : one)),
            ).boundaries,
          },
        ]
      : []),
    ...presetNames
      .filter((name) => name !== preset)
      .map((name) => ({
        id: name,
        label: vscode.l10n.t('The preset {0}', name),
        description: vscode.l10n.t('instead of {0}', preset),
        boundaries: [...presetBoundaries(name, options), ...others],
      })),
    {
      id: 'without-workspace',
      label: vscode.l10n.t('Without the rules of the workspace'),
      boundaries: now.filter((one) => one.scope !== 'workspace'),
    },
  ];
}

function report(label: string, calls: number, changes: readonly SimulatedChange[]): string {
  const head = [
    `# ${vscode.l10n.t('Simulation')}: ${label}`,
    '',
    vscode.l10n.t('{0} of the last {1} calls would be judged otherwise.', grouped(changes.length), grouped(calls)),
    '',
  ];
  if (changes.length === 0) return `${head.join('\n')}\n`;
  const verdicts: Readonly<Record<SimulatedChange['before'], string>> = {
    pass: vscode.l10n.t('runs'),
    ask: vscode.l10n.t('asks'),
    deny: vscode.l10n.t('denied'),
  };
  return [
    ...head,
    `| ${[vscode.l10n.t('Time'), vscode.l10n.t('Tool'), vscode.l10n.t('Now'), vscode.l10n.t('Then'), vscode.l10n.t('Because')].join(' | ')} |`,
    '| --- | --- | --- | --- | --- |',
    ...changes
      .slice(0, 500)
      .map(
        (one) =>
          `| ${new Date(one.time).toLocaleString()} | ${codeSpan(one.tool)} | ${verdicts[one.before]} | ${verdicts[one.after]} | ${one.because.map(codeSpan).join(', ')} |`,
      ),
    '',
  ].join('\n');
}
