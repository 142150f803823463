import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { Access } from '../../../../src/core/vocabulary/access';
import { deniedByPolicy, toolError } from '../../../../src/core/vocabulary/errors';
import { shapeOnly, toRecord } from '../../../../src/core/audit/makeRecord';
import { decidedCall } from '../../../../src/core/learning/decidedCall';
import { Redaction } from '../../../../src/core/gate/redaction';
import { SecretSession } from '../../../../src/core/secrets/session';
import { ShownOnce } from '../../../../src/core/secrets/shownOnce';
import type { GateCall } from '../../../../src/core/call/gateCall';
import type { ToolResult } from '../../../../src/core/vocabulary/toolResult';
import { capabilityOf, definition, type GateOptions, makeGate } from '../../../support/gate';
import { drawnSecret } from '../../../support/secretSamples';
import { fakePorts } from '../../../support/toolContext';
import type { ToolContext, ToolHandler } from '../../../../src/core/capability/tool';
import type { StepAnswer } from '../../../../src/core/vocabulary/decision';
import { ask, deny, pass } from '../../../../src/core/call/stepAnswer';

const codeOf = (result: ToolResult): string => (result.success ? 'success' : result.error.code);

function withGate<T>(options: GateOptions, body: (gate: ReturnType<typeof makeGate>) => Promise<T>): Promise<T> {
  const gate = makeGate(options);
  return body(gate).finally(() => gate.dispose());
}

describe('the gate executes', () => {
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

  it('S5.audit: a no about a place that was met is no yes to the call, and what was refused stands last in its record', async () => {
    const sure = (what: string): StepAnswer => ask('boundaries', [{ said: say('as_it_is', what), rule: what }]);
    const asks = new Set<string>();
    const boundaries = {
      judge: (_call: GateCall, [first]: readonly Access[]): StepAnswer =>
        asks.has(first?.resource ?? '') ? sure(first?.resource ?? '') : pass('boundaries'),
    };
    const run = async (_input: unknown, context: ToolContext) => {
      for (const resource of ['refused', 'free']) await context.access({ effect: 'fs.read', resource });
      return { payload: context.approvedBasis ?? null };
    };
    const accesses = () => [{ effect: 'fs.read', resource: 'first' }];
    const preview = async () => ({ basis: 'as it was shown' });
    const answer: GateOptions['answer'] = ({ accesses: [one] }) => {
      const by = { by: 'user', waitedMs: 0 } as const;
      return one?.resource === 'refused' ? { outcome: 'denied', ...by } : { outcome: 'allowed', ...by };
    };
    for (const [asking, by] of [
      [['refused'], undefined],
      [['first', 'refused'], 'user'],
    ] as const) {
      asks.clear();
      for (const one of asking) asks.add(one);
      await withGate(
        { capabilities: [capabilityOf(definition(), { run, accesses, preview })], boundaries, answer },
        async (gate) => {
          const result = await gate.call('do_thing');
          const finished = gate.events.find((event) => event.type === 'invocation.finished');
          assert.ok(finished?.type === 'invocation.finished');
          assert.equal(finished.approvedBy, by);
          assert.equal(result.success && result.payload, by === undefined ? null : 'as it was shown');
          assert.deepEqual(
            finished.accesses.map(({ resource }) => resource),
            ['first', 'free', 'refused'],
          );
          const told = decidedCall(toRecord(finished, shapeOnly()) ?? assert.fail());
          assert.deepEqual(
            told?.refused.map(({ resource }) => resource),
            ['refused'],
          );
          assert.equal(told?.outcome, by === undefined ? 'ran' : 'allowed');
        },
      );
    }
  });

  it('S4.boundaries: what comes while a person is asked about a place counts: a denial, and a question that nobody answered', async () => {
    const asks = (text: string): StepAnswer => ask('boundaries', [{ said: say('as_it_is', text) }]);
    const denied = deny('boundaries', deniedByPolicy('b', say('as_it_is', 'no'), undefined), 'b');
    for (const [later, isAllowed] of [
      [denied, false],
      [asks('another?'), false],
      [asks('sure?'), true],
    ] as const) {
      let now = asks('sure?');
      let refreshed = 0;
      const boundaries = {
        revision: 1,
        judge: (_call: GateCall, accesses: readonly Access[]): StepAnswer =>
          accesses.some(({ resource }) => resource === 'met') ? now : pass('boundaries'),
      };
      const run = async (_input: unknown, { access }: ToolContext) => ({
        payload: { allowed: (await access({ effect: 'fs.read', resource: 'met' })).allowed },
      });
      await withGate(
        {
          capabilities: [capabilityOf(definition(), { run })],
          boundaries,
          answer: () => {
            now = later;
            boundaries.revision++;
            return { outcome: 'allowed', by: 'user', waitedMs: 0 };
          },
          refreshPolicy: async () => void refreshed++,
        },
        async (gate) => {
          const result = await gate.call('do_thing');
          assert.deepEqual(result.success && result.payload, { allowed: isAllowed });
          assert.equal(refreshed, 2);
        },
      );
    }
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

  it('D.redaction: hides the secrets in what a running call tells of its progress', async () => {
    const { secret } = drawnSecret(42);
    const session = new SecretSession(
      () => '12345678',
      () => 0,
    );
    const ports = fakePorts();
    const shown = new ShownOnce({ now: () => 0, isTrusted: () => true, onAllowed() {}, onWithdrawn() {} });
    const redaction = new Redaction({ ports, session: async () => session, known: session, shown });
    const tells: Partial<ToolHandler> = {
      run: async (_input, { report }) => {
        report({ message: `at ${secret}`, fraction: 0.5 });
        return { payload: null };
      },
    };
    await withGate({ capabilities: [capabilityOf(definition(), tells)], ports, redaction }, async (gate) => {
      const told: unknown[] = [];
      const actor = { type: 'agent', id: 'a' } as const;
      const onProgress = (progress: object): number => told.push(progress);
      await gate.router.invoke({ tool: 'do_thing', input: {}, actor, surface: 'mcp', onProgress });
      assert.deepEqual(told, [{ message: 'at {{secret:stripe-key:1234}}', fraction: 0.5 }]);
    });
  });

  it('D.redaction: where secrets are only told of, progress shows them and what was cut teaches nothing', async () => {
    const { secret } = drawnSecret(42);
    const session = new SecretSession(
      () => '12345678',
      () => 0,
    );
    const ports = fakePorts({ settings: { 'redaction.sources': { others: 'mark' } } });
    const shown = new ShownOnce({ now: () => 0, isTrusted: () => true, onAllowed() {}, onWithdrawn() {} });
    const redaction = new Redaction({ ports, session: async () => session, known: session, shown });
    const tells: Partial<ToolHandler> = {
      run: async (_input, { report, learn }) => {
        report({ message: `at ${secret}` });
        learn?.(`key = "${secret}"`);
        return { payload: null };
      },
    };
    await withGate({ capabilities: [capabilityOf(definition(), tells)], ports, redaction }, async (gate) => {
      const told: string[] = [];
      const actor = { type: 'agent', id: 'a' } as const;
      const onProgress = ({ message }: { readonly message: string }): number => told.push(message);
      await gate.router.invoke({ tool: 'do_thing', input: {}, actor, surface: 'mcp', onProgress });
      assert.deepEqual(told, [`at ${secret}`]);
      assert.equal(session.hideKnown(secret), secret);
    });
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
    const named = { 'k\u{e0041}\u202e': [{ 'a\u200b': 1 }], 'a⟨U+200B⟩': 'own', 'a\u200b': 'hidden', plain: true };
    await withGate(
      { capabilities: [capabilityOf(untrusted, { run: async () => ({ payload: named }) })] },
      async (gate) => {
        const result = await gate.call('do_thing');
        assert.deepEqual(result.success && [result.payload, result.warnings], [
          { 'k⟨U+E0041⟩⟨U+202E⟩': [{ 'a⟨U+200B⟩': 1 }], 'a⟨U+200B⟩': 'own', 'a⟨U+200B⟩ (2)': 'hidden', plain: true },
          ['4 invisible or control characters made visible'],
        ]);
      },
    );
  });

  it('D.flow: labels see every access that a call was let make, however many came before, and none that was refused', async () => {
    const boundaries = {
      judge: (_call: GateCall, [access]: readonly Access[]): StepAnswer => {
        if (access?.resource === 'denied')
          return deny('boundaries', deniedByPolicy('b', say('as_it_is', 'no'), undefined), 'b');
        if (access?.resource === 'asked') return ask('boundaries', [{ said: say('as_it_is', 'sure?') }]);
        return pass('boundaries');
      },
      screen: () => (resource: string) => resource.startsWith('screened'),
    };
    const handlers: readonly Partial<ToolHandler>[] = [
      {
        run: async (_input, context) => {
          for (let at = 0; at < 300; at++) await context.access({ effect: 'fs.read', resource: `free ${at}` });
          const screen = context.screen?.('fs.read');
          for (let at = 0; at < 300; at++) assert.equal(screen?.(`screened ${at}`), true);
          for (const resource of ['denied', 'asked', 'last']) await context.access({ effect: 'fs.read', resource });
          return { payload: {} };
        },
      },
      {
        run: async () => ({
          payload: 'no object',
          accesses: Array.from({ length: 300 }, (_one, at) => ({
            effect: 'fs.read' as const,
            resource: at === 299 ? 'last' : `free ${at}`,
          })),
        }),
      },
    ];
    for (const [index, handler] of handlers.entries()) {
      const seen: string[] = [];
      const flow = {
        of: async () => undefined,
        ran: async (_call: GateCall, accesses: readonly Access[]) =>
          void seen.push(...accesses.map(({ resource }) => resource)),
        showed: async () => undefined,
      };
      const tool = definition({ outputSchema: { type: 'object' } });
      await withGate({ capabilities: [capabilityOf(tool, handler)], boundaries, flow }, async (gate) => {
        assert.equal(codeOf(await gate.call('do_thing')), ['success', 'invalid_output'][index]);
        assert.equal(seen.length, [601, 300][index]);
        assert.equal(seen.at(-1), 'last');
        assert.ok(!seen.includes('denied') && !seen.includes('asked'));
        const finished = gate.events.find((event) => event.type === 'invocation.finished');
        assert.ok(finished?.type === 'invocation.finished');
        assert.equal(finished.accesses.length, [202, 200][index], 'the record is cut');
        const told = finished.accesses.map(({ resource }) => resource);
        assert.deepEqual(told.includes('denied') && told.includes('asked'), index === 0);
      });
    }
  });
});
