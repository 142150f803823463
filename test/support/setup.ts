import { strict as assert } from 'node:assert';
import { type Disposable, setDisposableTracker } from '../../src/core/base/lifecycle';

// Runs before every suite: a test that leaves a disposable open fails, with the stack of its creation.
const open = new Map<Disposable, Error>();

beforeEach(() => {
  open.clear();
  setDisposableTracker({
    created: (disposable) => open.set(disposable, new Error('created here')),
    disposed: (disposable) => open.delete(disposable),
  });
});

afterEach(() => {
  setDisposableTracker(undefined);
  const leaked = [...open.values()].map((error) => error.stack?.split('\n').slice(3, 7).join('\n'));
  open.clear();
  assert.deepEqual(leaked, [], 'a test left disposables open');
});
