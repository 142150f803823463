import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Access } from '../../../../src/core/vocabulary/access';
import { PolicyEngine } from '../../../../src/core/policy/rules/engine';
import { GrantStore } from '../../../../src/core/policy/grants/grants';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { presetBoundaries, presetNames } from '../../../../src/core/policy/rules/presets';
import { runs } from '../../../support/counts';
import { capabilityOf, definition, makeGate } from '../../../support/gate';
import { FakeClock, fakePorts, MemoryStore } from '../../../support/toolContext';

const path = fc.constantFrom('src/a.ts', 'docs/x.md', '.env', 'keys/server.pem');

function setup(mode: 'plan' | 'execute') {
  let ran = 0;
  const capability = capabilityOf(
    definition({
      name: 'touch_thing',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
      permissions: { user: 'allowed', agent: 'confirmation_required' },
      riskLevel: 'medium',
      sideEffects: ['fs.write'],
    }),
    {
      accesses: (input): readonly Access[] => [
        { effect: mode === 'plan' ? 'fs.read' : 'fs.write', resource: (input as { path: string }).path },
      ],
      run: async () => {
        ran++;
        return { payload: { done: true } };
      },
    },
  );
  const policy = new PolicyEngine([], () => new Promise(() => {}));
  const grants = new GrantStore({
    clock: new FakeClock(),
    crypto: fakePorts().crypto,
    workspace: new MemoryStore(),
    user: new MemoryStore(),
  });
  const gate = makeGate({
    capabilities: [capability],
    boundaries: policy,
    profile: { mode, capabilities: ['thing'] },
    approver: {
      covering: (call, accesses, reasons) => grants.covering(call, accesses, reasons),
      // The most generous person there is: yes to everything, for ever.
      ask: async (request) => {
        grants.add({ scope: 'always', cover: 'tool' }, request.call, request.accesses, request.reasons, {
          admin: true,
        });
        return { outcome: 'allowed', by: 'user', waitedMs: 0 };
      },
    },
  });
  const rule = (rules: readonly unknown[], preset: 'strict' | 'balanced' | 'open'): void => {
    policy.setRules([...presets[preset], ...parseBoundaries(rules, 'user').value]);
    grants.revokeAll();
    ran = 0;
  };
  return { gate, rule, ran: () => ran, dispose: () => [gate, policy, grants].forEach((one) => one.dispose()) };
}

const presets = {
  strict: presetBoundaries('strict'),
  balanced: presetBoundaries('balanced'),
  open: presetBoundaries('open'),
};

describe('policy at the gate', () => {
  it('a denial wins over every mode, grant, profile, preset, allow and yes of a person', async () => {
    const allows = fc.subarray([
      { id: 'all', decision: 'allow' },
      { id: 'files', match: { path: '**' }, decision: 'allow' },
      { id: 'tool', match: { tool: 'touch_thing' }, decision: 'allow' },
    ]);
    const worlds = { plan: setup('plan'), execute: setup('execute') };
    await fc.assert(
      fc.asyncProperty(
        path,
        fc.constantFrom(...presetNames),
        fc.constantFrom('plan' as const, 'execute' as const),
        allows,
        fc.boolean(),
        async (resource, preset, mode, rules, denied) => {
          const deny = { id: 'no', match: { path: resource }, decision: 'deny', reason: 'no', steer: 'something else' };
          const { gate, ran, rule } = worlds[mode];
          rule(denied ? [...rules, deny] : rules, preset);
          const first = await gate.call('touch_thing', { path: 'README.md' });
          assert.equal(first.success, true);
          const secret = preset !== 'open' && (resource === '.env' || resource.endsWith('.pem'));
          for (const actor of ['agent', 'user', 'agent'] as const) {
            const result = await gate.call('touch_thing', { path: resource }, actor);
            assert.equal(result.success, !denied && !secret, JSON.stringify(result));
            if (result.success) continue;
            assert.equal(result.error.code, 'denied_by_policy');
            if (denied && !secret)
              assert.equal(result.error.message, 'denied by boundary "no": no. allowed instead: something else');
            assert.equal((await gate.preview('touch_thing', { path: resource }, actor)).effect, 'deny');
          }
          assert.equal(ran(), denied || secret ? 1 : 4);
        },
      ),
      { numRuns: runs(10, 1000, 10_000) },
    );
    worlds.plan.dispose();
    worlds.execute.dispose();
  });

  it('unknown tools, properties and wrong types deny whatever the rules allow, and every answer is total and the same again', async () => {
    const { gate, ran, rule, dispose } = setup('execute');
    rule([{ id: 'all', decision: 'allow' }], 'open');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('touch_thing', 'touch_thin', '', '__proto__', 'constructor', 'cap:thing:touch_thing'),
        fc.anything({ maxDepth: 2 }),
        async (tool, input) => {
          const before = ran();
          const [first, second] = [await gate.call(tool, input), await gate.call(tool, input)];
          const code = (one: typeof first) => (one.success ? 'success' : one.error.code);
          assert.equal(code(first), code(second));
          assert.ok(['success', 'tool_not_found', 'invalid_input'].includes(code(first)), code(first));
          assert.equal(ran() - before, first.success ? 2 : 0);
          if (first.success) assert.deepEqual(Object.keys(input as object), ['path']);
        },
      ),
      { numRuns: runs(20, 1500, 10_000) },
    );
    dispose();
  });
});
