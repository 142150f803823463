import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { commandId } from '../manifest/commands';
import { addMcpServer } from './addServer';
import { copyApiAccess, copyClientConfiguration } from './clientCommands';
import { judgeTool } from './judgeTool';
import { editMcpServer, removeMcpServer } from './editServers';
import type { ServerCommand, ServerCommandParts } from './parts';
import { restartMcpServer, reviewMcpServer, showMcpServerLog, startMcpServer, stopMcpServer } from './runServers';

const commands: Readonly<Record<string, ServerCommand>> = {
  addMcpServer,
  copyApiAccess,
  copyClientConfiguration,
  editMcpServer,
  judgeTool,
  removeMcpServer,
  restartMcpServer,
  reviewMcpServer,
  showMcpServerLog,
  startMcpServer,
  stopMcpServer,
};

/** Registers the commands about MCP servers and about the clients of our own. */
export function registerServerCommands(parts: ServerCommandParts): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(commands))
    store.add(
      vscode.commands.registerCommand(commandId(id), async (...args: unknown[]) => {
        try {
          return await run(parts, ...args);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          parts.onProblem(`the command ${id} failed: ${error instanceof Error ? (error.stack ?? message) : message}`);
          throw new Error(message, { cause: error });
        }
      }),
    );
  return store;
}
