import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { builtin, integer, object, objects, string, strings } from '../../core/capability/declare';
import { choice } from '../shared/parameters';
import { checkCapabilityInput, listCapabilitiesInput, searchToolsInput } from './inputs';

const readsOnly = {
  kind: 'status',
  ...harmless,
  timeoutMs: 10_000,
  repeatable: true,
} as const satisfies Partial<ToolDefinition>;

const listCapabilitiesDefinition: ToolDefinition = {
  ...readsOnly,
  name: 'list_capabilities',
  title: 'List capabilities',
  modelDescription:
    'List what you can do here: capabilities with their tools by kind, and for each tool whether you may call it (allowed, confirmation_required, forbidden). Use it to plan work of several steps or to learn what is switched off; for one tool for a purpose use search_tools. Returns at most 200 tools a page; the last field says how to go on.',
  userDescription: 'Lists the capabilities with their tools, permissions and data shapes',
  modelInputs: {
    capability: '',
    kind: 'Of tools',
    category: 'Such as Network',
    source: 'builtin, mcp, ext, chan, definition',
    filter: 'Such as risk:<=medium -effect:fs.write',
    include_disabled: '',
    shapes: 'With schemas',
    offset: '',
  },
  inputSchema: listCapabilitiesInput,
  outputSchema: object({}, { total_tools: integer, capabilities: objects, next_offset: integer }),
  icon: 'list-tree',
  tags: ['capability', 'discovery', 'available', 'plan', 'permissions', 'overview'],
};

const searchToolsDefinition: ToolDefinition = {
  ...readsOnly,
  name: 'search_tools',
  title: 'Search tools',
  modelDescription:
    'Search the tools that are on by what you need, in words of their names, descriptions and parameters, best first. Use it where no tool of your list fits; what it finds you can call by name from then on. Returns the name and a sentence of each, and where the user is asked.',
  userDescription: 'Finds tools by what they do',
  modelInputs: { query: 'A few words, such as create github issue', limit: '', source: '' },
  inputSchema: searchToolsInput,
  outputSchema: object({}, { count: integer, tools: objects }),
  icon: 'search',
  tags: ['find', 'tool', 'discovery', 'lookup', 'which'],
};

const checkCapabilityDefinition: ToolDefinition = {
  ...readsOnly,
  name: 'check_capability',
  title: 'Check capability',
  modelDescription:
    'Check whether something can be done before you try it: permission, policy, approval, accounts, keys. Use it when a call was denied or something may be missing, not before every call. Returns the verdict of a capability and what would change it, or for a tool with arguments whether that call would run, ask or be denied, and by which rule.',
  userDescription: 'Tells whether a capability or a call would be allowed, and what stands in the way',
  modelInputs: { capability: '', tool: '', arguments: '' },
  inputSchema: checkCapabilityInput,
  outputSchema: object(
    {},
    {
      capability: string,
      verdict: { type: 'string', enum: ['yes', 'yes-after-probe', 'yes-after-approval', 'blocked-by-policy', 'no'] },
      blocking: strings,
      required_actions: strings,
      warnings: strings,
      accounts: strings,
      tools: objects,
      tool: string,
      effect: { type: 'string', enum: ['pass', 'ask', 'deny'] },
      reasons: strings,
      message: string,
    },
  ),
  icon: 'question',
  tags: ['capability', 'policy', 'permission', 'approval', 'requirement', 'why'],
};

/** The question that an agent asks before it tries: can this be done, and if not, what would make it possible? */
export const capabilities = builtin({
  id: 'capabilities',
  name: 'Capabilities',
  description: 'Tells agents what they may do, what is missing and why something was denied. Read only.',
  summary: 'what an agent may do, and why',
  icon: 'shield',
  category: 'Governance',
  tools: [
    defineTool(listCapabilitiesDefinition, async () => (await import('./listCapabilities')).listCapabilities),
    defineTool(searchToolsDefinition, async () => (await import('./searchTools')).searchTools),
    defineTool(checkCapabilityDefinition, async () => (await import('./checkCapability')).checkCapability),
  ],
  configSchema: object(
    {},
    {
      offer: choice(
        'What models are listed in agent mode and over MCP: all tools of the profile, or only those of this capability; what search_tools finds joins the list.',
        ['all', 'search'],
        'all',
      ),
    },
  ),
  stricterConfig: { offer: ['all', 'search'] },
});
