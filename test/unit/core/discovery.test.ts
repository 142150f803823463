import { strict as assert } from 'node:assert';
import { Discovery } from '../../../src/core/profiles/discovery';
import { named, profileWorld } from '../../support/profiles';

const many = (prefix: string, count: number) =>
  named(
    prefix,
    Array.from({ length: count }, (_one, index) => ({
      name: `${prefix}_tool_${index}`,
      modelDescription: `Handle the ${prefix} number ${index}.`,
    })),
  );

describe('the search over the registry', () => {
  let world: ReturnType<typeof profileWorld>;
  let discovery: Discovery;
  beforeEach(() => {
    world = profileWorld([many('apple', 30), many('pear', 30)], {
      user: { default: { capabilities: ['apple', 'pear'] } },
    });
    discovery = new Discovery(world.registry, world.store);
  });
  afterEach(() => {
    discovery.dispose();
    world.dispose();
  });
  const found = (query: string): string[] => discovery.search(query, 3).map((tool) => tool.name);

  it('S2.discovery: reads tools ahead a little at a time, and a search reads what is left', () => {
    let asked = 0;
    const few = (): boolean => ++asked > 20;
    assert.equal(discovery.prepare(few), false);
    assert.deepEqual(found('pear number 29').slice(0, 1), ['pear_tool_29']);
    assert.equal(
      discovery.prepare(() => true),
      true,
      'the search read the rest',
    );
  });

  it('S2.discovery: finds what is offered only, without reading anything anew when that changes', async () => {
    assert.deepEqual(found('apple_tool_3').slice(0, 1), ['apple_tool_3']);
    world.edit('user', { default: { capabilities: [{ ref: 'apple', tools: { apple_tool_3: false } }, 'pear'] } });
    assert.equal(
      discovery.prepare(() => true),
      true,
    );
    assert.ok(!found('apple_tool_3').includes('apple_tool_3'));
  });

  it('forgets tools that went, however often they come back', () => {
    for (let times = 0; times < 20; times++) {
      const plum = world.registry.register(many('plum', 40));
      world.edit('user', { default: { capabilities: ['apple', 'plum'] } });
      assert.deepEqual(found('plum number 7').slice(0, 1), ['plum_tool_7']);
      plum.dispose();
      world.store.refresh();
      assert.deepEqual(
        found('plum number 7').filter((name) => name.startsWith('plum')),
        [],
      );
    }
    assert.deepEqual(found('apple number 7').slice(0, 1), ['apple_tool_7']);
  });
});
