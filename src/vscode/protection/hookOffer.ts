import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports/platform';
import type { AgentProtection } from '../../core/protection/meter';
import type { ListedAgent } from '../agent/agentFileKeeper';
import { newChatsBeginWith } from '../agent/newChats';
import { runCommand } from '../manifest/commands/runCommand';
import { showInformation } from '../notices';

const offeredKey = 'protection.offered';

interface HookOffer {
  /** What was offered to this user before. */
  readonly memory: KeyValueStore;
  /** The agent that follows the profile, once no notice about it is open. */
  readonly agent: () => Promise<ListedAgent | undefined>;
  /** The meter of the editor's own agent. */
  readonly meter: () => AgentProtection;
}

/** Offers the hook of the editor's own agent, once to a user: where it stands open, and new chats begin with it. */
export async function offerHook({ memory, agent, meter }: HookOffer): Promise<void> {
  if (memory.get(offeredKey) === true) return;
  if (newChatsBeginWith(await agent())) return;
  const found = meter();
  // Another window may have offered it meanwhile.
  if (found.isInstalled || memory.get(offeredKey) === true) return;
  await memory.set(offeredKey, true);
  const protect = vscode.l10n.t('Protect This Agent…');
  const compare = vscode.l10n.t('What Is the Difference?');
  const text = vscode.l10n.t(
    "Plain Agent's own tools, for files and the terminal, pass your rules by. With a hook in your own files it asks them before each of these tools; you see the change first.",
  );
  const answer = await showInformation(text, protect, compare, vscode.l10n.t('Not Now'));
  if (answer === protect) await runCommand('protectAgent', 'vscode');
  if (answer === compare) await runCommand('comparePlainAgent');
}
