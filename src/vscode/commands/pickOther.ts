import * as vscode from 'vscode';

export interface Choice<Id extends string> {
  readonly label: string;
  readonly description?: string;
  readonly id: Id;
}

/**
 * Asks for one of a few choices of which one holds now: that one has a check mark and is where the keyboard starts.
 * Undefined where the person left.
 */
export async function pickOther<Id extends string>(
  choices: readonly Choice<Id>[],
  current: Id,
  title: string,
): Promise<Id | undefined> {
  const isCurrent = (choice: Choice<Id>): boolean => choice.id === current;
  // The list starts at its first row.
  const items = [...choices].sort((one, other) => Number(isCurrent(other)) - Number(isCurrent(one)));
  const picked = await vscode.window.showQuickPick(
    items.map((choice) => ({ ...choice, label: `${isCurrent(choice) ? '$(check) ' : ''}${choice.label}` })),
    { title },
  );
  return picked?.id;
}
