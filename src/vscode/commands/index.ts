import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/lifecycle';
import { lazily } from './lazily';
import type { capabilityCommandTable } from '../manifest/commands/capabilityCommandTable';
import { commandId } from '../manifest/commands/commandId';
import { mapCommands } from '../manifest/commands/commandRun';
import { aboutRows } from './aboutRows';
import type { CommandRuns } from './commandRuns';
import type { CommandContext, CommandHandler } from './context';

const handlers: Readonly<Record<keyof typeof capabilityCommandTable, CommandHandler<keyof CommandContext>>> = {
  acceptWidening: lazily(async () => (await import('./manageProfiles')).acceptWidening),
  deleteProfile: lazily(async () => (await import('./manageProfiles')).deleteProfile),
  duplicateProfile: lazily(async () => (await import('./manageProfiles')).duplicateProfile),
  exportProfile: lazily(async () => (await import('./manageProfiles')).exportProfile),
  importProfile: lazily(async () => (await import('./manageProfiles')).importProfile),
  newProfile: lazily(async () => (await import('./manageProfiles')).newProfile),
  editProfile: lazily(async () => (await import('./editProfile')).editProfile),
  manageTrust: () => vscode.commands.executeCommand('workbench.trust.manage'),
  renameProfile: lazily(async () => (await import('./manageProfiles')).renameProfile),
  resetProfile: lazily(async () => (await import('./manageProfiles')).resetProfile),
  chooseTools: lazily(async () => (await import('./chooseTools')).chooseTools),
  clearFilter: lazily(async () => (await import('./filterCapabilities')).clearFilter),
  disableCapability: lazily(async () => (await import('./capabilities')).disableCapability),
  enableCapability: lazily(async () => (await import('./capabilities')).enableCapability),
  filterCapabilities: lazily(async () => (await import('./filterCapabilities')).filterCapabilities),
  groupBy: lazily(async () => (await import('./capabilities')).groupBy),
  listCapabilities: lazily(async () => (await import('./show')).listCapabilities),
  moveDown: lazily(async () => (await import('./capabilities')).moveDown),
  moveUp: lazily(async () => (await import('./capabilities')).moveUp),
  comparePlainAgent: lazily(async () => (await import('./chatAgent')).comparePlainAgent),
  openChatWithProfile: lazily(async () => (await import('./chatAgent')).openChatWithProfile),
  useAgentForNewChats: lazily(async () => (await import('./chatAgent')).useAgentForNewChats),
  openDetails: lazily(async () => (await import('./show')).openDetails),
  reviewPrompt: lazily(async () => (await import('./reviewPrompt')).reviewPrompt),
  runTool: lazily(async () => (await import('./runTool')).runTool),
  setMode: lazily(async () => (await import('./profiles')).setMode),
  showAuditLog: lazily(async () => (await import('./show')).showAuditLog),
  showRuntimeAgent: lazily(async () => (await import('./show')).showRuntimeAgent),
  switchProfile: lazily(async () => (await import('./profiles')).switchProfile),
  toggleSelected: lazily(async () => (await import('./capabilities')).toggleSelected),
  toggleTool: lazily(async () => (await import('./capabilities')).toggleTool),
  undo: lazily(async () => (await import('./capabilities')).undo),
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
