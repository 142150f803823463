import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { commandId } from '../manifest/commands/commandId';
import { type ByCommand, commandEntries, type CommandRun, mapCommands } from '../manifest/commands/commandRun';
import { messageOf } from '../../core/base/errorText';

/**
 * Registers commands under their ids in the manifest. The editor shows the message of one that fails to the person;
 * where it failed goes to `onFailure`, in one sentence with the stack, which is meant for the log.
 */
export function registerAll(commands: ByCommand<CommandRun>, onFailure: (message: string) => void): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of commandEntries(commands))
    store.add(
      vscode.commands.registerCommand(commandId(id), async (...args: unknown[]) => {
        try {
          return await run(...args);
        } catch (error) {
          const message = messageOf(error);
          onFailure(`the command ${id} failed: ${error instanceof Error ? (error.stack ?? message) : message}`);
          throw new Error(message, { cause: error });
        }
      }),
    );
  return store;
}

/** Gives commands what they all work with, before what the editor passes. */
export function withParts<Parts>(
  commands: ByCommand<(parts: Parts, ...args: unknown[]) => unknown>,
  parts: Parts,
): ByCommand<CommandRun> {
  return mapCommands(
    commands,
    (run) =>
      (...args) =>
        run(parts, ...args),
  );
}
