import * as vscode from 'vscode';

/**
 * Shows a text that is decided about in an editor, and answers how that is closed. An editor in which another question
 * has put its own text meanwhile stays.
 */
export async function shownText(uri: vscode.Uri): Promise<() => Promise<void>> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
  const text = document.getText();
  return async () => {
    if (document.getText() !== text) return;
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  };
}
