import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { CallLimits } from '../../../../src/core/policy/limits/limits';
import { runs } from '../../../support/counts';
import { FakeClock, MemoryStore } from '../../../support/toolContext';
import { defined } from '../../../../src/core/base/json';
import { layersOf, passing } from '../../../support/limits';

describe('limits of several scopes', () => {
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
      [3, 3, 2, 0, 3],
    );
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
});
