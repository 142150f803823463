import { say, type Sentence } from '../base/sentence';
import type { Agent } from './agents';

/** What an agent still wants from its user before our hook holds, for who has just installed it. */
export function trustNotes({ id }: Agent): readonly Sentence[] {
  switch (id) {
    case 'codex':
      return [say('trust_codex'), say('trust_next_session')];
    case 'gemini':
      return [say('trust_gemini'), say('trust_next_session')];
    case 'vscode':
      return [say('trust_vscode'), say('trust_shared')];
    case 'copilot':
      return [say('trust_shared'), say('trust_next_session')];
    case 'cursor':
      return [say('trust_cursor'), say('trust_next_session')];
    default:
      return [say('trust_next_session')];
  }
}
