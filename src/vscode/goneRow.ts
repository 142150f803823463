import * as vscode from 'vscode';

/**
 * Says that a click or a key met a redraw: the editor was asking for the rows anew and no longer knew which one it was.
 */
export function tellClickMetRedraw(): void {
  const words = vscode.l10n.t('The view was being redrawn, so that did nothing: do it again.');
  vscode.window.setStatusBarMessage(words, 4000);
}

/**
 * True, and told, where a row was clicked that the editor no longer knows: it passes nothing in its place, which is not
 * to be taken for a key, which passes no argument and is about the selection.
 */
export function isGoneRow(args: readonly unknown[]): boolean {
  const isGone = args.length > 0 && args[0] === undefined;
  if (isGone) tellClickMetRedraw();
  return isGone;
}
