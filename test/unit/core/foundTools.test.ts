import { strict as assert } from 'node:assert';
import { FoundTools } from '../../../src/core/registry/foundTools';
import { listedTools, offeredTools } from '../../../src/core/profiles/offeredTools';
import { GovernedTools } from '../../../src/mcp/server/governed';
import { gateway } from '../../support/mcp/harness';

describe('the tools that a search found', () => {
  it('are told once each, keep the latest sixty and go with the profile', () => {
    const found = new FoundTools();
    let changes = 0;
    const told = found.onDidChange(() => changes++);
    found.add(['a', 'b']);
    found.add(['b']);
    assert.deepEqual([[...found.names], changes], [['a', 'b'], 1]);
    found.add(Array.from({ length: 60 }, (_, index) => `t${index}`));
    assert.deepEqual([found.names.size, found.names.has('a'), found.names.has('t59')], [60, false, true]);
    found.clear();
    found.clear();
    assert.deepEqual([found.names.size, changes], [0, 3]);
    told.dispose();
    found.dispose();
  });

  it('S2.discovery: are listed beside the searching ones where the profile offers search, and all tools where it does not', async () => {
    const lean = { capabilities: ['math', { ref: 'capabilities', config: { offer: 'search' } }] };
    const blind = { capabilities: ['math', { ref: 'capabilities', enabled: false, config: { offer: 'search' } }] };
    const g = await gateway({ set: { profiles: { lean, blind }, activeProfile: 'lean' } });
    try {
      const { profiles, discovery } = g.core.tools;
      const { found } = discovery;
      profiles.activate('lean');
      const listed = (): string[] => listedTools(profiles.active(), found.names).map((tool) => tool.modelName);
      const searching = ['list_capabilities', 'search_tools', 'check_capability'];
      assert.deepEqual(listed(), searching);
      await g.call('search_tools', { query: 'multiply', limit: 1 });
      assert.deepEqual(listed(), ['multiply', ...searching]);
      profiles.activate('blind');
      assert.deepEqual(
        listed(),
        offeredTools(profiles.active()).map((tool) => tool.modelName),
        'nothing could find them',
      );
      profiles.activate('lean');
      assert.deepEqual(listed(), searching, 'another profile forgets');
    } finally {
      await g.close();
    }
  });

  it('S2.discovery: a client of our server is told when a profile with the same tools offers search, and when one lists all again', async () => {
    const all = { capabilities: ['math', 'capabilities'] };
    const lean = { capabilities: ['math', { ref: 'capabilities', config: { offer: 'search' } }] };
    const g = await gateway({ set: { profiles: { all, lean }, activeProfile: 'all' } });
    const { registry, profiles, discovery } = g.core.tools;
    const { found } = discovery;
    const { router } = g.core.gate;
    const tools = new GovernedTools({
      registry,
      profiles,
      router,
      prompt: () => '',
      found,
      only: (tool) => tool.capability.id === 'math',
    });
    let told = 0;
    const subscription = tools.onDidChange(() => told++);
    try {
      profiles.activate('all');
      await tools.list(new Set());
      told = 0;
      const seen: unknown[] = [];
      for (const profile of ['all', 'lean', 'all', 'lean']) {
        profiles.activate(profile);
        seen.push([profile, (await tools.list(new Set())).length, told]);
      }
      assert.deepEqual(seen, [
        ['all', 5, 0],
        ['lean', 0, 1],
        ['all', 5, 2],
        ['lean', 0, 3],
      ]);
    } finally {
      subscription.dispose();
      tools.dispose();
      await g.close();
    }
  });
});
