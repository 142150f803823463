import { strict as assert } from 'node:assert';
import { offeredTools } from '../../../src/core/profiles/offeredTools';
import { parseProfile, resolveProfile } from '../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { fiveCapabilities, named } from '../../support/profiles';

const registry = new CapabilityRegistry();
for (const capability of fiveCapabilities) registry.register(capability);
registry.register(
  named('hidden', [
    { name: 'secret', agentVisible: false },
    { name: 'never', permissions: { user: 'allowed', agent: 'forbidden' } },
    'seen',
  ]),
);
const offered = (raw: unknown): string[] =>
  offeredTools(resolveProfile(parseProfile('p', raw, 'user').value, registry)).map((tool) => tool.definition.name);

describe('the tools that agents are offered', () => {
  it("D.tools: are the profile's, in its order", () => {
    assert.deepEqual(offered({ capabilities: ['math', 'file_system', { ref: 'todo_list', enabled: false }] }), [
      'add',
      'divide',
      'read_file',
      'write_file',
    ]);
  });

  it('S2.permissions: leave out what no agent may see or call', () => {
    assert.deepEqual(offered({ capabilities: ['hidden'] }), ['seen']);
  });

  it('S0.permission: leave out what needs a scope that the profile is not granted', () => {
    assert.deepEqual(offered({ scopes: ['file:read'], capabilities: ['file_system', 'web_fetch'] }), ['read_file']);
  });

  it('S1.modes: leave out what only writes while the mode is plan, and keep what can read', () => {
    assert.deepEqual(offered({ mode: 'plan', capabilities: ['file_system', 'web_fetch', 'todo_list'] }), [
      'read_file',
      'web_fetch',
      'write_todos',
      'read_todos',
    ]);
  });
});
