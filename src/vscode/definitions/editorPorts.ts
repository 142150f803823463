import * as vscode from 'vscode';
import { type Json, sanitizeJson } from '../../core/base/json';
import { closedArgument, closedCommand } from '../../core/definitions/handlers/commandWall';
import { commandRefused, toolError } from '../../core/vocabulary/errors';
import type { CommandRunner, Notifier } from '../../core/ports/editor';

/** Runs commands of the editor. An answer that JSON cannot carry is left out. */
export const editorCommands: CommandRunner = {
  async run(command, args) {
    const known = await vscode.commands.getCommands(false);
    if (!known.includes(command)) throw toolError('not_found', `the editor has no command \`${command}\``);
    return asJson(await runGuarded(command, args));
  },
};

/** Runs a command that a definition or a probe names, behind the wall before those that reach further. */
export async function runGuarded(command: string, args: readonly unknown[]): Promise<unknown> {
  const why = closedCommand(command) ?? closedArgument(args);
  if (why !== undefined) throw commandRefused(command, why);
  return vscode.commands.executeCommand(command, ...args);
}

function asJson(value: unknown): Json | undefined {
  if (value === undefined || typeof value === 'function') return undefined;
  try {
    const text = JSON.stringify(value);
    // What JSON.parse answers is JSON, and so is its sanitised copy.
    return text === undefined ? undefined : (sanitizeJson(JSON.parse(text)) as Json);
  } catch {
    return undefined;
  }
}

/** Shows messages as notifications of the editor. */
export const editorNotifier: Notifier = {
  show: async (notice) => (await import('./showNotice')).showNotice(notice),
};
