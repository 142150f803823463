import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { Access } from '../../../../src/core/vocabulary/access';
import { deniedByPolicy } from '../../../../src/core/vocabulary/errors';
import type { ToolResult } from '../../../../src/core/vocabulary/toolResult';
import { capabilityOf, definition, type GateOptions, makeGate } from '../../../support/gate';
import type { StepAnswer } from '../../../../src/core/vocabulary/decision';
import { deny } from '../../../../src/core/call/stepAnswer';

const codeOf = (result: ToolResult): string => (result.success ? 'success' : result.error.code);
const messageOf = (result: ToolResult): string => (result.success ? '' : result.error.message);

function withGate<T>(options: GateOptions, body: (gate: ReturnType<typeof makeGate>) => Promise<T>): Promise<T> {
  const gate = makeGate(options);
  return body(gate).finally(() => gate.dispose());
}

describe('the gate judges', () => {
  it('names the nearest tools for an unknown one and records the violation', async () => {
    await withGate({ capabilities: [capabilityOf(definition())] }, async (gate) => {
      const result = await gate.call('do_thin');
      assert.equal(codeOf(result), 'tool_not_found');
      assert.match(messageOf(result), /no tool is called `do_thin`; did you mean `do_thing`/);
      assert.deepEqual(
        gate.events.map((event) => event.type),
        ['policy.violation'],
      );
    });
  });

  it('says that a capability is coming soon, and warns of a deprecated one while it runs', async () => {
    const soon = capabilityOf(definition(), {}, { status: 'coming_soon' });
    await withGate({ capabilities: [soon] }, async (gate) =>
      assert.equal(codeOf(await gate.call('do_thing')), 'not_available'),
    );
    const old = capabilityOf(definition(), {}, { status: 'deprecated', replacement: 'other' });
    await withGate({ capabilities: [old] }, async (gate) => {
      const result = await gate.call('do_thing');
      assert.deepEqual(result.success && result.warnings, ['the capability Thing is deprecated; use `other` instead']);
    });
  });

  it('denies a tool that the profile has off, and one that this actor must not see', async () => {
    const off = { capabilities: [{ ref: 'thing', tools: { do_thing: false } }] };
    await withGate({ capabilities: [capabilityOf(definition())], profile: off }, async (gate) =>
      assert.equal(codeOf(await gate.call('do_thing')), 'not_enabled'),
    );
    const hidden = capabilityOf(definition({ agentVisible: false }));
    await withGate({ capabilities: [hidden] }, async (gate) => {
      assert.equal(codeOf(await gate.call('do_thing', {}, 'agent')), 'not_visible');
      assert.equal(codeOf(await gate.call('do_thing', {}, 'user')), 'success');
    });
    const agentOnly = capabilityOf(definition({ agentOnly: true }));
    await withGate({ capabilities: [agentOnly] }, async (gate) =>
      assert.equal(codeOf(await gate.call('do_thing', {}, 'user')), 'not_visible'),
    );
  });

  it('S2.permissions: forbidden denies, confirmation_required asks, allowed passes, each for its own actor', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'forbidden' } });
    await withGate({ capabilities: [capabilityOf(tool)] }, async (gate) => {
      assert.equal(codeOf(await gate.call('do_thing', {}, 'agent')), 'permission_denied');
      assert.equal(codeOf(await gate.call('do_thing', {}, 'user')), 'success');
    });
    const asking = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    await withGate({ capabilities: [capabilityOf(asking)] }, async (gate) => {
      assert.equal(codeOf(await gate.call('do_thing', {}, 'agent')), 'declined');
      assert.equal(gate.asked.length, 1);
      assert.equal(codeOf(await gate.call('do_thing', {}, 'user')), 'success');
      assert.equal(gate.asked.length, 1);
    });
  });

  it('S0.permission: a profile without the scope gets `Permission denied`, and requireAuth denies a caller without an id or a proof', async () => {
    const tool = definition({ scopes: ['weather:read'] });
    await withGate(
      { capabilities: [capabilityOf(tool)], profile: { scopes: [], capabilities: ['thing'] } },
      async (gate) => {
        const result = await gate.call('do_thing');
        assert.equal(codeOf(result), 'scope_missing');
        assert.match(messageOf(result), /^Permission denied: `do_thing` needs the scope `weather:read`/);
      },
    );
    await withGate({ capabilities: [capabilityOf(tool)] }, async (gate) =>
      assert.equal(codeOf(await gate.call('do_thing')), 'success'),
    );
    const guarded = definition({ scopes: ['weather:read'], provenCallersOnly: true });
    await withGate({ capabilities: [capabilityOf(guarded)] }, async (gate) => {
      const nobody = await gate.router.invoke({
        tool: 'do_thing',
        input: {},
        actor: { type: 'agent', id: ' ' },
        surface: 'chat',
      });
      assert.equal(codeOf(nobody), 'permission_denied');
      const actor = { type: 'agent', id: 'somebody', isUnproven: true } as const;
      const unproven = await gate.router.invoke({ tool: 'do_thing', input: {}, actor, surface: 'mcp' });
      assert.match(messageOf(unproven), /^Permission denied: .*nothing proves who calls/);
      assert.equal(codeOf(await gate.call('do_thing')), 'success');
    });
  });

  it('S0.validation: refuses a wrong type, a missing and an extra property and NaN in words, and fills in defaults', async () => {
    const tool = definition({
      inputSchema: {
        type: 'object',
        properties: { n: { type: 'number' }, unit: { type: 'string', enum: ['c', 'f'], default: 'c' } },
        required: ['n'],
        additionalProperties: false,
      },
    });
    await withGate({ capabilities: [capabilityOf(tool)] }, async (gate) => {
      assert.equal(
        messageOf(await gate.call('do_thing', { n: 'x' })),
        'input is not valid: /n must be number (got string)',
      );
      assert.equal(messageOf(await gate.call('do_thing', {})), 'input is not valid: /n is required (got nothing)');
      assert.equal(
        messageOf(await gate.call('do_thing', { n: Number.NaN })),
        'input is not valid: /n must be number (got NaN)',
      );
      assert.equal(
        messageOf(await gate.call('do_thing', { n: 1, m: 2 })),
        'input is not valid: /m is not a known property; leave it out (got an extra property)',
      );
      assert.equal(
        messageOf(await gate.call('do_thing', { n: 1, unit: 'k' })),
        'input is not valid: /unit must be one of "c", "f" (got `k`)',
      );
      const good = await gate.call('do_thing', { n: 1 });
      assert.deepEqual(good.success && good.payload, { n: 1, unit: 'c' });
      const cyclic: Record<string, unknown> = { n: 1 };
      cyclic['self'] = cyclic;
      assert.equal(codeOf(await gate.call('do_thing', cyclic)), 'invalid_input');
      assert.equal(codeOf(await gate.call('do_thing', 'text')), 'invalid_input');
      assert.equal(codeOf(await gate.call('do_thing', null)), 'invalid_input');
    });
  });

  it('S1.modes: plan mode lets reading through and denies writing, whatever the invocation says', async () => {
    const cases: [Access[], string][] = [
      [[], 'success'],
      [[{ effect: 'fs.read', resource: 'a' }], 'success'],
      [[{ effect: 'network.http', resource: 'https://a/', method: 'GET' }], 'success'],
      [[{ effect: 'network.http', resource: 'https://a/', method: 'POST' }], 'plan_mode'],
      [[{ effect: 'fs.write', resource: 'a' }], 'plan_mode'],
      [[{ effect: 'made.up', resource: 'a' }], 'plan_mode'],
    ];
    for (const [accesses, expected] of cases) {
      const capabilities = [capabilityOf(definition(), { accesses: () => accesses })];
      await withGate({ capabilities, profile: { mode: 'plan', capabilities: ['thing'] } }, async (gate) => {
        const result = await gate.router.invoke({
          tool: 'do_thing',
          input: {},
          actor: { type: 'agent', id: 'a' },
          surface: 'chat',
          mode: 'execute',
        });
        assert.equal(codeOf(result), expected, JSON.stringify(accesses));
      });
      await withGate({ capabilities }, async (gate) => {
        const result = await gate.router.invoke({
          tool: 'do_thing',
          input: {},
          actor: { type: 'agent', id: 'a' },
          surface: 'chat',
          mode: 'plan',
        });
        assert.equal(codeOf(result), expected);
      });
    }
  });

  it('a deny wins over every ask and grant, and nothing runs', async () => {
    let ran = 0;
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const capabilities = [capabilityOf(tool, { run: async () => ({ payload: ++ran }) })];
    const boundaries = {
      judge: (): StepAnswer =>
        deny('boundaries', deniedByPolicy('no', say('as_it_is', 'never'), say('as_it_is', 'something else')), 'no'),
    };
    await withGate(
      { capabilities, boundaries, answer: () => ({ outcome: 'allowed', by: 'user', waitedMs: 0 }) },
      async (gate) => {
        const result = await gate.call('do_thing');
        assert.equal(messageOf(result), 'denied by boundary "no": never. allowed instead: something else');
        assert.equal(gate.asked.length, 0);
        assert.equal(ran, 0);
        const event = gate.events[0];
        assert.deepEqual(event?.type === 'policy.violation' && event.rules, ['no']);
      },
    );
  });

  it('a step that throws denies, and the model hears only a reference that the log holds', async () => {
    const boundaries = {
      judge: (): StepAnswer => {
        throw new Error('secret detail');
      },
    };
    await withGate({ capabilities: [capabilityOf(definition())], boundaries }, async (gate) => {
      const result = await gate.call('do_thing');
      assert.equal(codeOf(result), 'internal_error');
      const reference = /ref-[0-9a-f]{8}/.exec(messageOf(result))?.[0] ?? 'none';
      assert.doesNotMatch(messageOf(result), /secret/);
      assert.ok(gate.logged.some((line) => line.includes(reference) && line.includes('secret detail')));
    });
  });
});
