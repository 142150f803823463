import { strict as assert } from 'node:assert';
import { ownedUnless } from '../../src/app/ownedUnless';
import { startBehind } from '../../src/app/startBehind';
import { shownWindow } from '../support/fakeVscode';

/** A system that says what was done with it. */
function systemThat(done: string[]) {
  return { save: async () => void done.push('saved'), dispose: () => void done.push('disposed') };
}

describe('the start behind the activation', () => {
  beforeEach(() => (shownWindow.errors = []));
  afterEach(() => (shownWindow.errors = undefined));

  it('begins nothing while the editor activates', async () => {
    const done: string[] = [];
    const started = startBehind(async () => {
      done.push('composed');
      return systemThat(done);
    });
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    assert.deepEqual(done, []);
    await started.system;
    assert.deepEqual(done, ['composed']);
    await started.save();
    started.dispose();
    assert.deepEqual(done, ['composed', 'saved', 'disposed']);
  });

  it('shows what failed once, and tells everybody who waits in the same words', async () => {
    const started = startBehind(async () => {
      throw new Error('no disk');
    });
    for (const one of [started.system, started.system])
      await assert.rejects(one, /^Error: Agent Capabilities did not start: no disk$/);
    assert.deepEqual(shownWindow.errors, ['Agent Capabilities did not start: no disk']);
    await started.save();
    started.dispose();
  });

  it('lets go at once of what was made where the window closes meanwhile, and nobody waits for the rest', async () => {
    const done: string[] = [];
    let isHalf = (): void => undefined;
    const half = new Promise<void>((resolve) => (isHalf = resolve));
    const started = startBehind((signal) =>
      ownedUnless(signal, async (store) => {
        store.add({ dispose: () => void done.push('half') });
        isHalf();
        return new Promise<never>(() => undefined);
      }),
    );
    await half;
    await started.save();
    started.dispose();
    assert.deepEqual(done, ['half']);
    await assert.rejects(started.system, /did not start: the window closed meanwhile/);
    assert.deepEqual(shownWindow.errors, [], 'nobody is told of a window that is gone');
  });

  it('makes nothing where the window closes before it begins', async () => {
    const started = startBehind(async () => assert.fail('it is made'));
    started.dispose();
    await assert.rejects(started.system, /the window closed meanwhile/);
    assert.deepEqual(shownWindow.errors, []);
  });

  it('lets go of a system that stood in the very moment in which the window closed', async () => {
    const done: string[] = [];
    const started = startBehind(async () => {
      started.dispose();
      return systemThat(done);
    });
    await assert.rejects(started.system, /the window closed meanwhile/);
    assert.deepEqual(done, ['disposed']);
  });

  it('lets go of what was made where making the rest fails', async () => {
    const done: string[] = [];
    const making = ownedUnless(new AbortController().signal, async (store) => {
      store.add({ dispose: () => void done.push('first') });
      throw new Error('second');
    });
    await assert.rejects(making, /second/);
    assert.deepEqual(done, ['first']);
  });
});
