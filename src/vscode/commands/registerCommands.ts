import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { commandId } from '../manifest/commands';
import { messageOf } from '../../core/base/errorText';

/**
 * Registers commands under their ids in the manifest. The editor shows the message of one that fails to the person;
 * where it failed goes to `onFailure`, in one sentence with the stack, which is meant for the log.
 */
export function registerAll(
  commands: Readonly<Record<string, (...args: unknown[]) => unknown>>,
  onFailure: (message: string) => void,
): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(commands))
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
  commands: Readonly<Record<string, (parts: Parts, ...args: unknown[]) => unknown>>,
  parts: Parts,
): Readonly<Record<string, (...args: unknown[]) => unknown>> {
  return Object.fromEntries(
    Object.entries(commands).map(([id, run]) => [id, (...args: unknown[]) => run(parts, ...args)]),
  );
}
