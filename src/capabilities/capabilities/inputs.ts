import { filterGrammar } from '../../core/registry/filterGrammar';
import { strictObject } from '../../core/capability/declare';
import { flag, type InputOf, options, text, wholeNumber } from '../shared/parameters';

const kind = { type: 'string', enum: ['data', 'state', 'action', 'control', 'status'] } as const;

export const listCapabilitiesInput = options({
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
});
export type ListCapabilitiesInput = InputOf<typeof listCapabilitiesInput>;

export const searchToolsInput = strictObject(
  { query: text("What the tool should do, in a few words (e.g., 'create github issue')", 500) },
  {
    limit: wholeNumber('The most tools to answer', 1, 50, 10),
    kind: { ...kind, description: 'Only tools of this kind' },
    source: text('Only this source, such as `mcp:files` or `builtin`', 200),
  },
);
export type SearchToolsInput = InputOf<typeof searchToolsInput>;

export const checkCapabilityInput = options({
  capability: text('Id of a capability, such as `file_system` or `cap.publish.post`', 200),
  tool: text('Instead: name of a tool, such as `write_file`', 200),
  arguments: { type: 'object', description: 'The arguments that the call of `tool` would have' },
});
export type CheckCapabilityInput = InputOf<typeof checkCapabilityInput>;
