import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { type Disposable, setDisposableTracker } from '../../src/core/base/lifecycle';

// A run repeats exactly. `AGENT_CAPABILITIES_SEED=random` looks for cases that nobody saw yet, a number repeats such a
// run; what is found becomes an example of its property.
const seed = process.env['AGENT_CAPABILITIES_SEED'] ?? '20261122';
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

// Runs before every suite: a test that leaves a disposable open fails the run, with its name and the stack of the
// creation. Mocha would leave out all other tests after a failing hook, so the leaks are told together at the end.
const open = new Map<Disposable, Error>();
const leaks: string[] = [];

/** No more of the stack than is told: a test may create a hundred thousand of them. */
function creation(): Error {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = toldFrames.to;
  const error = new Error('created here');
  Error.stackTraceLimit = usual;
  return error;
}

/** The lines of a stack behind those of this file and of who makes all disposables. */
const toldFrames = { from: 4, to: 7 };

beforeEach(() => {
  open.clear();
  setDisposableTracker({
    created: (disposable) => open.set(disposable, creation()),
    disposed: (disposable) => open.delete(disposable),
  });
});

afterEach(function () {
  setDisposableTracker(undefined);
  const left = new Map<string, number>();
  for (const { stack } of open.values()) {
    const made =
      stack
        ?.split('\n')
        .slice(toldFrames.from, toldFrames.to + 1)
        .join('\n') ?? '';
    left.set(made, (left.get(made) ?? 0) + 1);
  }
  const told = [...left].map(([made, times]) => `${times} of\n${made}`).join('\n\n');
  if (left.size > 0) leaks.push(`${this.currentTest?.fullTitle()}\n${told}`);
  open.clear();
});

after(() => {
  for (const leak of leaks) console.error(leak);
  assert.equal(leaks.length, 0, 'tests left the disposables open that are named above');
});
