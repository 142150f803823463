import type { RegisteredTool } from '../registry/registry';
import { sourceKind } from '../vocabulary/toolSource';

/** What a tool keeps for later calls, and whether it writes there or hands it out. */
interface KeptNotes {
  readonly of: 'notes' | 'todos';
  readonly does: 'write' | 'read' | 'both';
}

const tools: Readonly<Record<string, KeptNotes>> = {
  write_note: { of: 'notes', does: 'write' },
  read_notes: { of: 'notes', does: 'read' },
  search_notes: { of: 'notes', does: 'read' },
  // It answers with the list as it is now.
  write_todos: { of: 'todos', does: 'both' },
  read_todos: { of: 'todos', does: 'read' },
};

/** What one of our tools does with notes or tasks; undefined for all others. */
export function notesOf({ source, definition: { name } }: RegisteredTool): KeptNotes | undefined {
  return sourceKind(source).isOurs && Object.hasOwn(tools, name) ? tools[name] : undefined;
}
