import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { CallLimits } from '../../../../src/core/policy/limits/limits';
import { parseLimits } from '../../../../src/core/policy/limits/limitSettings';
import { SlidingLog } from '../../../../src/core/policy/limits/slidingLog';
import { runs } from '../../../support/counts';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import { foreignToolName } from '../../../../src/core/foreign/toolName';
import { FakeClock, MemoryStore } from '../../../support/toolContext';
import { limitsOf, ok, runOnce, layersOf, passing } from '../../../support/limits';

describe('rates', () => {
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

  it('a log of nothing allowed refuses for a whole window', () => {
    assert.equal(new SlidingLog(5).retryAfter(1, 0), 5);
  });

  it('a window of many calls is as full after a restart as before it, and empties no sooner', async () => {
    const calls = runs(6000, 12_000);
    // So many a second that a process stores them now and then, not each.
    const [windowMs, step] = [calls * 100, 40];
    const [clock, storage] = [new FakeClock(), new MemoryStore()];
    const layers = layersOf({ perTool: `${calls} per ${windowMs}ms`, all: `${calls * 9} per ${windowMs}ms` });
    const before = new CallLimits({ clock, storage, limits: layers });
    for (let index = 0; index < calls; index++) {
      // No timers run, so that it is stored once.
      clock.time += step;
      clock.mono += step;
      assert.equal(passing(before, 1), 1);
    }
    await before.save();
    before.dispose();
    const stored = JSON.stringify(storage.get('limits'));
    assert.ok(stored.length < 5000 * 2 * 20, `${stored.length} characters`);
    const after = new CallLimits({ clock, storage, limits: layers });
    assert.equal(passing(after), 0);
    // A hundred calls later as many fit again, but for those that took the time of one after them.
    clock.advance(windowMs - (calls - 100) * step);
    const fitting = passing(after, 200);
    assert.ok(fitting > 90 && fitting <= 101, `${fitting} fit`);
    after.dispose();
  });
});
