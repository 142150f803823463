import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import type { CheckCapabilityInput } from './checkCapability';
import { listCapabilitiesDefinition, searchToolsDefinition } from './discoveryTools';
import type { ListCapabilitiesInput } from './listCapabilities';
import type { SearchToolsInput } from './searchTools';
import { defineTool } from '../../core/capability/tool';
import { builtin, object, objects, strictObject, string, strings } from '../../core/capability/declare';
import { choice, text } from '../shared/parameters';

const checkCapabilityDefinition: ToolDefinition = {
  name: 'check_capability',
  title: 'Check capability',
  kind: 'status',
  modelDescription:
    'Check whether something can be done before you try it: permission, policy, approval, accounts, keys. Use it when a call was denied or something may be missing, not before every call. Give a capability for its verdict and what would change it, or a tool with arguments to learn whether that call would run, ask or be denied, and by which rule.',
  userDescription: 'Tells whether a capability or a call would be allowed, and what stands in the way',
  modelInputs: { capability: '', tool: '', arguments: '' },
  inputSchema: strictObject(
    {},
    {
      capability: text('Id of a capability, such as `file_system` or `cap.publish.post`', 200),
      tool: text('Instead: name of a tool, such as `write_file`', 200),
      arguments: { type: 'object', description: 'The arguments that the call of `tool` would have' },
    },
  ),
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
  ...harmless,
  timeoutMs: 10_000,
  repeatable: true,
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
    defineTool<ListCapabilitiesInput>(
      listCapabilitiesDefinition,
      async () => (await import('./listCapabilities')).listCapabilities,
    ),
    defineTool<SearchToolsInput>(searchToolsDefinition, async () => (await import('./searchTools')).searchTools),
    defineTool<CheckCapabilityInput>(
      checkCapabilityDefinition,
      async () => (await import('./checkCapability')).checkCapability,
    ),
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
