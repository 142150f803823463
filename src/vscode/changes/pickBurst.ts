import * as vscode from 'vscode';
import type { ChangeRow } from '../../core/present/changeRows';
import type { TakeBack } from './takeBackRows';

/** Asks which changes a command is about that was run without a row; undefined where the person left. */
export async function pickBurst(rows: readonly ChangeRow[], action: TakeBack): Promise<ChangeRow | undefined> {
  const placeHolders: Readonly<Record<TakeBack, string>> = {
    undo: vscode.l10n.t('Which changes are to be taken back?'),
    undoSince: vscode.l10n.t('Since when is everything to be taken back?'),
    redo: vscode.l10n.t('Which changes are to be made again?'),
  };
  const items = rows.map((row) => ({ label: row.label, description: row.description, row }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Changes by Agents'),
    placeHolder: placeHolders[action],
    matchOnDescription: true,
  });
  return picked?.row;
}
