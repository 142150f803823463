import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { builtin, integer, object, objects, string, strings } from '../../core/capability/declare';
import { readNotesInput, searchNotesInput, webSearchInput, writeNoteInput } from './inputs';

const shared = {
  ...harmless,
  timeoutMs: 10_000,
  icon: 'notebook',
} as const satisfies Partial<ToolDefinition>;

/**
 * A scratchpad with sections, sources and search, kept per profile, and web search through an endpoint of the user's
 * choice.
 */
export const research = builtin({
  id: 'research',
  name: 'Research',
  description: 'Deep research capability with organized scratchpad.',
  summary: 'a scratchpad with sources',
  icon: 'search',
  category: 'AI',
  systemPrompt: 'You have access to a research scratchpad. Use it to organize your thoughts and findings.',
  tools: [
    defineTool(
      {
        ...shared,
        name: 'write_note',
        title: 'Write note',
        kind: 'action',
        modelDescription:
          'Write findings into a section of the research scratchpad, with their sources. Use it while researching, so that nothing is lost when the conversation grows; not for the final answer. Adds to the section by default; replace overwrites it, and empty text with replace removes it. Returns the section and all sections.',
        userDescription: 'Write findings into the research scratchpad',
        inputSchema: writeNoteInput,
        outputSchema: object({ section: string, sections: strings }, { characters: integer }),
        tags: ['research', 'notes', 'scratchpad', 'remember'],
      },
      async () => (await import('./scratchpadTools')).writeNote,
    ),
    defineTool(
      {
        ...shared,
        name: 'read_notes',
        title: 'Read notes',
        kind: 'data',
        modelDescription:
          'Read the research scratchpad: one section, or all of them. Use it before writing a conclusion or going on with earlier research. Returns sections with text and sources.',
        userDescription: 'Read the research scratchpad',
        inputSchema: readNotesInput,
        outputSchema: object({ sections: objects }),
        tags: ['research', 'notes', 'scratchpad'],
      },
      async () => (await import('./scratchpadTools')).readNotes,
    ),
    defineTool(
      {
        ...shared,
        name: 'search_notes',
        title: 'Search notes',
        kind: 'data',
        modelDescription:
          'Search the research scratchpad for words in sections, notes and sources. Use it instead of reading everything when the notes are long. Returns matching lines with their section, best first.',
        userDescription: 'Search the research scratchpad',
        inputSchema: searchNotesInput,
        outputSchema: object({ matches: objects, count: integer }),
        tags: ['research', 'notes', 'find'],
      },
      async () => (await import('./scratchpadTools')).searchNotes,
    ),
    defineTool(
      {
        ...shared,
        name: 'web_search',
        title: 'Web search',
        kind: 'data',
        modelDescription:
          'Search the web for pages about something. Use it to find sources; read a page itself with web_fetch. Works through the search endpoint that the user set. Returns results with title, url and snippet.',
        userDescription: 'Search the web through your search endpoint',
        inputSchema: webSearchInput,
        outputSchema: object({ results: objects, count: integer }),
        scopes: ['http:read'],
        sideEffects: ['network.http'],
        timeoutMs: 40_000,
        untrustedOutput: true,
        icon: 'search',
        tags: ['search', 'web', 'internet', 'find', 'research'],
      },
      async () => (await import('./webSearch')).webSearch,
    ),
  ],
});
