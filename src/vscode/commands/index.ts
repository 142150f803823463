import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/lifecycle';
import { loadedFrom, type CommandRuns } from './commandRuns';
import type { capabilityCommandTable } from '../manifest/commands/capabilityCommandTable';
import { commandId } from '../manifest/commands/commandId';
import { mapCommands } from '../manifest/commands/commandRun';
import type { CommandContext, CommandHandler } from './context';
import type { CommandId } from '../manifest/commands/commandTable';

const handlers: Readonly<Record<keyof typeof capabilityCommandTable, CommandHandler<keyof CommandContext>>> = {
  manageTrust: () => vscode.commands.executeCommand('workbench.trust.manage'),
  ...loadedFrom(
    () => import('./manageProfiles'),
    'acceptWidening',
    'deleteProfile',
    'duplicateProfile',
    'exportProfile',
    'importProfile',
    'newProfile',
    'renameProfile',
    'resetProfile',
  ),
  ...loadedFrom(() => import('./editProfile'), 'editProfile'),
  ...loadedFrom(() => import('./chooseTools'), 'chooseTools'),
  ...loadedFrom(() => import('./filterCapabilities'), 'clearFilter', 'filterCapabilities'),
  ...loadedFrom(
    () => import('./capabilities'),
    'disableCapability',
    'enableCapability',
    'groupBy',
    'moveDown',
    'moveUp',
    'toggleSelected',
    'toggleTool',
    'undo',
  ),
  ...loadedFrom(() => import('./show'), 'listCapabilities', 'openDetails', 'showAuditLog', 'showRuntimeAgent'),
  ...loadedFrom(() => import('./chatAgent'), 'comparePlainAgent', 'openChatWithProfile', 'useAgentForNewChats'),
  ...loadedFrom(() => import('./reviewPrompt'), 'reviewPrompt'),
  ...loadedFrom(() => import('./runTool'), 'runTool'),
  ...loadedFrom(() => import('./profiles'), 'setMode', 'switchProfile'),
};

/** Adds the commands about capabilities and profiles. */
export function addCapabilityCommands(commands: CommandRuns, context: CommandContext): Disposable {
  const own = mapCommands(handlers, (handler, id) => async (...args) => {
    // Before anything is loaded, because the next key may select another row.
    const rows = args.length === 0 && aboutRows.has(id) ? await context.view.settledSelection() : [];
    if (!rows) return undefined;
    return rows.length > 0 ? handler(context, rows[0], rows) : handler(context, ...args);
  });
  const guarded = mapCommands(
    context.outside.guard(own),
    (run) =>
      (...args) =>
        args[0] === warming ? undefined : run(...args),
  );
  const added = commands.add(guarded);
  // Where the system never stands, the start says why.
  warmUp().catch(() => undefined);
  return added;
}

const warming = 'warm up';

/**
 * The editor asks for an extension when one of its commands runs for the first time. Keys that follow at once would be
 * heard first, and the command would be about the row that they select; so the commands of the tree's keys run once
 * without doing anything.
 */
async function warmUp(): Promise<void> {
  const commands = [...aboutRows].map((id) => ({ command: commandId(id), args: warming }));
  await vscode.commands.executeCommand('runCommands', { commands });
}

/**
 * Commands of the Capabilities view whose keys are about the selected rows. The table of commands says so too; it is
 * not loaded by the start, and a test compares the two.
 */
export const aboutRows: ReadonlySet<CommandId> = new Set<keyof typeof capabilityCommandTable>([
  'toggleSelected',
  'moveUp',
  'moveDown',
  'openDetails',
]);
