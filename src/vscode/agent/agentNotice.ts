import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports/platform';
import { runCommand } from '../manifest/commands/runCommand';
import type { ListedAgent } from './agentFileKeeper';
import { showInformation } from '../notices';

const introducedKey = 'customAgent.introduced';
const chosenKey = 'customAgent.chosen';

/** What was told before: once to the user, and once for each agent in a workspace. */
interface AgentNoticeMemory {
  readonly user: KeyValueStore;
  readonly workspace: KeyValueStore;
}

/**
 * Says which agent of the chat follows the profile: once to a new user, and where it has become another one, because
 * a chat that lost its agent works with the editor's own, which no profile governs.
 */
export async function tellOfAgent(agent: ListedAgent | undefined, memory: AgentNoticeMemory): Promise<void> {
  if (!agent) return;
  const before = memory.workspace.get(chosenKey);
  if (before === agent.uri) return;
  await memory.workspace.set(chosenKey, agent.uri);
  const isNew = memory.user.get(introducedKey) !== true;
  if (isNew) await memory.user.set(introducedKey, true);
  // In a workspace that is new to us the agent is where it always is.
  else if (before === undefined && !agent.isOfWorkspace) return;
  const use = vscode.l10n.t('Use It in the Chat');
  const always = vscode.l10n.t('Use It for New Chats');
  const compare = vscode.l10n.t('What Is the Difference?');
  const text = isNew
    ? vscode.l10n.t(
        'Chats with the agent "{0}" follow your profile and rules. Plain Agent can also use the editor\'s own tools, for files and the terminal, which pass them by.',
        agent.name,
      )
    : vscode.l10n.t(
        'Here the profile is the agent "{0}". A chat with another agent, plain Agent too, does not follow it.',
        agent.name,
      );
  const answer = await showInformation(text, use, always, compare);
  if (answer === use) await runCommand('openChatWithProfile');
  if (answer === always) await runCommand('useAgentForNewChats');
  if (answer === compare) await runCommand('comparePlainAgent');
}
