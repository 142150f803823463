import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { GateCall } from '../../../../src/core/call/gateCall';
import { CallLimits } from '../../../../src/core/policy/limits/limits';
import { effectiveLimits, parseLimits, parseRate } from '../../../../src/core/policy/limits/limitSettings';
import { SlidingLog } from '../../../../src/core/policy/limits/slidingLog';
import type { ToolResult } from '../../../../src/core/vocabulary/toolResult';
import { runs } from '../../../support/counts';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import { foreignToolName } from '../../../../src/core/foreign/toolName';
import { FakeClock, MemoryStore } from '../../../support/toolContext';
import { defined } from '../../../../src/core/base/json';
import { readDuration } from '../../../../src/core/base/durationText';

function limitsOf(raw: unknown, clock = new FakeClock(), storage?: MemoryStore): CallLimits {
  const base = {
    tools: {},
    capabilities: {},
    sources: {},
    budget: {},
    concurrency: {},
    repetition: 0,
    circuit: { failures: 0, cooldownSeconds: 60 },
  };
  const { value, problems } = parseLimits(raw, base);
  assert.deepEqual(problems, []);
  return new CallLimits({ clock, limits: [value], ...(storage ? { storage } : {}) });
}

const ok = (call: GateCall, payload: unknown = 'x', durationMs = 1): ToolResult => ({
  success: true,
  invocationId: call.invocationId,
  toolId: call.tool.id,
  payload: payload as never,
  declaredSideEffects: [],
  durationMs,
});
const failed = (call: GateCall, code: 'internal_error' | 'not_found'): ToolResult => ({
  success: false,
  invocationId: call.invocationId,
  toolId: call.tool.id,
  error: { code, message: code, retryable: false },
  declaredSideEffects: [],
  durationMs: 1,
});

function runOnce(limits: CallLimits, options: FakeCall = {}, result?: (call: GateCall) => ToolResult) {
  const call = fakeCall(options);
  const answer = limits.judge(call);
  if (answer.effect !== 'deny') limits.finished(call, (result ?? ok)(call));
  return answer;
}

const layersOf = (user: unknown, ...others: readonly unknown[]) =>
  effectiveLimits(parseLimits(user).value, ...others).value;

/** How many calls of a person pass, one after the other, until one is refused or so many have passed. */
function passing(limits: CallLimits, most = 10): number {
  let passed = 0;
  while (passed < most && runOnce(limits, { actor: { type: 'user', id: 'u' } }).effect === 'pass') passed++;
  return passed;
}

describe('limits', () => {
  it('S0.rate-limit: 100 per 1h lets 100 through and refuses the 101st with the time to wait', () => {
    const clock = new FakeClock();
    const limits = limitsOf({}, clock);
    const options = { definition: { rateLimit: { requests: 100, windowMs: 3_600_000 } } };
    for (let index = 0; index < 100; index++) assert.equal(runOnce(limits, options).effect, 'pass');
    clock.advance(60_000);
    const refused = runOnce(limits, options);
    assert.deepEqual(refused.error, {
      code: 'rate_limit_exceeded',
      message: 'Rate limit exceeded: `write_file` allows at most 100 per 1 h; try again in 3540 s',
      retryable: true,
      retryAfterMs: 3_540_000,
    });
    clock.advance(3_540_000 - 1);
    assert.equal(runOnce(limits, options).effect, 'deny');
    clock.advance(1);
    assert.equal(runOnce(limits, options).effect, 'pass');
    limits.dispose();
  });

  it('S0.rate-limit: no window is ever over the limit, nothing is refused that would fit, and the time to wait is exact', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.nat(40) },
      { weight: 1, arbitrary: fc.constantFrom(-500, 8 * 3_600_000, 100, 99, 101) },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(step, { maxLength: 40 }),
        (requests, windowMs, steps) => {
          const clock = new FakeClock();
          const limits = limitsOf({}, clock);
          const options = { definition: { rateLimit: { requests, windowMs } } };
          const admitted: number[] = [];
          let latest = Number.NEGATIVE_INFINITY;
          for (const delta of steps) {
            clock.mono += delta;
            latest = Math.max(latest, clock.mono);
            const inWindow = admitted.filter((at) => at + windowMs > latest);
            const answer = limits.judge(fakeCall({ ...options, isPreview: true }));
            assert.deepEqual(
              runOnce(limits, options).effect,
              answer.effect,
              'a preview says what a call then meets, and counts nothing',
            );
            assert.equal(answer.effect, inWindow.length < requests ? 'pass' : 'deny');
            if (answer.effect === 'pass') admitted.push(latest);
            else {
              const wait = answer.error?.retryAfterMs ?? Number.NaN;
              const fits = (at: number) => admitted.filter((one) => one + windowMs > at).length < requests;
              assert.deepEqual([fits(latest + wait - 1), fits(latest + wait)], [false, true]);
            }
          }
          limits.dispose();
        },
      ),
      { numRuns: runs(24, 1500, 10_000) },
    );
  });

  it('keeps the memory of ever more keys bounded by what the windows hold', () => {
    const clock = new FakeClock();
    const limits = limitsOf({ per_tool: '5 per 10s' }, clock);
    const base = fakeCall();
    let most = 0;
    for (let index = 0; index < runs(25_000, 100_000); index++) {
      const id = `cap:x:t${index}`;
      const call = { ...base, invocationId: id, tool: { ...base.tool, id } };
      limits.judge(call);
      limits.finished(call, ok(call));
      most = Math.max(most, limits.use.windows);
      if (index % 1000 === 0) clock.mono += 1000;
    }
    // 10,000 windows hold a call at any time; the rest are forgotten before they are as many again.
    assert.ok(most >= 10_000 && most <= 22_000, String(most));
    limits.dispose();
  });

  it('limits per tool, capability, source and in all, each with its own window', () => {
    const check = (raw: unknown, first: FakeCall, same: FakeCall, other: FakeCall) => {
      const limits = limitsOf(raw);
      assert.deepEqual(
        [runOnce(limits, first).effect, runOnce(limits, other).effect, runOnce(limits, same).effect],
        ['pass', 'pass', 'deny'],
        JSON.stringify(raw),
      );
      limits.dispose();
    };
    const one = { requests: 1, window: '1m' };
    check({ perTool: one }, {}, {}, { tool: 'other' });
    check({ tools: { write_file: one } }, {}, {}, { tool: 'other' });
    check({ perCapability: one }, {}, { tool: 'other' }, { capability: 'math' });
    check({ capabilities: { file_system: one } }, {}, { tool: 'other' }, { capability: 'math' });
    check({ perSource: one }, {}, { capability: 'math' }, { source: { type: 'mcp', server: 's' } });
    check(
      { sources: { 'mcp:s': one } },
      { source: { type: 'mcp', server: 's' } },
      { source: { type: 'mcp', server: 's' }, tool: 'x' },
      {},
    );
    const all = limitsOf({ all: '1 per 1m' });
    assert.deepEqual(
      [runOnce(all, {}).effect, runOnce(all, { capability: 'math', source: { type: 'mcp', server: 's' } }).effect],
      ['pass', 'deny'],
    );
    all.dispose();
  });

  it('holds a tool of a server to its rate whatever the server calls it', () => {
    const source = { type: 'mcp', server: 's' } as const;
    for (const name of [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].map(foreignToolName))
      for (const raw of [{ perTool: '3 per 1m' }, { tools: { [name]: '3 per 1m' } }]) {
        const limits = new CallLimits({ clock: new FakeClock(), limits: [parseLimits(raw).value] });
        const call: FakeCall = { tool: name, source, actor: { type: 'user', id: 'u' } };
        const effects = Array.from({ length: 10 }, () => runOnce(limits, call).effect);
        assert.equal(effects.filter((one) => one === 'pass').length, 3, `${name} ${JSON.stringify(raw)}`);
        limits.dispose();
      }
  });

  it('a workspace only lowers', () => {
    const attempt = (workspace: unknown) => {
      const limits = new CallLimits({ clock: new FakeClock(), limits: layersOf({ perTool: '3 per 1m' }, workspace) });
      const passed = passing(limits);
      limits.dispose();
      return passed;
    };
    assert.deepEqual(
      [
        attempt(undefined),
        attempt({ perTool: '100 per 1m' }),
        attempt({ perTool: '2 per 1m' }),
        attempt({ perTool: 'many' }),
        attempt({}),
      ],
      [3, 3, 2, 3, 3],
    );
  });

  it('reads durations and rates in every spelling, and reports what it cannot read', () => {
    assert.deepEqual(
      ['1h', '30s', '500ms', '2 m', '1w', 5, '0s', 'soon', -1].map((one) => readDuration(one, 'seconds')),
      [3_600_000, 30_000, 500, 120_000, 604_800_000, 5000, undefined, undefined, undefined],
    );
    assert.deepEqual(
      [
        parseRate('100 per 1h'),
        parseRate('5/min'),
        parseRate({ requests: 1, window_ms: 5 }),
        parseRate({ requests: 1.5, window: '1s' }),
        parseRate({ requests: 10, window_seconds: 5 }),
        parseRate({ requests: 10, window: '1h', windowMs: 1000 }),
        parseRate({ requests: 10, windowMs: 1000, window_ms: 3_600_000 }),
        parseRate({ requests: 10, Requests: 1, window: '1h' }),
      ],
      [
        { requests: 100, windowMs: 3_600_000 },
        { requests: 5, windowMs: 60_000 },
        { requests: 1, windowMs: 5 },
        undefined,
        { requests: 10, windowMs: 5000 },
        undefined,
        undefined,
        undefined,
      ],
    );
    assert.deepEqual(
      parseLimits({ perTool: 'x', budget: { calls: -1 }, bugdet: {} }).problems.map((one) => one.pointer),
      ['/perTool', '/budget/calls', '/bugdet'],
    );
  });

  it('budgets of calls, time and bytes end a session', () => {
    for (const budget of [{ calls: 2 }, { seconds: 0.002 }, { megabytes: 0.000006 }]) {
      const limits = limitsOf({ budget });
      assert.deepEqual(
        [runOnce(limits).effect, runOnce(limits).effect, runOnce(limits).error?.code],
        ['pass', 'pass', 'budget_exceeded'],
        JSON.stringify(budget),
      );
      limits.dispose();
    }
  });

  it('refuses more calls at the same time than allowed, and frees the place of each that ends', () => {
    const limits = limitsOf({ concurrency: { perTool: 1, all: 2 } });
    const [first, second, third] = [fakeCall(), fakeCall({ tool: 'other' }), fakeCall({ tool: 'third' })];
    assert.deepEqual(
      [
        limits.judge(first).effect,
        limits.judge(fakeCall()).error?.code,
        limits.judge(second).effect,
        limits.judge(third).error?.code,
      ],
      ['pass', 'too_many_calls', 'pass', 'too_many_calls'],
    );
    limits.finished(first, ok(first));
    limits.finished(first, ok(first));
    assert.deepEqual([limits.judge(third).effect, limits.use.running], ['pass', 2]);
    limits.dispose();
  });

  it('asks an agent that makes the same call with the same result a fourth time, never a person, a clock or a changed result', () => {
    const limits = limitsOf({ repetition: 3 });
    const effects = (options: FakeCall, result?: (call: GateCall) => ToolResult, times = 4) =>
      Array.from({ length: times }, () => runOnce(limits, options, result).effect).join(' ');
    assert.equal(effects({ input: { a: 1 } }), 'pass pass pass ask');
    assert.equal(effects({ input: { a: 2 }, actor: { type: 'user', id: 'u' } }), 'pass pass pass pass');
    assert.equal(effects({ input: { a: 3 }, definition: { repeatable: true } }), 'pass pass pass pass');
    assert.equal(effects({ input: { a: 3 }, definition: { kind: 'status' } }), 'pass pass pass pass');
    assert.equal(effects({ input: { a: 3 }, definition: { kind: 'state' } }), 'pass pass pass pass');
    let count = 0;
    assert.equal(
      effects({ input: { a: 4 } }, (call) => ok(call, count++)),
      'pass pass pass pass',
    );
    assert.equal(
      effects({ input: { a: 5 } }, (call) => failed(call, 'not_found')),
      'pass pass pass ask',
    );
    runOnce(limits, { input: { b: 1 } });
    assert.equal(runOnce(limits, { input: { a: 5 } }).effect, 'pass', 'another call in between breaks the row');
    limits.dispose();
  });

  it('rests a tool that fails again and again, tries it once after the pause, and reopens it when it works', () => {
    const clock = new FakeClock();
    const limits = limitsOf({ circuit: { failures: 2, cooldown_seconds: 10 } }, clock);
    const fail = (call: GateCall) => failed(call, 'internal_error');
    for (let index = 0; index < 5; index++)
      assert.equal(
        runOnce(limits, {}, (call) => failed(call, 'not_found')).effect,
        'pass',
        'a wrong path says nothing about the tool',
      );
    runOnce(limits, {}, fail);
    runOnce(limits, {}, fail);
    const open = runOnce(limits);
    assert.deepEqual([open.error?.code, open.error?.retryAfterMs], ['circuit_open', 10_000]);
    clock.advance(10_000);
    const trial = fakeCall();
    assert.deepEqual([limits.judge(trial).effect, limits.judge(fakeCall()).effect], ['pass', 'deny']);
    limits.finished(trial, fail(trial));
    assert.equal(runOnce(limits).error?.code, 'circuit_open');
    clock.advance(10_000);
    assert.deepEqual(
      [runOnce(limits).effect, runOnce(limits, {}, fail).effect, runOnce(limits).effect],
      ['pass', 'pass', 'pass'],
    );
    limits.dispose();
  });

  it('windows and circuits survive a reload, also where the clock was set back', async () => {
    for (const shift of [0, -3_600_000]) {
      const storage = new MemoryStore();
      const clock = new FakeClock();
      const raw = { perTool: '2 per 1m', circuit: { failures: 1, cooldownSeconds: 60 } };
      const before = limitsOf(raw, clock, storage);
      runOnce(before);
      runOnce(before);
      runOnce(before, { tool: 'broken' }, (call) => failed(call, 'internal_error'));
      await before.save();
      before.dispose();
      const later = new FakeClock();
      later.time = clock.time + 10_000 + shift;
      later.mono = 5;
      const after = limitsOf(raw, later, storage);
      const refused = runOnce(after);
      assert.equal(refused.error?.code, 'rate_limit_exceeded');
      assert.equal(refused.error?.retryAfterMs, shift === 0 ? 50_000 : 60_000);
      assert.equal(runOnce(after, { tool: 'broken' }).error?.code, 'circuit_open');
      after.dispose();
    }
  });

  it('a log of nothing allowed refuses for a whole window', () => {
    assert.equal(new SlidingLog(5).retryAfter(1, 0), 5);
  });

  it('a workspace that adds or removes limits of its own gives back nothing of what a bundle counts', () => {
    const bundle = { perTool: '3 per 1h' };
    const limits = new CallLimits({ clock: new FakeClock(), limits: layersOf({}, undefined, bundle) });
    assert.equal(passing(limits), 3);
    limits.setLimits(layersOf({}, { perTool: '100 per 1h' }, bundle));
    assert.equal(passing(limits), 0);
    limits.setLimits(layersOf({}, undefined, bundle));
    assert.equal(passing(limits), 0);
    limits.dispose();
  });

  it('a limit whose number is changed still counts what was called before', () => {
    const limits = new CallLimits({ clock: new FakeClock(), limits: layersOf({ perTool: '3 per 1h' }) });
    const set = (perTool: string) => limits.setLimits(layersOf({ perTool }));
    assert.equal(passing(limits), 3);
    set('2 per 1h');
    assert.equal(passing(limits), 0);
    set('4 per 1h');
    assert.equal(passing(limits), 1);
    limits.dispose();
  });

  it('D.tightens: whatever limits scopes add, change and drop, with restarts between, each call counts for all of them', async () => {
    const rate = fc.option(
      fc.nat(6).map((requests) => ({ requests, window: '1h' })),
      { nil: undefined },
    );
    const scope = fc.option(fc.record({ perTool: rate, all: rate }), { nil: undefined });
    const step = fc.record({ scopes: fc.array(scope, { maxLength: 3 }), calls: fc.nat(4), restarts: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const [clock, storage] = [new FakeClock(), new MemoryStore()];
        let limits = new CallLimits({ clock, storage });
        let passed = 0;
        for (const { scopes, calls, restarts } of steps) {
          if (restarts) {
            await limits.save();
            limits.dispose();
            limits = new CallLimits({ clock, storage });
          }
          limits.setLimits(
            layersOf({ perTool: '5 per 1h', all: '9 per 1h' }, ...scopes.map((one) => one && defined(one))),
          );
          const numbers = scopes.flatMap((one) => [one?.perTool, one?.all]).map((one) => one?.requests ?? 5);
          const left = Math.max(0, Math.min(5, ...numbers) - passed);
          assert.equal(passing(limits, calls), Math.min(calls, left));
          passed += Math.min(calls, left);
        }
        limits.dispose();
      }),
      { numRuns: runs(40, 2000) },
    );
  });

  it('a window of many calls is as full after a restart as before it, and empties no sooner', async () => {
    const calls = runs(6000, 12_000);
    const day = 86_400_000;
    const [clock, storage] = [new FakeClock(), new MemoryStore()];
    const layers = layersOf({ perTool: `${calls} per 1d`, all: `${calls * 9} per 1d` });
    const before = new CallLimits({ clock, storage, limits: layers });
    for (let index = 0; index < calls; index++) {
      // No timers run, so that it is stored once.
      clock.time += 1000;
      clock.mono += 1000;
      assert.equal(passing(before, 1), 1);
    }
    await before.save();
    before.dispose();
    const stored = JSON.stringify(storage.get('limits'));
    assert.ok(stored.length < 5000 * 2 * 20, `${stored.length} characters`);
    const after = new CallLimits({ clock, storage, limits: layers });
    assert.equal(passing(after), 0);
    // A hundred calls later as many fit again, but for those that took the time of one after them.
    clock.advance(day - (calls - 100) * 1000);
    const fitting = passing(after, 200);
    assert.ok(fitting > 90 && fitting <= 101, `${fitting} fit`);
    after.dispose();
  });

  it('what earlier versions stored counts, of several scopes the fullest', () => {
    const clock = new FakeClock();
    const storage = new MemoryStore();
    const times = [clock.time - 3000, clock.time - 2000, clock.time - 1000];
    const { id } = fakeCall().tool;
    void storage.set('limits', {
      logs: { [`tool:1:${id}|3|3600000`]: times, [`tool:0:${id}|600|3600000`]: times.slice(1), 'all:0|9|60000': times },
    });
    const limits = new CallLimits({ clock, storage, limits: layersOf({ perTool: '4 per 1h' }) });
    assert.equal(passing(limits), 1);
    limits.setLimits(layersOf({ all: '6 per 1m' }));
    assert.equal(passing(limits), 2);
    limits.dispose();
  });
});
