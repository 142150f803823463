import * as vscode from 'vscode';
import { abortSignal } from './cancellation';

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

/** What a piece of work gets that a notification is about. */
interface Running {
  /** Aborted where the person cancels it. */
  readonly signal: AbortSignal;
  readonly tell: (message: string) => void;
}

/** Does a piece of work while a notification says what is done. */
export const inProgress = <Done>(
  title: string,
  work: (running: Running) => Thenable<Done>,
  { cancellable = false }: { readonly cancellable?: boolean } = {},
): Thenable<Done> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: text(title), cancellable },
    (progress, token) =>
      work({ signal: abortSignal(token), tell: (message) => progress.report({ message: text(message) }) }),
  );
