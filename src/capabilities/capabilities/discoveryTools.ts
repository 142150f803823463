import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { filterGrammar } from '../../core/registry/filterGrammar';
import { integer, object, objects, strictObject } from '../../core/capability/declare';
import { flag, text, wholeNumber } from '../shared/parameters';

const readsOnly = {
  kind: 'status',
  ...harmless,
  timeoutMs: 10_000,
  repeatable: true,
} as const satisfies Partial<ToolDefinition>;

const kind = { type: 'string', enum: ['data', 'state', 'action', 'control', 'status'] } as const;

export const listCapabilitiesDefinition: ToolDefinition = {
  ...readsOnly,
  name: 'list_capabilities',
  title: 'List capabilities',
  modelDescription:
    'List what you can do here: capabilities with their tools by kind, and for each tool whether you may call it (allowed, confirmation_required, forbidden). Use it to plan work of several steps or to learn what is switched off; for one tool for a purpose use search_tools. Returns at most 200 tools a page; the last field says how to go on.',
  userDescription: 'Lists the capabilities with their tools, permissions and data shapes',
  modelInputs: {
    capability: '',
    kind: '',
    category: '',
    source: '',
    filter: 'Such as risk:<=medium -effect:fs.write',
    include_disabled: '',
    shapes: 'With schemas',
    offset: '',
  },
  inputSchema: strictObject(
    {},
    {
      capability: text('Only this capability, by its id', 200),
      kind: { ...kind, description: 'Only tools of this kind' },
      category: text('Only capabilities of this category, such as `Network`', 200),
      source: text(
        'Only this source: `builtin`, `mcp` for all servers, `mcp:files` for one, `ext`, `chan`, `definition`',
        200,
      ),
      filter: text(`Only tools that fit: ${filterGrammar}`, 500),
      include_disabled: flag('Also what the profile has switched off, which only the user can switch on', false),
      shapes: flag('Also the input and output schema of each tool', false),
      offset: { type: 'integer', minimum: 0, default: 0, description: 'How many tools to skip' },
    },
  ),
  outputSchema: object({}, { total_tools: integer, capabilities: objects, next_offset: integer }),
  icon: 'list-tree',
  tags: ['capability', 'discovery', 'available', 'plan', 'permissions', 'overview'],
};

export const searchToolsDefinition: ToolDefinition = {
  ...readsOnly,
  name: 'search_tools',
  title: 'Search tools',
  modelDescription:
    'Search the tools that are on by what you need, in words of their names, descriptions and parameters, best first. Use it where no tool of your list fits; what it finds you can call by name from then on. Returns the name and a sentence of each, and where the user is asked.',
  userDescription: 'Finds tools by what they do',
  modelInputs: { query: 'A few words, such as create github issue', limit: '', source: '' },
  inputSchema: strictObject(
    {
      query: text("What the tool should do, in a few words (e.g., 'create github issue')", 500),
    },
    {
      limit: wholeNumber('The most tools to answer', 1, 50, 10),
      kind: { ...kind, description: 'Only tools of this kind' },
      source: text('Only this source, such as `mcp:files` or `builtin`', 200),
    },
  ),
  outputSchema: object({}, { count: integer, tools: objects }),
  icon: 'search',
  tags: ['find', 'tool', 'discovery', 'lookup', 'which'],
};
