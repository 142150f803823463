import { say } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { ApprovalAnswer } from '../../../src/core/call/gateCall';
import { permissionDenied } from '../../../src/core/vocabulary/errors';
import { FrozenPlans, parsePlannedCalls } from '../../../src/core/policy/plans/plans';
import { parseProfile, resolveProfile } from '../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { nodeCrypto } from '../../../src/node/system';
import { capabilityOf, definition, makeGate } from '../../support/gate';
import { FakeClock } from '../../support/toolContext';
import type { StepAnswer } from '../../../src/core/vocabulary/decision';
import { ask, deny, pass } from '../../../src/core/call/stepAnswer';

const allowed: ApprovalAnswer = { outcome: 'allowed', by: 'user', waitedMs: 5 };
const asking = { permissions: { user: 'allowed', agent: 'confirmation_required' } } as const;
const rule = (id: string): StepAnswer => ask('boundaries', [{ said: say('as_it_is', 'a rule asks'), rule: id }]);
const denial: StepAnswer = deny('boundaries', permissionDenied('do_thing', 'is denied by a rule'), 'late');

describe('what changes while a call waits for its answer', () => {
  const run = { ran: 0 };
  const handler = {
    run: async () => {
      run.ran++;
      return { payload: null };
    },
  };
  beforeEach(() => {
    run.ran = 0;
  });

  for (const [what, first, then, code] of [
    ['a rule that denies', rule('a'), denial, 'permission_denied'],
    ['a rule that denies where the tool alone asked', pass('boundaries'), denial, 'permission_denied'],
    ['another rule that asks', rule('a'), rule('b'), 'permission_denied'],
    ['a rule that asks where the tool alone asked', pass('boundaries'), rule('b'), 'permission_denied'],
    ['the same rule, which still asks', rule('a'), rule('a'), undefined],
    ['a rule that went', rule('a'), pass('boundaries'), undefined],
    ['nothing', pass('boundaries'), pass('boundaries'), undefined],
  ] as const)
    it(`S1.policy D.approval-binding: a yes to what was shown does not outweigh what holds by then: ${what}`, async () => {
      let now: StepAnswer = first;
      const gate = makeGate({
        capabilities: [capabilityOf(definition(asking), handler)],
        boundaries: { judge: () => now },
        answer: () => {
          now = then;
          return allowed;
        },
      });
      const result = await gate.call('do_thing');
      assert.deepEqual(
        [result.success ? undefined : result.error.code, run.ran, gate.asked.length],
        [code, code ? 0 : 1, 1],
      );
      gate.dispose();
    });

  for (const [what, then, code] of [
    ['the tool is switched off', { capabilities: [] }, 'not_enabled'],
    ['the profile only plans', { capabilities: ['thing'], mode: 'plan', scopes: ['x:y'] }, 'plan_mode'],
    ['the scope is taken away', { capabilities: ['thing'], scopes: [] }, 'scope_missing'],
    ['a profile that allows the same', { capabilities: ['thing'], scopes: ['x:y', 'x:z'] }, undefined],
  ] as const)
    it(`S3.profiles D.approval-binding: a yes does not outlast a switch of the profile: ${what}`, async () => {
      const registry = new CapabilityRegistry();
      let raw: unknown = { capabilities: ['thing'], scopes: ['x:y'] };
      const gate = makeGate({
        registry,
        capabilities: [
          capabilityOf(definition({ ...asking, scopes: ['x:y'], sideEffects: ['email.send'] }), {
            ...handler,
            accesses: () => [{ effect: 'email.send', resource: 'a@b.example' }],
          }),
        ],
        resolve: () => resolveProfile(parseProfile('test', raw, 'user').value, registry),
        answer: () => {
          raw = then;
          return allowed;
        },
      });
      const result = await gate.call('do_thing');
      assert.deepEqual([result.success ? undefined : result.error.code, run.ran], [code, code ? 0 : 1]);
      gate.dispose();
    });

  for (const permissions of [asking, {}])
    it(`S1.policy: calls side by side do not run a planned line more often than it says (${JSON.stringify(permissions)})`, async () => {
      const registry = new CapabilityRegistry();
      const plans = new FrozenPlans({
        clock: new FakeClock(),
        crypto: nodeCrypto,
        find: (reference) => registry.tool(reference),
        requireFrozenSpec: () => 'never',
      });
      const gate = makeGate({
        registry,
        capabilities: [
          capabilityOf(definition({ ...permissions, sideEffects: ['email.send'] }), {
            ...handler,
            accesses: () => [{ effect: 'email.send', resource: 'a@b.example' }],
          }),
        ],
        plans,
        answer: async () => new Promise((resolve) => setImmediate(() => resolve(allowed))),
      });
      plans.freeze('two', parsePlannedCalls([{ tool: 'do_thing', count: 2 }]).value);
      const results = await Promise.all(Array.from({ length: 5 }, () => gate.call('do_thing')));
      const codes = results.map((one) => (one.success ? 'ok' : one.error.code)).sort();
      assert.deepEqual([codes, run.ran], [['ok', 'ok', 'outside_plan', 'outside_plan', 'outside_plan'], 2]);
      gate.dispose();
      plans.dispose();
    });

  it('S1.policy: a plan that is taken back while its call waits allows nothing', async () => {
    const registry = new CapabilityRegistry();
    const plans = new FrozenPlans({
      clock: new FakeClock(),
      crypto: nodeCrypto,
      find: (reference) => registry.tool(reference),
      requireFrozenSpec: () => 'high',
    });
    const gate = makeGate({
      registry,
      capabilities: [capabilityOf(definition({ ...asking, riskLevel: 'high' }), handler)],
      plans,
      answer: () => {
        plans.revoke(plan.hash);
        return allowed;
      },
    });
    const plan = plans.freeze('one', parsePlannedCalls([{ tool: 'do_thing' }]).value);
    const result = await gate.call('do_thing');
    assert.deepEqual([result.success ? '' : result.error.code, run.ran], ['plan_required', 0]);
    gate.dispose();
    plans.dispose();
  });
});
