import * as vscode from 'vscode';
import type { ListedAgent } from './agentFileKeeper';

/** The editor's setting for the agent of a new chat, by its name. */
export const newChatsSetting = 'chat.newSession.defaultMode';

/**
 * Whether new chats of this window surely begin with an agent: another one of its name could be chosen in its place.
 */
export function newChatsBeginWith(agent: ListedAgent | undefined): boolean {
  const named: unknown = vscode.workspace.getConfiguration().get(newChatsSetting);
  return agent !== undefined && named === agent.name && !agent.isDisputed;
}
