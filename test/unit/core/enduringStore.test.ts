import { strict as assert } from 'node:assert';
import type { Json } from '../../../src/core/base/json';
import { enduringStore } from '../../../src/core/ports/enduringStore';
import { changeStored, type KeyValueStore } from '../../../src/core/ports/platform';
import { memoryStore } from '../../../src/node/memory';
import { gateway, named, outcome, scripted, scriptedUser } from '../../support/mcp/harness';

describe('a storage that cannot be written', () => {
  /** Rejects while `isFull` says so; with `update`, as a file that processes share. */
  function fullStore(isFull: () => boolean, isShared: boolean): KeyValueStore {
    const values = memoryStore();
    const written = (key: string, value: Json | undefined): Promise<void> => values.set(key, value);
    const check = (): void => {
      if (isFull()) throw new Error('ENOSPC: no space left on device');
    };
    return {
      get: values.get,
      async set(key, value) {
        check();
        await written(key, value);
      },
      ...(isShared
        ? {
            update(key, change) {
              const { value, answer } = change(values.get(key));
              check();
              void written(key, value);
              return answer;
            },
          }
        : {}),
    };
  }

  for (const isShared of [false, true])
    it(`fails nobody who writes${isShared ? ', nor who changes what processes share' : ''}: it is told once, and holds here`, async () => {
      let isFull = true;
      const told: unknown[] = [];
      const store = enduringStore(
        fullStore(() => isFull, isShared),
        (error) => told.push(String(error)),
      );
      await store.set('a', 1);
      await changeStored(store, 'b', () => [2]);
      await changeStored(store, 'b', (now) => [...(now as number[]), 3]);
      assert.deepEqual([store.get('a'), store.get('b'), told.length], [1, [2, 3], 1]);
      isFull = false;
      await changeStored(store, 'b', (now) => [...((now ?? []) as number[]), 4]);
      await store.set('a', undefined);
      assert.deepEqual([store.get('a'), store.get('b'), told.length], [undefined, [2, 3, 4], 1]);
    });

  it('gives way to what another process stored since', async () => {
    let isFull = true;
    const shared = fullStore(() => isFull, true);
    const store = enduringStore(shared, () => undefined);
    await changeStored(store, 'a', () => ['own']);
    assert.deepEqual(store.get('a'), ['own']);
    isFull = false;
    await shared.set('a', ['of another']);
    assert.deepEqual(store.get('a'), ['of another']);
    await changeStored(store, 'a', (now) => [...(now as string[]), 'next']);
    assert.deepEqual(shared.get('a'), ['of another', 'next']);
  });

  it('lets the newest value stand where an older one fails after it', async () => {
    const values = memoryStore();
    let fail: (error: Error) => void = () => undefined;
    const slow = new Promise<void>((_resolve, reject) => (fail = reject));
    const store = enduringStore(
      { get: values.get, set: (key, value) => (value === 'old' ? slow : values.set(key, value)) },
      () => undefined,
    );
    const old = store.set('a', 'old');
    await store.set('a', 'new');
    fail(new Error('late'));
    await old;
    assert.equal(store.get('a'), 'new');
  });

  it('ends no command: a server is approved and called, and one line says that nothing is kept', async () => {
    const { user } = scriptedUser();
    const storage = fullStore(() => true, true);
    const g = await gateway({ servers: { s: scripted({ tools: named('echo') }) }, serverUser: user, storage });
    try {
      await g.core.servers.list.discover();
      assert.equal(outcome(await g.call('s_echo', { text: 'x' })), 'x');
      assert.deepEqual(
        g.errors.filter((line) => line.includes('ENOSPC')).map((line) => line.replace(/^.*?what/s, 'what').trim()),
        ['what is kept cannot be stored: ENOSPC: no space left on device'],
      );
    } finally {
      await g.close();
    }
  });
});
