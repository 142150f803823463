import * as vscode from 'vscode';

/**
 * What is told in a notification is text: the editor makes a link of `[words](command:…)` in it, also where these are a
 * name that a repository or an agent chose, and a click runs the command. `test/meta/modals.test.ts` knows who calls
 * the editor's own functions beside.
 */
const text = (message: string): string => message.replaceAll('](', '] (');

type Show = <Item extends string>(message: string, ...items: readonly Item[]) => Thenable<Item | undefined>;

export const showInformation: Show = (message, ...items) =>
  vscode.window.showInformationMessage(text(message), ...items);

export const showWarning: Show = (message, ...items) => vscode.window.showWarningMessage(text(message), ...items);

export const showError: Show = (message, ...items) => vscode.window.showErrorMessage(text(message), ...items);

/** Does a piece of work while a notification says what is done. */
export const inProgress = <Done>(title: string, work: () => Thenable<Done>): Thenable<Done> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, work);
