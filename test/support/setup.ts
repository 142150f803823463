import { strict as assert } from 'node:assert';
import { type Disposable, setDisposableTracker } from '../../src/core/base/lifecycle';

// Runs before every suite: a test that leaves a disposable open fails the run, with its name and the stack of the
// creation. Mocha would leave out all other tests after a failing hook, so the leaks are told together at the end.
const open = new Map<Disposable, Error>();
const leaks: string[] = [];

beforeEach(() => {
  open.clear();
  setDisposableTracker({
    created: (disposable) => open.set(disposable, new Error('created here')),
    disposed: (disposable) => open.delete(disposable),
  });
});

afterEach(function () {
  setDisposableTracker(undefined);
  const left = [...open.values()].map((error) => error.stack?.split('\n').slice(3, 7).join('\n'));
  if (left.length > 0) leaks.push(`${this.currentTest?.fullTitle()}\n${left.join('\n\n')}`);
  open.clear();
});

after(() => {
  for (const leak of leaks) console.error(leak);
  assert.equal(leaks.length, 0, 'tests left the disposables open that are named above');
});
