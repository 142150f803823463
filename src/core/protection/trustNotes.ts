import { say, type Sentence } from '../base/sentence';
import type { UserFolders } from '../vocabulary/agentPlaces';
import { type Agent, type AgentId, agents } from './agents';
import { entryPath } from './plan';

const nextSession = say('trust_next_session');
const notes: Readonly<Partial<Record<AgentId, readonly Sentence[]>>> = {
  codex: [say('trust_codex'), nextSession],
  gemini: [say('trust_gemini'), nextSession],
  vscode: [say('trust_vscode')],
  cursor: [say('trust_cursor'), nextSession],
};

/** What an agent still wants from its user before our hook holds, for who has just installed it. */
export function trustNotes(agent: Agent, user: UserFolders): readonly Sentence[] {
  const file = entryPath(agent, user);
  const isShared = agents.some((one) => one !== agent && entryPath(one, user) === file);
  return [...(isShared ? [say('trust_shared')] : []), ...(notes[agent.id] ?? [nextSession])];
}
