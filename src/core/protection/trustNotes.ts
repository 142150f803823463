import { say, type Sentence } from '../base/sentence';
import type { Agent, AgentId } from './agents';

const nextSession = say('trust_next_session');
const notes: Readonly<Partial<Record<AgentId, readonly Sentence[]>>> = {
  codex: [say('trust_codex'), nextSession],
  gemini: [say('trust_gemini'), nextSession],
  vscode: [say('trust_vscode'), say('trust_shared')],
  copilot: [say('trust_shared'), nextSession],
  cursor: [say('trust_cursor'), nextSession],
};

/** What an agent still wants from its user before our hook holds, for who has just installed it. */
export const trustNotes = ({ id }: Agent): readonly Sentence[] => notes[id] ?? [nextSession];
