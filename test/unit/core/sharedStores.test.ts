import { strict as assert } from 'node:assert';
import type { Json } from '../../../src/core/base/json';
import { ApprovedDefinitions } from '../../../src/core/definitions/approvedDefinitions';
import { EntryApprovals } from '../../../src/core/foreign/entryApprovals';
import { parseServers } from '../../../src/core/foreign/serverSpec';
import type { GateCall } from '../../../src/core/call/gateCall';
import type { KeyValueStore, StoredChange } from '../../../src/core/ports/platform';
import { AcceptedProfiles } from '../../../src/core/profiles/acceptedProfiles';
import { FrozenPlans } from '../../../src/core/policy/plans/plans';
import { ProbeCache } from '../../../src/core/resolver/states';
import { LastGood } from '../../../src/core/definitions/lastGood';
import { say } from '../../../src/core/base/sentence';
import { KeptLists } from '../../../src/mcp/client/keptLists';
import { memoryStore } from '../../../src/node/memory';
import { fakeCall } from '../../support/gateCall';
import { gateway } from '../../support/mcp/harness';
import { FakeClock } from '../../support/toolContext';
import { nodeCrypto } from '../../../src/node/system';

/** One process's look at a store that others write: what it has read before a change may be old by then. */
class SharedStore implements KeyValueStore {
  readonly #shared: Map<string, Json | undefined>;
  readonly #read = new Map<string, Json | undefined>();
  constructor(shared: Map<string, Json | undefined>) {
    this.#shared = shared;
  }
  /** As of the last time that it looked. */
  get(key: string): Json | undefined {
    return this.#read.get(key);
  }
  look(): void {
    for (const [key, value] of this.#shared) this.#read.set(key, value);
  }
  async set(key: string, value: Json | undefined): Promise<void> {
    this.update(key, () => ({ value, answer: undefined }));
  }
  update<T>(key: string, change: StoredChange<T>): T {
    const { value, answer } = change(this.#shared.get(key));
    this.#shared.set(key, value);
    this.look();
    return answer;
  }
}

/** Two processes that each keep something without having looked again, and one that looks then. */
async function each<T>(
  open: (store: SharedStore) => T,
  keep: (one: T, which: 'first' | 'second') => unknown,
): Promise<T> {
  const shared = new Map<string, Json | undefined>();
  const [one, other] = [open(new SharedStore(shared)), open(new SharedStore(shared))];
  await keep(one, 'first');
  await keep(other, 'second');
  const third = new SharedStore(shared);
  third.look();
  return open(third);
}

describe('what several processes keep in one place is kept of all of them', () => {
  it('accepted profiles', async () => {
    const kept = await each(
      (store) => new AcceptedProfiles(store, nodeCrypto),
      (one, which) => one.remember([which]),
    );
    assert.deepEqual([kept.has('first'), kept.has('second')], [true, true]);
    const version = (said: string) => ({ said, capabilities: { a: 'hash' } });
    const versions = await each(
      (store) => new AcceptedProfiles(store, nodeCrypto),
      (one, which) => one.rememberVersion(version(which)),
    );
    assert.deepEqual([versions.hasVersion(version('first')), versions.hasVersion(version('second'))], [true, true]);
  });

  it('approved definitions', async () => {
    const kept = await each(
      (store) => new ApprovedDefinitions(store),
      (one, which) => one.add({ identity: which, hash: which, lines: [] }),
    );
    assert.deepEqual([kept.get('first')?.hashes, kept.get('second')?.hashes], [['first'], ['second']]);
  });

  it('the last good texts of definition files', async () => {
    const kept = await each(
      (store) => new LastGood(store),
      (one, which) => one.keep(which, `text of ${which}`),
    );
    assert.deepEqual([kept.get('first'), kept.get('second')], ['text of first', 'text of second']);
  });

  it('what probes found', async () => {
    const kept = await each(
      (store) => new ProbeCache(new FakeClock(), store),
      (one, which) => one.set(which, true, say('no_reason')),
    );
    assert.deepEqual([kept.record('first')?.isGood, kept.record('second')?.isGood], [true, true]);
  });

  it('what a server lists', async () => {
    const spec = parseServers({ s: { command: 'x' } }, 'user').servers[0]!;
    const kept = await each(
      (store) => new KeptLists(store, nodeCrypto),
      (one, which) => one.keep(spec, which === 'first' ? 'resources' : 'prompts', [which]),
    );
    assert.deepEqual([kept.get(spec, 'resources'), kept.get(spec, 'prompts')], [['first'], ['second']]);
  });

  const plansIn = (storage: KeyValueStore, isThere = true, clock = new FakeClock()) =>
    new FrozenPlans({
      clock,
      crypto: nodeCrypto,
      storage,
      find: (id) => (isThere ? ({ id } as never) : undefined),
      requireFrozenSpec: () => 'never',
    });
  const line = (tool: string) => ({ tool, arguments: {}, count: 3 });
  const callOf = (id: string): GateCall => {
    const made = fakeCall({ input: {}, accesses: [{ effect: 'fs.write', resource: 'a' }] });
    return { ...made, tool: { ...made.tool, id, modelName: id } };
  };

  it('frozen plans: a command beside another one ends and replaces none of its plans', async () => {
    const kept = await each(
      (store) => plansIn(store),
      (one, which) => one.freeze(which, [line(which)]),
    );
    assert.deepEqual(
      kept.list().map(({ title }) => title),
      ['first', 'second'],
    );
  });

  it('frozen plans: what was used stays used, and what was revoked stays revoked, whoever stores last', () => {
    const shared = new Map<string, Json | undefined>();
    const open = () => {
      const store = new SharedStore(shared);
      store.look();
      return plansIn(store);
    };
    const [used, gone] = [open().freeze('used', [line('a')]), open().freeze('gone', [line('b')])];
    const [one, other] = [open(), open()];
    one.activate(used.hash);
    one.consume(callOf('a'));
    one.revoke(gone.hash);
    other.activate(gone.hash);
    const last = open();
    assert.deepEqual(
      last.list().map(({ title, used: counts }) => [title, counts]),
      [['used', [1]]],
    );
    assert.equal(other.active?.hash, gone.hash);
    for (const plans of [one, other, last]) plans.dispose();
  });

  it('frozen plans: a line for three calls lets three pass, whichever process runs them', () => {
    const shared = new Map<string, Json | undefined>();
    const open = () => {
      const store = new SharedStore(shared);
      store.look();
      return plansIn(store);
    };
    const { hash } = open().freeze('plan', [line('a')]);
    const processes = [open(), open()];
    for (const one of processes) one.activate(hash);
    const effects = Array.from({ length: 5 }, (_, at) => processes[at % 2]?.consume(callOf('a')).effect);
    assert.deepEqual(effects, ['pass', 'pass', 'pass', 'deny', 'deny']);
    assert.deepEqual(open().list()[0]?.used, [3]);
    for (const plans of processes) plans.dispose();
  });

  for (const [what, change, effects] of [
    ['revoked lets nothing pass', (one, hash) => void one.revoke(hash), ['deny', 'deny', 'deny', 'deny']],
    [
      'froze anew counts on in the new one, and its old approval ends',
      (one) => {
        one.freeze('plan', [line('a')]);
        for (const _ of [1, 2]) one.consume(callOf('a'));
      },
      ['deny', 'pass', 'deny', 'deny'],
    ],
  ] as readonly (readonly [string, (one: FrozenPlans, hash: string) => void, readonly string[]])[])
    it(`frozen plans: one that another process ${what}`, () => {
      const clock = new FakeClock();
      const shared = new Map<string, Json | undefined>();
      const open = (isThere = true) => {
        const store = new SharedStore(shared);
        store.look();
        return plansIn(store, isThere, clock);
      };
      const { hash } = open().freeze('plan', [line('a')]);
      open(false).approve(hash);
      const [one, other] = [open(), open()];
      clock.time += 1;
      change(one, hash);
      assert.deepEqual(
        Array.from({ length: 4 }, () => other.consume(callOf('a')).effect),
        effects,
      );
      assert.equal(other.active?.isApproved, false);
      for (const plans of [one, other]) plans.dispose();
    });

  it('frozen plans: one that is frozen anew after it was revoked is in force, also where the clock stands', () => {
    const plans = plansIn(new SharedStore(new Map()));
    const { hash } = plans.freeze('plan', [line('a')]);
    plans.revoke(hash);
    plans.freeze('plan', [line('a')]);
    const effects = Array.from({ length: 4 }, () => plans.consume(callOf('a')).effect);
    assert.deepEqual(effects, ['pass', 'pass', 'pass', 'deny']);
    plans.dispose();
  });

  it('frozen plans: a call that cannot be counted is denied, and counted once it can be', () => {
    let isFull = false;
    class FullStore extends SharedStore {
      override update<T>(key: string, change: StoredChange<T>): T {
        if (isFull) change(this.get(key));
        if (isFull) throw new Error('no room');
        return super.update(key, change);
      }
    }
    const plans = plansIn(new FullStore(new Map()));
    plans.freeze('plan', [line('a')]);
    isFull = true;
    assert.equal(plans.consume(callOf('a')).error?.code, 'not_available');
    isFull = false;
    const effects = Array.from({ length: 4 }, () => plans.consume(callOf('a')).effect);
    assert.deepEqual(effects, ['pass', 'pass', 'pass', 'deny']);
    plans.dispose();
  });

  it('frozen plans: what was approved stays so where another one stores it as it was before', () => {
    const shared = new Map<string, Json | undefined>();
    const open = (isThere = true) => {
      const store = new SharedStore(shared);
      store.look();
      return plansIn(store, isThere);
    };
    const { hash } = open().freeze('plan', [line('a')]);
    // Where its tools are away there is nothing that the approval could be bound to.
    const [one, stale] = [open(false), open()];
    one.approve(hash);
    stale.activate(hash);
    stale.consume(callOf('a'));
    const last = open();
    assert.deepEqual(
      last.list().map(({ isApproved, used }) => [isApproved, used]),
      [[true, [1]]],
    );
    for (const plans of [one, stale, last]) plans.dispose();
  });

  it('agents that commands made: what one changed or deleted is not written back by another', async () => {
    const agent = (description: string) => ({ description, capabilities: ['math'] });
    const storage = memoryStore();
    await storage.set('profiles', { kept: agent('before'), gone: agent('gone') });
    const [one, other] = [await gateway({ storage }), await gateway({ storage })];
    try {
      await one.opened.profileSettings.write('user', { kept: agent('after') });
      const known = other.opened.profileSettings.read('user') as Readonly<Record<string, Json>>;
      assert.deepEqual(Object.keys(known), ['kept', 'gone']);
      await other.opened.profileSettings.write('user', { ...known, made: agent('made') });
      assert.deepEqual(storage.get('profiles'), { kept: agent('after'), made: agent('made') });
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('approved entries of servers', async () => {
    const spec = (arg: string) => parseServers({ s: { command: 'x', args: [arg] } }, 'workspace').servers[0];
    const kept = await each(
      (store) => new EntryApprovals(store, nodeCrypto, () => '/w'),
      (one, which) => {
        const found = spec(which);
        return found && one.approve(found, []);
      },
    );
    for (const which of ['first', 'second']) {
      const found = spec(which);
      assert.ok(found && kept.find(found, []), which);
    }
  });
});
