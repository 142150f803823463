import * as vscode from 'vscode';
import { withoutIcons } from '../../core/present/words';
import { worded } from '../../core/base/sentence';
import { reasonWords } from '../../core/vocabulary/reasonWords';
import { type DoctorArea, doctorAreas, type DoctorCheck, type DoctorFacts, examine } from '../../core/explain/doctor';
import { runCommand } from '../manifest/commands/runCommand';

interface CheckItem extends vscode.QuickPickItem {
  readonly check?: DoctorCheck;
}

const icons = { ok: 'pass', note: 'info', fault: 'error' } as const;

/**
 * *Doctor*: one list of what is installed, on, reachable and protected, what is not first of each; choosing a row does
 * what mends it.
 * @returns what was found.
 */
export async function showDoctor(facts: () => Promise<DoctorFacts>): Promise<readonly DoctorCheck[]> {
  const checks = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Doctor') },
    async () => examine(await facts()),
  );
  const wrong = checks.filter(({ state }) => state === 'fault').length;
  const placeHolder =
    wrong > 0
      ? vscode.l10n.t('Not working: {0}; choose one to mend it', wrong)
      : vscode.l10n.t('Everything that is set up works');
  const items = doctorAreas.flatMap((area) => itemsOf(area, checks));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Doctor'),
    placeHolder,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (picked?.check) await mend(picked.check);
  return checks;
}

function itemsOf(area: DoctorArea, checks: readonly DoctorCheck[]): readonly CheckItem[] {
  const order = ['fault', 'note', 'ok'];
  const found = checks
    .filter((check) => check.area === area)
    .sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  if (found.length === 0) return [];
  return [
    { label: areaWords()[area], kind: vscode.QuickPickItemKind.Separator },
    ...found.map((check) => ({
      label: `$(${icons[check.state]}) ${withoutIcons(reasonWords(check.said, vscode.l10n.t))}`,
      ...(check.step ? { detail: withoutIcons(worded(check.step, vscode.l10n.t)) } : {}),
      check,
    })),
  ];
}

const areaWords = (): Readonly<Record<DoctorArea, string>> => ({
  installed: vscode.l10n.t('Installed'),
  on: vscode.l10n.t('On'),
  reachable: vscode.l10n.t('Reachable'),
  protected: vscode.l10n.t('Protected'),
});

async function mend({ mend: wanted }: DoctorCheck): Promise<void> {
  if (!wanted) return;
  const { command, of } = wanted;
  if (command === 'workspaceTrust') await vscode.commands.executeCommand('workbench.trust.manage');
  else if (of !== undefined && (command === 'startMcpServer' || command === 'reviewMcpServer'))
    await runCommand(command, of);
  else if (of !== undefined && command === 'protectAgent') await runCommand(command, of);
  else await runCommand(command);
}
