import * as vscode from 'vscode';

/** The badge of the view for changes that nobody has looked at; none for 0. */
export function unseenBadge(count: number): vscode.ViewBadge | undefined {
  if (count === 0) return undefined;
  const tooltip =
    count === 1
      ? vscode.l10n.t('1 change by agents was not looked at yet')
      : vscode.l10n.t('{0} changes by agents were not looked at yet', count);
  return { value: count, tooltip };
}
