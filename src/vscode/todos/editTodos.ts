import * as vscode from 'vscode';
import { worded } from '../../core/base/sentence';
import type { TodoRow } from '../../core/present/todoRows';
import { todosToMarkdown } from '../../core/todos/markdown';
import type { TodoStore } from '../../core/todos/store';
import { todoPriorities, type TodoPriority } from '../../core/vocabulary/todo';
import type { ReadOnlyText } from '../files/readOnlyText';
import { showInformation } from '../notices';
import { localTime } from '../times';

async function askText(value: string): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    prompt: vscode.l10n.t('What is to be done?'),
    value,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A task needs a text') : undefined),
  });
}

/** Asks for a task and adds it, behind the one with the id `after`. */
export async function addTodo(todos: TodoStore, profileId: string, after: string | undefined): Promise<void> {
  const text = await askText('');
  if (text !== undefined) todos.add(profileId, text, after === undefined ? {} : { afterId: after });
}

/** Asks for another text of a task. */
export async function editTodo(todos: TodoStore, profileId: string, id: string): Promise<void> {
  const item = todos.items(profileId).find((one) => one.id === id);
  if (!item) return;
  const text = await askText(item.content);
  if (text === undefined || text.trim() === item.content) return;
  if (!todos.edit(profileId, id, { content: text })) {
    void showInformation(vscode.l10n.t('The task is gone; the agent has replaced the list meanwhile.'));
  }
}

/** Asks for the priority of a task. */
export async function pickPriority(todos: TodoStore, profileId: string, row: TodoRow): Promise<void> {
  const none = vscode.l10n.t('none');
  const words: Readonly<Record<TodoPriority, string>> = {
    low: vscode.l10n.t('low'),
    medium: vscode.l10n.t('medium'),
    high: vscode.l10n.t('high'),
  };
  const picked = await vscode.window.showQuickPick([none, ...todoPriorities.map((one) => words[one])], {
    placeHolder: vscode.l10n.t('Priority of "{0}"', row.label),
  });
  if (picked === undefined) return;
  todos.edit(profileId, row.id, { priority: todoPriorities.find((one) => words[one] === picked) ?? null });
}

/** Takes back the last change of a list, or says that there is none. */
export function undoTodos(todos: TodoStore, profileId: string): void {
  if (!todos.undo(profileId)) void showInformation(vscode.l10n.t('There is nothing to undo.'));
}

/** Makes it again, or says that there is none. */
export function redoTodos(todos: TodoStore, profileId: string): void {
  if (!todos.redo(profileId)) void showInformation(vscode.l10n.t('There is nothing to redo.'));
}

/** Opens the list of a profile as Markdown. */
export async function exportTodos(
  todos: TodoStore,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<void> {
  const content = todosToMarkdown(vscode.l10n.t('Todos of {0}', name), todos.items(id), vscode.l10n.t);
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

/** Shows who changed what in a list. */
export async function showHistory(todos: TodoStore, profileId: string, texts: ReadOnlyText): Promise<void> {
  const lines = todos.history(profileId).map(({ at, by, what }) => {
    const who = by === 'agent' ? vscode.l10n.t('agent') : vscode.l10n.t('you');
    return `${localTime(at)}  ${who}  ${what.map((one) => worded(one, vscode.l10n.t)).join('; ')}`;
  });
  await texts.open(
    'Todo History.txt',
    lines.length === 0 ? vscode.l10n.t('Nothing has been changed yet.') : lines.join('\n'),
  );
}
