import * as vscode from 'vscode';

/** Shows a list that is steered while it is open; `done` ends it with an answer. Undefined where the person left. */
export function steeredPick<Item extends vscode.QuickPickItem, Answer>(
  use: (pick: vscode.QuickPick<Item>, done: (answer: Answer) => void) => void,
): Promise<Answer | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  return new Promise((resolve) => {
    use(pick, (answer) => {
      resolve(answer);
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}
