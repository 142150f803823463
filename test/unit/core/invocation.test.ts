import { say, worded } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { Access } from '../../../src/core/vocabulary/access';
import { deniedByPolicy, toolError } from '../../../src/core/vocabulary/errors';
import type { GateCall } from '../../../src/core/call/gateCall';
import type { ToolResult } from '../../../src/core/vocabulary/toolResult';
import { capabilityOf, definition, type GateOptions, makeGate } from '../../support/gate';
import { fakePorts } from '../../support/toolContext';
import type { ToolContext, ToolHandler } from '../../../src/core/capability/tool';
import type { StepAnswer } from '../../../src/core/vocabulary/decision';
import { ask, deny, pass } from '../../../src/core/call/stepAnswer';

const codeOf = (result: ToolResult): string => (result.success ? 'success' : result.error.code);
const messageOf = (result: ToolResult): string => (result.success ? '' : result.error.message);

function withGate<T>(options: GateOptions, body: (gate: ReturnType<typeof makeGate>) => Promise<T>): Promise<T> {
  const gate = makeGate(options);
  return body(gate).finally(() => gate.dispose());
}

describe('the gate', () => {
  it('S1.descriptor S1.router: runs a tool by id, name and cap_ name and answers payload, side effects and duration', async () => {
    const tool = definition({ sideEffects: ['fs.read'] });
    const accesses: Access[] = [{ effect: 'fs.read', resource: 'a.txt' }];
    await withGate({ capabilities: [capabilityOf(tool, { accesses: () => accesses })] }, async (gate) => {
      for (const name of ['cap:thing:do_thing', 'do_thing', 'cap_do_thing']) {
        const result = await gate.call(name, { value: 'x' });
        assert.deepEqual(result, {
          success: true,
          invocationId: result.invocationId,
          toolId: 'cap:thing:do_thing',
          payload: { value: 'x' },
          declaredSideEffects: ['fs.read'],
          durationMs: 0,
        });
      }
      assert.deepEqual(
        gate.events.map((event) => event.type),
        [
          'invocation.started',
          'invocation.finished',
          'invocation.started',
          'invocation.finished',
          'invocation.started',
          'invocation.finished',
        ],
      );
    });
  });

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

  it('S0.permission: a profile without the scope gets `Permission denied`, and requireAuth denies a caller without an id', async () => {
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
    await withGate({ capabilities: [capabilityOf(tool)], requireAuth: true }, async (gate) => {
      const nobody = await gate.router.invoke({
        tool: 'do_thing',
        input: {},
        actor: { type: 'agent', id: ' ' },
        surface: 'chat',
      });
      assert.equal(codeOf(nobody), 'permission_denied');
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

  it('an allow boundary removes a waivable confirmation and no other', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const waive = (more: StepAnswer) => ({ judge: () => ({ ...more, waivedBy: ['mine'] }) });
    await withGate({ capabilities: [capabilityOf(tool)], boundaries: waive(pass('boundaries')) }, async (gate) =>
      assert.equal(codeOf(await gate.call('do_thing')), 'success'),
    );
    await withGate(
      {
        capabilities: [capabilityOf(tool)],
        boundaries: waive(ask('boundaries', [{ said: say('as_it_is', 'critical') }])),
      },
      async (gate) => {
        assert.equal(codeOf(await gate.call('do_thing')), 'declined');
        assert.deepEqual(gate.asked[0]?.reasons, [{ said: say('as_it_is', 'critical') }]);
      },
    );
  });

  it('D.modal: anything but an explicit allow denies, in words that the model can act on', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const capabilities = [capabilityOf(tool, { accesses: () => [{ effect: 'fs.write', resource: 'src/app.ts' }] })];
    const outcomes = [
      ['user', 'declined', 'the user declined to let do_thing change src/app.ts. do not retry; ask what to do instead'],
      [
        'timeout',
        'approval_timeout',
        'nobody answered within 300 s whether `do_thing` may run, so it is denied; ask the user before trying again',
      ],
      ['cancellation', 'cancelled', '`do_thing` was cancelled before it finished'],
      [
        'unavailable',
        'approval_unavailable',
        '`do_thing` needs a confirmation, and nobody can be asked here, so it is denied',
      ],
    ] as const;
    for (const [by, code, message] of outcomes) {
      await withGate({ capabilities, answer: () => ({ outcome: 'denied', by, waitedMs: 5 }) }, async (gate) => {
        const result = await gate.call('do_thing');
        assert.deepEqual([codeOf(result), messageOf(result)], [code, message]);
      });
    }
  });

  it('asks for what is met while running, leaves out what is denied and records it', async () => {
    const boundaries = {
      judge: (_call: GateCall, accesses: readonly Access[]): StepAnswer => {
        if (accesses.some((access) => access.resource === 'denied'))
          return deny('boundaries', deniedByPolicy('b', say('as_it_is', 'no'), undefined), 'b');
        if (accesses.some((access) => access.resource === 'asked'))
          return ask('boundaries', [{ said: say('as_it_is', 'sure?') }]);
        return pass('boundaries');
      },
    };
    const run = async (_input: unknown, context: ToolContext) => {
      const verdicts = [];
      for (const resource of ['free', 'denied', 'asked'])
        verdicts.push((await context.access({ effect: 'fs.read', resource })).allowed);
      const many = await context.accessAll([
        { effect: 'fs.read', resource: 'free' },
        { effect: 'fs.read', resource: 'asked' },
      ]);
      return { payload: { verdicts, many: many.map((one) => one.allowed) } };
    };
    await withGate(
      {
        capabilities: [capabilityOf(definition(), { run })],
        boundaries,
        answer: () => ({ outcome: 'allowed', by: 'user', waitedMs: 0 }),
      },
      async (gate) => {
        const result = await gate.call('do_thing');
        assert.deepEqual(result.success && result.payload, { verdicts: [true, false, true], many: [true, false] });
        const finished = gate.events.find((event) => event.type === 'invocation.finished');
        assert.equal(finished?.type === 'invocation.finished' && finished.withheld, 2);
        assert.equal(gate.asked.length, 1);
      },
    );
  });

  it('S0.errors: returns a tool error as it is, hides an internal one, retries only the transient failure of an idempotent tool', async () => {
    const capabilities = (run: () => Promise<never>, idempotency: 'idempotent' | 'non-idempotent') => [
      capabilityOf(definition({ idempotency }), { run }),
    ];
    let tries = 0;
    const failing = (make: () => Error) => async (): Promise<never> => {
      tries++;
      throw make();
    };
    const attempt = async (make: () => Error, idempotency: 'idempotent' | 'non-idempotent') => {
      tries = 0;
      const clock = {
        now: () => 0,
        monotonic: () => 0,
        timeZone: () => 'UTC',
        schedule: (callback: () => void, ms: number) => {
          if (ms < 5000) setImmediate(callback);
          return { dispose() {} };
        },
      };
      return withGate(
        { capabilities: capabilities(failing(make), idempotency), ports: fakePorts({ clock }) },
        async (gate) => codeOf(await gate.call('do_thing')),
      );
    };
    const transient = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    assert.deepEqual([await attempt(transient, 'idempotent'), tries], ['internal_error', 3]);
    assert.deepEqual([await attempt(transient, 'non-idempotent'), tries], ['internal_error', 1]);
    assert.deepEqual([await attempt(() => new Error('bug'), 'idempotent'), tries], ['internal_error', 1]);
    assert.deepEqual([await attempt(() => toolError('not_found', 'no file'), 'idempotent'), tries], ['not_found', 1]);
  });

  it('ends a run that takes too long, one that is cancelled, and drops the late answer', async () => {
    const hang = { run: () => new Promise<never>(() => undefined) };
    await withGate({ capabilities: [capabilityOf(definition({ timeoutMs: 1000 }), hang)] }, async (gate) => {
      const calling = gate.call('do_thing');
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      gate.clock.advance(1000);
      assert.equal(codeOf(await calling), 'timeout');
    });
    await withGate({ capabilities: [capabilityOf(definition(), hang)] }, async (gate) => {
      const controller = new AbortController();
      const calling = gate.router.invoke({
        tool: 'do_thing',
        input: {},
        actor: { type: 'agent', id: 'a' },
        surface: 'chat',
        signal: controller.signal,
      });
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      assert.equal(codeOf(await calling), 'cancelled');
    });
  });

  it('a handler may take its context apart, and work that it left behind is told that its call is over, also where it asks only then', async () => {
    let asks: () => AbortSignal = () => AbortSignal.abort();
    const heard: string[] = [];
    const leaves: Partial<ToolHandler> = {
      run: async (_input, context) => {
        const { report, access, accessAll } = context;
        report({ message: 'half' });
        asks = () => context.signal;
        return {
          payload: [
            await access({ effect: 'fs.read', resource: 'a' }),
            ...(await accessAll([{ effect: 'fs.read', resource: 'b' }])),
          ],
        };
      },
    };
    const listens: Partial<ToolHandler> = {
      run: async (_input, { signal }) => {
        signal.addEventListener('abort', () => heard.push((signal.reason as Error).name));
        return { payload: signal.aborted };
      },
    };
    for (const [handler, payload] of [
      [leaves, [{ allowed: true }, { allowed: true }]],
      [listens, false],
    ] as const)
      await withGate({ capabilities: [capabilityOf(definition(), handler)] }, async (gate) => {
        const progress: string[] = [];
        const result = await gate.router.invoke({
          tool: 'do_thing',
          input: {},
          actor: { type: 'agent', id: 'a' },
          surface: 'chat',
          onProgress: ({ message }) => progress.push(message),
        });
        assert.deepEqual([result.success && result.payload, progress], [payload, handler === leaves ? ['half'] : []]);
      });
    assert.equal(asks().aborted, true);
    assert.deepEqual(heard, ['AbortError']);
  });

  it('checks the result against the output schema and makes hidden characters of untrusted text visible', async () => {
    const wrong = definition({
      outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    });
    await withGate(
      { capabilities: [capabilityOf(wrong, { run: async () => ({ payload: { n: 'x' } }) })] },
      async (gate) => {
        assert.equal(codeOf(await gate.call('do_thing')), 'invalid_output');
      },
    );
    const untrusted = definition({ untrustedOutput: true });
    await withGate(
      { capabilities: [capabilityOf(untrusted, { run: async () => ({ payload: { text: 'a\u202eb 👩‍💻' } }) })] },
      async (gate) => {
        const result = await gate.call('do_thing');
        assert.deepEqual(result.success && [result.payload, result.warnings], [
          { text: 'a⟨U+202E⟩b 👩‍💻' },
          ['1 invisible or control character made visible'],
        ]);
      },
    );
  });

  it('a preview asks nobody, counts nothing, records nothing and says what would happen', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    let judged: boolean | undefined;
    const limits = {
      judge: (call: GateCall): StepAnswer => {
        judged = call.isPreview;
        return pass('limits');
      },
      finished: () => assert.fail('a preview finishes nothing'),
    };
    await withGate({ capabilities: [capabilityOf(tool)], limits }, async (gate) => {
      const preview = await gate.preview('do_thing');
      assert.equal(preview.effect, 'ask');
      assert.deepEqual(
        preview.reasons.map((reason) => worded(reason.said)),
        ['the tool needs confirmation for agents'],
      );
      assert.deepEqual(
        preview.steps.map((step) => `${step.step} ${step.effect}`),
        [
          'find pass',
          'enabled pass',
          'permission ask',
          'scopes pass',
          'input pass',
          'mode pass',
          'plan pass',
          'boundaries pass',
          'requirements pass',
          'limits pass',
        ],
      );
      assert.deepEqual([gate.asked.length, gate.events.length, judged], [0, 0, true]);
    });
  });

  it('one gate: a tool that calls another one goes through every step again', async () => {
    const inner = capabilityOf(
      definition({ name: 'inner', permissions: { user: 'allowed', agent: 'forbidden' } }),
      {},
      { id: 'inner' },
    );
    const outer = capabilityOf(
      definition({ name: 'outer' }),
      { run: async (_input, context) => ({ payload: codeOf(await context.invokeTool('inner', {})) }) },
      { id: 'outer' },
    );
    await withGate({ capabilities: [inner, outer] }, async (gate) => {
      const result = await gate.call('outer');
      assert.equal(result.success && result.payload, 'permission_denied');
      const violation = gate.events.find((event) => event.type === 'policy.violation');
      assert.equal(violation?.type === 'policy.violation' && violation.parentId, result.invocationId);
    });
  });
});
