import * as vscode from 'vscode';
import { loadLinearRegex } from '../../core/base/linearRegex';
import { type Sentence, SaidError, worded } from '../../core/base/sentence';
import { addedIds, loosens, withImported } from '../../core/exchange/addRules';
import { exportedRules } from '../../core/exchange/exportRules';
import { formatNames, ruleFormat } from '../../core/exchange/formats';
import { importedRules } from '../../core/exchange/importRules';
import { Notes, type Place, type RuleFormat, type RuleRow } from '../../core/exchange/statement';
import { codeCell, codeSpan, proseMarkdown, tableMarkdown } from '../../core/present/words';
import { runCommand } from '../manifest/commands/runCommand';
import { startingIn, type WriteText } from '../files/fileText';
import { preview } from '../files/readOnlyText';
import type { GovernanceCommand } from './governanceCommand';
import { changeRules, type OwnRules, removeOwnRules } from './ruleStore';
import { showInformation } from '../notices';

const mostBytes = 1_000_000;
const words = (said: Sentence): string => worded(said, vscode.l10n.t);

/**
 * Reads rules of another agent, shows what they say here and what cannot be said, and adds those that the person picks
 * to the user's settings: in a workspace's file permissions would have no effect.
 */
export const importRules: GovernanceCommand<'home' | 'ownRules' | 'texts' | 'writeText'> = async ({
  home,
  ownRules,
  texts,
  writeText,
}) => {
  const title = vscode.l10n.t('Import rules from another agent');
  const format = await pickFormat(title);
  if (!format) return undefined;
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Rules of {0}, such as {1}', format.title, format.rulesFile),
    openLabel: vscode.l10n.t('Read Rules of {0}', format.title),
    canSelectMany: true,
    ...startingIn(),
  });
  if (!files || files.length === 0) return undefined;
  const notes = new Notes();
  const rows = importedRules(await statementsOf(files, format, home, notes), format);
  await preview(texts, 'Imported rules.md', importPage(rows, format, notes));
  const chosen = await pickRows(rows, title);
  if (!chosen) return undefined;
  let added: readonly string[] = [];
  await changeRules({ ownRules, writeText }, { type: 'user' }, (before) => {
    const after = withImported(before, chosen);
    added = after ? addedIds(before, after) : [];
    return after;
  });
  // Not awaited: the command is over, and the offer stays as long as the person likes.
  void offerUndo(ownRules, writeText, added);
  return chosen.length;
};

async function offerUndo(ownRules: OwnRules, writeText: WriteText, added: readonly string[]): Promise<void> {
  if (added.length === 0) {
    void showInformation(vscode.l10n.t('Your settings hold all of them already.'));
    return;
  }
  const undo = vscode.l10n.t('Undo');
  const show = vscode.l10n.t('Show Rules in Force');
  const picked = await showInformation(
    added.length === 1
      ? vscode.l10n.t('1 rule was added to your settings and holds from now on.')
      : vscode.l10n.t('{0} rules were added to your settings and hold from now on.', added.length),
    undo,
    show,
  );
  if (picked === show) await runCommand('showRules');
  if (picked !== undo) return;
  await removeOwnRules({ ownRules, writeText }, added);
  void showInformation(vscode.l10n.t('The imported rules are gone again.'));
}

/** Shows the rules in force as the file of another agent, with what cannot be said there, and saves it where asked. */
export const exportRules: GovernanceCommand<'policy' | 'texts'> = async ({ policy, texts }) => {
  const title = vscode.l10n.t('Export rules for another agent');
  const format = await pickFormat(title);
  if (!format) return undefined;
  const strict = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Ask where the other agent cannot say which part is denied'), strict: false },
      { label: vscode.l10n.t('Deny all of it there'), strict: true },
    ],
    { title, placeHolder: vscode.l10n.t('What shall hold where a denial can only be said of everything?') },
  );
  if (!strict) return undefined;
  const notes = new Notes();
  const options = { strict: strict.strict, regex: await loadLinearRegex() };
  const text = `${exportedRules(policy.boundaries, format, notes, options).trimEnd()}\n`;
  await preview(texts, 'Exported rules.md', exportPage(text, format, notes));
  const save = { label: `$(save) ${vscode.l10n.t('Save as a File…')}` };
  const picked = await vscode.window.showQuickPick([save], {
    title,
    placeHolder: vscode.l10n.t('The page behind this list shows the file. A file that is there is replaced whole.'),
    ignoreFocusOut: true,
  });
  if (!picked) return undefined;
  const target = await vscode.window.showSaveDialog({
    title,
    ...startingIn(`rules-for-${format.agent}${extensionOf(format.rulesFile)}`),
  });
  if (!target) return undefined;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const name = vscode.workspace.asRelativePath(target);
  void showInformation(
    vscode.l10n.t('Saved as {0}. {1} reads its rules in {2}.', name, format.title, format.rulesFile),
  );
  return target.toString();
};

const extensionOf = (file: string): string => file.slice(file.lastIndexOf('.'));

async function pickFormat(title: string): Promise<RuleFormat | undefined> {
  const formats = await Promise.all(formatNames.map(ruleFormat));
  const picked = await vscode.window.showQuickPick(
    formats.map((format) => ({ label: format.title, format })),
    { title, placeHolder: vscode.l10n.t('Which agent?') },
  );
  return picked?.format;
}

async function statementsOf(files: readonly vscode.Uri[], format: RuleFormat, home: string, notes: Notes) {
  const slashed = (file: string): string => file.replaceAll('\\', '/');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? home;
  const place: Place = { folder: slashed(folder), home: slashed(home) };
  const statements = await Promise.all(
    files.map(async (file) => {
      const name = vscode.workspace.asRelativePath(file);
      const bytes = await vscode.workspace.fs.readFile(file);
      if (bytes.length > mostBytes) throw new Error(vscode.l10n.t('{0} is larger than 1 MB.', name));
      try {
        return format.read(new TextDecoder().decode(bytes), place, notes);
      } catch (error) {
        throw error instanceof SaidError ? new Error(`${name}: ${words(error.said)}`) : error;
      }
    }),
  );
  return statements.flat();
}

async function pickRows(rows: readonly RuleRow[], title: string): Promise<readonly RuleRow[] | undefined> {
  const restricting = rows.filter((row) => !loosens(row));
  const loosening = rows.length - restricting.length;
  const items = [
    {
      label:
        restricting.length === 1
          ? vscode.l10n.t('Add the 1 rule that restricts')
          : vscode.l10n.t('Add the {0} rules that restrict', restricting.length),
      rows: restricting,
    },
    {
      label: rows.length === 1 ? vscode.l10n.t('Add the 1 rule') : vscode.l10n.t('Add all {0} rules', rows.length),
      description:
        loosening === 1
          ? vscode.l10n.t('1 of them allows calls without a question')
          : vscode.l10n.t('{0} of them allow calls without a question', loosening),
      rows,
    },
  ].filter((item, at) => item.rows.length > 0 && (at === 0 || rows.length > restricting.length));
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('The files hold no rule that can be said here.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('The page behind this list shows them. They go into your settings.'),
    ignoreFocusOut: true,
  });
  return picked?.rows;
}

function importPage(rows: readonly RuleRow[], format: RuleFormat, notes: Notes): string {
  const thenWord = (one: RuleRow): string => {
    if (loosens(one)) return vscode.l10n.t('runs');
    return one.decision === 'deny' ? vscode.l10n.t('denied') : vscode.l10n.t('asks');
  };
  const row = (one: RuleRow): readonly string[] => [
    thenWord(one),
    codeCell(JSON.stringify(one.match)),
    proseMarkdown(one.reason, codeCell),
  ];
  const head = [vscode.l10n.t('Then'), vscode.l10n.t('Calls'), vscode.l10n.t('Because')];
  return [
    `# ${vscode.l10n.t('Rules of {0}', format.title)}`,
    '',
    ...tableMarkdown(head, rows.map(row)),
    ...notesOf(notes, vscode.l10n.t('What cannot be said here')),
  ].join('\n');
}

function exportPage(text: string, format: RuleFormat, notes: Notes): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [
    `# ${vscode.l10n.t('Rules for {0}', format.title)}`,
    '',
    vscode.l10n.t('{0} reads its rules in {1}. Keep what else stands there.', format.title, codeSpan(format.rulesFile)),
    '',
    ...notesOf(notes, vscode.l10n.t('What cannot be said there')),
    fence,
    text.trimEnd(),
    fence,
  ].join('\n');
}

const notesOf = ({ problems }: Notes, title: string): readonly string[] =>
  problems.length === 0
    ? []
    : [`## ${title}`, '', ...problems.map(({ said }) => `- ${proseMarkdown(words(said))}`), ''];
