import * as vscode from 'vscode';
import { lastCalls, simulate, type SimulatedChange, type Simulation } from '../../core/explain/simulate';
import type { PolicyDifference } from '../../core/policy/cases/difference';
import { witnessCall } from '../../core/policyTests/witnessText';
import type { Boundary } from '../../core/vocabulary/boundary';
import { BoundarySources } from '../../core/policy/rules/policySources';
import { presetNames, withPreset } from '../../core/policy/rules/presets';
import { codeCell, codeSpan, proseMarkdown, tableMarkdown, wholeNumber } from '../../core/present/words';
import { preview } from '../files/readOnlyText';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import { localTime } from '../times';

interface Candidate {
  readonly label: string;
  readonly boundaries: readonly Boundary[];
}

/**
 * Shows which of the last calls a changed policy would have judged otherwise. Nothing changes and nothing is recorded.
 */
export const simulatePolicy: GovernanceCommand<
  'audit' | 'files' | 'inputs' | 'policy' | 'registry' | 'settings' | 'texts'
> = async (context, ...args) => {
  const candidates = candidatesOf(context);
  const picked =
    typeof args[0] === 'string'
      ? candidates.find((one) => one.id === args[0])
      : await vscode.window.showQuickPick(candidates, {
          title: vscode.l10n.t('Simulate a policy'),
          placeHolder: vscode.l10n.t('Which policy would have judged the last calls?'),
        });
  if (!picked) return undefined;
  const after = context.policy.withRules(picked.boundaries);
  try {
    await after.ready;
    const calls = await lastCalls(context.audit, context.registry, context.inputs);
    const simulation = simulate(calls, context.policy, after);
    // What nobody called yet is no less changed.
    const { policyDifference } = await import('../../core/policy/cases/difference');
    const difference = policyDifference(context.policy, after);
    const text = `${report(picked.label, calls.length, simulation)}\n${witnessReport(difference)}`;
    await preview(context.texts, 'Simulation.md', text);
    return { calls: calls.length, ...simulation, witnesses: difference.witnesses.length };
  } finally {
    after.dispose();
  }
};

function candidatesOf(
  context: Pick<GovernanceContext, 'files' | 'policy' | 'settings'>,
): readonly (vscode.QuickPickItem & Candidate & { readonly id: string })[] {
  const now = context.policy.boundaries;
  const settings = context.settings();
  const preset = settings.get('policy.preset');
  const document = vscode.window.activeTextEditor?.document;
  const file =
    document &&
    context.files.read().find((one) => one.path === document.uri.fsPath || one.path === document.uri.toString());
  return [
    ...(document && file
      ? [
          {
            id: 'document',
            label: vscode.l10n.t('The boundaries in the editor, as they stand'),
            description: vscode.workspace.asRelativePath(document.uri),
            boundaries: new BoundarySources().gather(
              settings,
              context.files.read().map((one) => (one === file ? { path: one.path, text: document.getText() } : one)),
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
        boundaries: withPreset(now, name, settings),
      })),
    {
      id: 'without-workspace',
      label: vscode.l10n.t('Without the rules of the workspace'),
      boundaries: now.filter((one) => one.scope !== 'workspace'),
    },
  ];
}

const mostRows = 500;

/** What a changed policy would do, as a page: what changes, and what nobody can tell any more. */
function report(label: string, calls: number, { changes, undecided }: Simulation): string {
  const verdicts = verdictWords();
  const rules = (ids: readonly string[]): string => ids.map(codeCell).join(', ');
  const lines = [
    `# ${vscode.l10n.t('Simulation')}: ${proseMarkdown(label)}`,
    '',
    calls === 0
      ? vscode.l10n.t('No call is recorded yet, so there is nothing to judge. Let an agent work, then simulate again.')
      : vscode.l10n.t(
          'Of the last calls of all your workspaces ({1}), {0} would be judged otherwise.',
          wholeNumber(changes.length, vscode.l10n.t),
          wholeNumber(calls, vscode.l10n.t),
        ),
    '',
    ...table(
      [
        vscode.l10n.t('Time'),
        vscode.l10n.t('Tool'),
        vscode.l10n.t('Now'),
        vscode.l10n.t('Then'),
        vscode.l10n.t('Because'),
      ],
      changes.map((one) => [
        localTime(one.time),
        codeCell(one.tool),
        verdicts[one.before],
        verdicts[one.after],
        rules(one.because),
      ]),
    ),
  ];
  if (undecided.length > 0)
    lines.push(
      `## ${vscode.l10n.t('Could not be judged')}`,
      '',
      vscode.l10n.t(
        'Calls that depend on their arguments, which were not kept: {0}. The audit holds their shape only, and this window remembers those of its own last calls.',
        wholeNumber(undecided.length, vscode.l10n.t),
      ),
      '',
      ...table(
        [vscode.l10n.t('Time'), vscode.l10n.t('Tool'), vscode.l10n.t('Rules that ask about arguments')],
        undecided.map((one) => [localTime(one.time), codeCell(one.tool), rules(one.because)]),
      ),
    );
  return lines.join('\n');
}

/** Calls that would be judged otherwise, whether or not anybody made them. */
function witnessReport({ witnesses, searched }: PolicyDifference): string {
  const rows = witnesses.map((one) => [
    codeCell(witnessCall(one)),
    verdictWords()[one.before],
    verdictWords()[one.after],
    one.because.map(codeCell).join(', '),
  ]);
  return [
    `## ${vscode.l10n.t('Calls that would change')}`,
    '',
    witnesses.length === 0
      ? vscode.l10n.t(
          'None found among {0} calls that were made of what the rules name.',
          wholeNumber(searched.calls, vscode.l10n.t),
        )
      : vscode.l10n.t(
          'One for each way in which a rule changes an answer, found among {0} calls that were made of what the rules name.',
          wholeNumber(searched.calls, vscode.l10n.t),
        ),
    '',
    ...table([vscode.l10n.t('Call'), vscode.l10n.t('Now'), vscode.l10n.t('Then'), vscode.l10n.t('Because')], rows),
    ...(searched.unreached.length === 0
      ? []
      : [
          vscode.l10n.t(
            'No call could be made of {0}; what they say was not searched.',
            searched.unreached.map(codeSpan).join(', '),
          ),
          '',
        ]),
  ].join('\n');
}

const verdictWords = (): Readonly<Record<SimulatedChange['before'], string>> => ({
  pass: vscode.l10n.t('runs'),
  ask: vscode.l10n.t('asks'),
  deny: vscode.l10n.t('denied'),
});

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const more = rows.length - mostRows;
  return [
    ...tableMarkdown(head, rows.slice(0, mostRows)),
    ...(more > 0 ? [vscode.l10n.t('… {0} more', wholeNumber(more, vscode.l10n.t)), ''] : []),
  ];
}
