import { strict as assert } from 'node:assert';
import type { Json } from '../../../../src/core/base/json';
import { type GrantDraft, GrantStore } from '../../../../src/core/policy/grants/grants';
import { permission, write } from '../../../support/approvals';
import { fakeCall } from '../../../support/gateCall';
import { FakeClock, fakePorts, MemoryStore } from '../../../support/toolContext';

const always: GrantDraft = { scope: 'always', cover: 'resources' };
const calls = ['src/a.ts', 'src/b.ts'].map((path) => fakeCall({ accesses: [write(path)], input: { path } }));
const [first = fakeCall(), second = fakeCall()] = calls;

/** The editor's storage as a window sees it: it hears of what others wrote when it is told. */
class WindowStore extends MemoryStore {
  readonly shared: MemoryStore;
  constructor(shared: MemoryStore) {
    super();
    this.shared = shared;
  }
  hear(): void {
    this.values.clear();
    for (const [key, value] of this.shared.values) this.values.set(key, value);
  }
  override async set(key: string, value: Json | undefined): Promise<void> {
    await Promise.all([super.set(key, value), this.shared.set(key, value)]);
  }
}

describe('grants that several windows share', () => {
  let clock: FakeClock;
  let opened: GrantStore[];
  beforeEach(() => ([clock, opened] = [new FakeClock(), []]));
  afterEach(() => opened.forEach((one) => one.dispose()));

  function open(user: MemoryStore) {
    const grants = new GrantStore({ clock, crypto: fakePorts().crypto, workspace: new MemoryStore(), user });
    opened.push(grants);
    return {
      user,
      grants,
      add: (call: typeof first, more: Partial<GrantDraft> = {}) =>
        grants.add({ ...always, ...more }, call, call.accesses, [permission]),
      covering: (call: typeof first) => grants.covering(call, call.accesses, [permission]),
    };
  }

  it('one that a window took back covers nothing in any other, and nobody brings it back', () => {
    const user = new MemoryStore();
    const a = open(user);
    const { id } = a.add(first);
    const b = open(user);
    assert.equal(b.covering(first)?.id, id);
    a.grants.revoke(id);
    assert.equal(b.covering(first), undefined);
    b.add(second);
    const c = open(user);
    assert.deepEqual([c.covering(first), c.covering(second)?.by], [undefined, 'grant']);
    a.grants.revokeAll();
    assert.deepEqual(
      [b, c, open(user)].map(({ grants }) => grants.list()),
      [[], [], []],
    );
  });

  it('one for so many calls covers no more of them, however many windows there are', () => {
    const user = new MemoryStore();
    const [a, b] = [open(user), open(user)];
    a.add(first, { uses: 1 });
    const both = [a.covering(first), b.covering(first)];
    assert.deepEqual(
      [...both.map((one) => one?.use()), a.covering(first), b.covering(first)],
      [true, false, undefined, undefined],
    );
    a.add(first, { uses: 3 });
    const used = [a, b, b, a, b, a].map(({ covering }) => covering(first)?.use());
    assert.deepEqual(used, [true, true, true, undefined, undefined, undefined]);
  });

  it('a window that had not heard brings nothing back: whoever took it back puts that right', () => {
    const shared = new MemoryStore();
    const [a, b] = [new WindowStore(shared), new WindowStore(shared)].map(open);
    const { id } = a!.add(first);
    for (const one of [a, b]) (one!.user as WindowStore).hear();
    assert.equal(b!.covering(first)?.id, id);
    a!.grants.revoke(id);
    b!.add(second);
    (a!.user as WindowStore).hear();
    assert.equal(a!.covering(first), undefined);
    (b!.user as WindowStore).hear();
    assert.deepEqual([b!.covering(first), open(shared).covering(first)], [undefined, undefined]);
    assert.ok(a!.covering(second) && open(shared).covering(second));
  });

  it('ids of what is gone are kept for 90 days, and 5,000 of them', () => {
    const user = new MemoryStore();
    const gone = Array.from({ length: 5010 }, (_, at) => ({ id: `gone-${at}`, goneAt: clock.now() + at }));
    user.values.set('grants', gone);
    const { add } = open(user);
    const rows = (): readonly Json[] => user.values.get('grants') as readonly Json[];
    add(first);
    assert.deepEqual([rows().length, rows()[1]], [5001, gone[10]]);
    clock.time += 90 * 86_400_000 + 5010;
    add(second);
    assert.equal(rows().length, 2);
  });
});
