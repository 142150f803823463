import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { commandId } from '../manifest/commands';
import type { ServerCommandParts } from './parts';

const ids = [
  'addMcpServer',
  'copyApiAccess',
  'copyClientConfiguration',
  'editMcpServer',
  'judgeTool',
  'removeMcpServer',
  'restartMcpServer',
  'reviewMcpServer',
  'showMcpServerLog',
  'startMcpServer',
  'stopMcpServer',
] as const;

/** A command about MCP servers, other extensions' tools or clients of our own. */
export type ServerCommandId = (typeof ids)[number];

/** Registers the commands about MCP servers and about the clients of our own; what they do is loaded with the first of them. */
export function registerServerCommands(parts: ServerCommandParts): Disposable {
  const store = new DisposableStore();
  for (const id of ids)
    store.add(
      vscode.commands.registerCommand(commandId(id), async (...args: unknown[]) => {
        try {
          const { serverCommands } = await import('./serverCommands');
          return await serverCommands[id](parts, ...args);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          parts.onProblem(`the command ${id} failed: ${error instanceof Error ? (error.stack ?? message) : message}`);
          throw new Error(message, { cause: error });
        }
      }),
    );
  return store;
}
