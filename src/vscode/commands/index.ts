import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Log } from '../../core/ports';
import { commandId, commandSpecs } from '../manifest/commands';
import {
  chooseTools,
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
  chooseTools,
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
          if (args[0] === warming) return undefined;
          return await handler(context, ...args);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          log.error(`the command ${id} failed: ${error instanceof Error ? (error.stack ?? message) : message}`);
          throw new Error(message, { cause: error });
        }
      }),
    );
  void warmUp();
  return store;
}

const warming = 'warm up';

/**
 * The editor asks for an extension when one of its commands runs for the first time. Keys that follow at once would be heard first, and the
 * command would be about the row that they select; so the commands of the tree's keys run once without doing anything.
 */
async function warmUp(): Promise<void> {
  const commands = commandSpecs
    .filter((spec) => spec.keys?.some((key) => key.onRow))
    .map((spec) => ({ command: commandId(spec.id), args: warming }));
  await vscode.commands.executeCommand('runCommands', { commands });
}
