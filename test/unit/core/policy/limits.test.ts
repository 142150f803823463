import { strict as assert } from 'node:assert';
import type { GateCall } from '../../../../src/core/call/gateCall';
import { parseLimits, parseRate } from '../../../../src/core/policy/limits/limitSettings';
import type { ToolResult } from '../../../../src/core/vocabulary/toolResult';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import { FakeClock, MemoryStore } from '../../../support/toolContext';
import { readDuration } from '../../../../src/core/base/durationText';
import { limitsOf, ok, failed, runOnce } from '../../../support/limits';

describe('limits', () => {
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

  it('a clock that was set back closes a limit for its window, however many processes ask meanwhile', () => {
    const storage = new MemoryStore();
    const clock = new FakeClock();
    const inItsOwnProcess = (): string => {
      const limits = limitsOf({ perTool: '1 per 1m' }, clock, storage);
      const { effect } = runOnce(limits);
      limits.dispose();
      return effect;
    };
    assert.equal(inItsOwnProcess(), 'pass');
    clock.time -= 3_600_000;
    assert.equal(inItsOwnProcess(), 'deny');
    clock.advance(40_000);
    assert.equal(inItsOwnProcess(), 'deny');
    clock.advance(20_001);
    assert.equal(inItsOwnProcess(), 'pass');
  });
});
