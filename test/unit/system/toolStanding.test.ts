import { strict as assert } from 'node:assert';
import { say } from '../../../src/core/base/sentence';
import type { Capability } from '../../../src/core/capability/capability';
import type { ToolDefinition } from '../../../src/core/vocabulary/toolDefinition';
import { capabilityOf, definition } from '../../support/gate';
import { openSystem } from '../../support/system';

/** What *Check Capability…* says of a tool, and what the gate answers to a call of it. */
async function standing(tool: Partial<ToolDefinition>, more: Partial<Capability> = {}, capabilities = ['thing']) {
  const system = await openSystem({
    user: { profiles: { p: { capabilities, scopes: ['fs:read'] } }, activeProfile: 'p' },
  });
  const registration = system.core.tools.registry.register(capabilityOf(definition(tool), {}, more));
  try {
    const answer = await system.core.gate.resolver.governance.resolve('thing');
    assert.ok(!('unknown' in answer));
    const [found] = answer.tools;
    assert.ok(found);
    const { effect, steps } = await system.core.gate.router.preview({
      ...{ tool: found.name, input: {}, actor: { type: 'agent', id: 'test' }, surface: 'tool' },
    });
    return { found, effect, denied: steps.find((one) => one.effect === 'deny')?.error?.message };
  } finally {
    registration.dispose();
    system.dispose();
  }
}

describe('what is said of a tool before its input is known', () => {
  it('S4.resolver: a tool that the gate denies whatever its input is denied here, in the same words', async () => {
    for (const [name, tool, more, capabilities] of [
      ['hidden from agents', { agentVisible: false }],
      ['forbidden', { permissions: { user: 'allowed', agent: 'forbidden' } }],
      ['without a scope', { scopes: ['fs:write'] }],
      ['off', {}, {}, ['math']],
      ['hidden and off', { agentVisible: false }, {}, ['math']],
      ['not of this machine', {}, { missing: () => say('coming_soon', 'Thing') }],
    ] as const) {
      const { found, effect, denied } = await standing(tool, more, capabilities && [...capabilities]);
      assert.deepEqual([found.effect, effect], ['deny', 'deny'], name);
      assert.equal(found.why, denied, name);
    }
  });

  it('S4.resolver: one that asks asks, and one that may run may run', async () => {
    const asking = await standing({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    assert.deepEqual([asking.found.effect, asking.effect], ['ask', 'ask']);
    const free = await standing({});
    assert.deepEqual([free.found, free.effect], [{ name: 'do_thing', effect: 'pass' }, 'pass']);
  });
});
