import * as vscode from 'vscode';

/** Asks for one of some formats, each with what it is for. */
export async function pickFormat<Format extends string>(
  formats: readonly Format[],
  uses: Readonly<Record<Format, string>>,
  title: string,
): Promise<Format | undefined> {
  const items = formats.map((format) => ({ label: format, description: uses[format] }));
  return (await vscode.window.showQuickPick(items, { title }))?.label;
}
