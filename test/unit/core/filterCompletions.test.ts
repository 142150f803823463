import { strict as assert } from 'node:assert';
import { filterCompletions } from '../../../src/core/registry/filterCompletions';
import { parseToolFilter, type ToolFacts } from '../../../src/core/registry/toolFilter';

const tool = (more: Partial<ToolFacts>): ToolFacts => ({
  name: 'write_file',
  description: 'Writes a file.',
  kind: 'action',
  riskLevel: 'medium',
  sideEffects: ['fs.write'],
  scopes: ['file:write'],
  category: 'File Operations',
  source: 'builtin',
  permission: 'confirmation_required',
  enabled: true,
  ...more,
});

const tools = [
  tool({}),
  tool({
    name: 'high_notes',
    riskLevel: 'low',
    sideEffects: [],
    scopes: ['notes:read'],
    source: 'mcp:notes',
    permission: 'allowed',
    enabled: false,
  }),
];

const found = (text: string): readonly string[] => tools.filter(parseToolFilter(text).keep).map(({ name }) => name);

describe('the filter of every list of tools', () => {
  it('S1.filters: reads the words that a row shows, what an agent meets, sources by name, and spaces in quotes', () => {
    for (const [text, expected] of [
      ['asks', ['write_file']],
      ['medium on', ['write_file']],
      ['high', ['high_notes']],
      ['agent:allowed', ['high_notes']],
      ['-agent:asks', ['high_notes']],
      ['is:allowed', []],
      ['source:notes', ['high_notes']],
      ['source:mcp', ['high_notes']],
      ['category:"File Operations" -notes', ['write_file']],
      ['category:"File Operations",network', ['write_file', 'high_notes']],
    ] as const)
      assert.deepEqual(found(text), expected, text);
  });

  it('S1.filters: is completed by keys, and by values of the grammar and of the tools that there are', () => {
    const parts = (text: string): readonly string[] => filterCompletions(text, tools).map(({ part }) => part);
    assert.deepEqual(parts('file -s'), ['-scope:', '-source:']);
    assert.deepEqual(parts('scope:'), ['scope:file:write', 'scope:notes:read']);
    assert.deepEqual(parts('risk:l'), ['risk:low']);
    assert.deepEqual(parts('risk:<'), ['risk:<=medium', 'risk:<=high']);
    assert.deepEqual(parts('source:mcp'), ['source:mcp:notes']);
    assert.deepEqual(parts('is:on category:'), ['category:"File Operations"']);
    assert.deepEqual(parts('kind:data,st'), ['kind:data,state', 'kind:data,status']);
    assert.deepEqual(parts('risc:'), []);
    assert.deepEqual(parts('is:on'), []);
  });

  it('S1.filters: each completion is a filter without a fault, and goes on with what stood before', () => {
    for (const start of ['', 'notes ', 'is:on -', 'risk:low effect:', 'x category:', 'agent:', 'kind:', 'is:'])
      for (const { text, isWhole } of filterCompletions(start, tools)) {
        assert.ok(text.startsWith(start.replace(/\S*$/, '')), text);
        if (isWhole) assert.deepEqual(parseToolFilter(text).faults, [], text);
      }
  });
});
