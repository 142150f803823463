import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Log } from '../../core/ports';
import { commandId } from '../manifest/commands';
import {
  clearFilter,
  disableCapability,
  enableCapability,
  filterCapabilities,
  groupBy,
  moveDown,
  moveUp,
  toggleSelected,
  toggleTool,
  undo,
} from './capabilities';
import type { CommandContext, CommandHandler } from './context';
import {
  acceptWidening,
  deleteProfile,
  duplicateProfile,
  exportProfile,
  importProfile,
  newProfile,
  renameProfile,
  resetProfile,
} from './manageProfiles';
import { setMode, switchProfile } from './profiles';
import { runTool } from './runTool';
import { listCapabilities, openChatWithProfile, openDetails, showAuditLog, showRuntimeAgent } from './show';

const handlers: Readonly<Record<string, CommandHandler>> = {
  acceptWidening,
  deleteProfile,
  duplicateProfile,
  exportProfile,
  importProfile,
  newProfile,
  renameProfile,
  resetProfile,
  clearFilter,
  disableCapability,
  enableCapability,
  filterCapabilities,
  groupBy,
  listCapabilities,
  moveDown,
  moveUp,
  openChatWithProfile,
  openDetails,
  runTool,
  setMode,
  showAuditLog,
  showRuntimeAgent,
  switchProfile,
  toggleSelected,
  toggleTool,
  undo,
};

/** Registers every command. One that fails says so to the person, with a way to the log. */
export function registerCommands(context: CommandContext, log: Log): Disposable {
  const store = new DisposableStore();
  for (const [id, handler] of Object.entries(handlers))
    store.add(
      vscode.commands.registerCommand(commandId(id), async (...args: unknown[]) => {
        try {
          if (args.length === 0) await context.view.settled();
          return await handler(context, ...args);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          log.error(`the command ${id} failed: ${error instanceof Error ? (error.stack ?? message) : message}`);
          throw new Error(message, { cause: error });
        }
      }),
    );
  return store;
}
