import { strict as assert } from 'node:assert';
import { LooksBetween } from '../../../src/core/changes/looksBetween';
import type { EndedCall } from '../../../src/core/ports/begunCalls';
import type { Checkpoints } from '../../../src/core/ports/checkpoints';
import type { KeptLook, KeptLooks } from '../../../src/core/ports/keptLooks';
import { readSettings } from '../../../src/core/settings/readSettings';
import { nodeCrypto } from '../../../src/node/system';
import { fakeCall } from '../../support/gateCall';
import { FakeClock } from '../../support/toolContext';

const folder = { name: 'work', path: '/work', scheme: 'file' };
const lookMs = 400;

/** A folder in which a look takes 400 ms of a clock that only looks move. */
function slowFolder() {
  const clock = new FakeClock();
  const kept = new Map<string, KeptLook>();
  const ended: EndedCall[] = [];
  const files = new Set<string>();
  const place = { looks: 0, held: Promise.resolve() };
  let last: Promise<unknown> = Promise.resolve();
  const looks: KeptLooks = {
    inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const turn = last.then(() => {
        signal.throwIfAborted();
        return work();
      });
      last = turn.catch(() => undefined);
      const givenUp = new Promise<never>((_done, failed) =>
        signal.addEventListener('abort', () => failed(signal.reason)),
      );
      return Promise.race([turn, givenUp]);
    },
    all: () => [...kept.values()].sort((a, b) => a.time - b.time),
    put: (look) => void kept.set(look.id, look),
    remove: (id) => void kept.delete(id),
  };
  const checkpoints: Checkpoints = {
    fault: async () => undefined,
    async take({ signal }) {
      place.looks++;
      const time = clock.now();
      const tree = JSON.stringify([...files]);
      await place.held;
      clock.advance(lookMs);
      signal.throwIfAborted();
      return { time, folders: [{ root: folder.path, tree, modes: {}, uncovered: {} }] };
    },
    between: async (before, after) => {
      const [was, is] = [before, after].map((one) => JSON.parse(one.folders[0]?.tree ?? '[]') as string[]);
      return (is ?? [])
        .filter((name) => !was?.includes(name))
        .map((path) => ({
          ...{ root: folder.path, path, before: { kind: 'nothing' } },
          after: { kind: 'file', size: 1, notKept: 'secret' },
        }));
    },
    stateAt: async () => ({ kind: 'nothing' }),
    async *contents() {},
  };
  const withLimit = (mostMs: number): LooksBetween =>
    new LooksBetween({
      ...{ looks, checkpoints, folder, mostMs, clock, crypto: nodeCrypto },
      begun: {
        mostBytes: 1e6,
        begin() {},
        begun: () => [],
        end: (call) => void ended.push(call),
        ended: () => ended.map((call, at) => ({ name: String(at), call, images: () => [] })),
        remove() {},
      },
      files: { folders: () => [folder] },
      settings: readSettings({ managed: {}, user: { 'changes.checkpoints': true }, workspace: {} }),
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
  const source = { type: 'host', agent: 'claude' } as const;
  return {
    ...{ clock, files, looks, place, withLimit },
    call: (id: string) => fakeCall({ source, id, tool: 'bash' }),
    /** Each place with the calls of which one made it. */
    found: () =>
      Object.fromEntries(
        ended.flatMap(({ id, places, orBy = [] }) => places.map(({ path }) => [path, [id, ...orBy].sort()])),
      ),
  };
}

describe('hooks that wait for each other’s looks at a folder', () => {
  const ids = Array.from({ length: 12 }, (_, at) => `call-${String(at).padStart(2, '0')}`);

  it('D.undo: however many calls begin and end at once, none waits for more than one look of another, and none is refused', async () => {
    const { call, files, looks, place, withLimit, found } = slowFolder();
    const between = withLimit(2.5 * lookMs);
    const begun = await Promise.all(ids.map((id) => between.begin(call(id), false)));
    assert.deepEqual(
      begun.filter((refused) => refused !== undefined),
      [],
    );
    assert.equal(place.looks, 2);
    assert.deepEqual(
      looks.all().map(({ id }) => id),
      ids,
    );
    files.add('a.txt');
    await Promise.all(ids.map((id) => between.end(id)));
    assert.deepEqual([place.looks, looks.all()], [4, []]);
    assert.deepEqual(Object.keys(found()), ['a.txt']);
    assert.equal(found()['a.txt']?.length, 6);
  });

  it('D.undo: a look that began before a call was asked about is none for it: what was done meanwhile is told', async () => {
    const { call, files, place, withLimit, found } = slowFolder();
    const between = withLimit(10 * lookMs);
    let release = (): void => undefined;
    await between.begin(call('first'), false);
    place.held = new Promise((done) => (release = done));
    const second = between.begin(call('second'), false);
    // The look of the second is on its way when the first writes and ends.
    while (place.looks < 2) await Promise.resolve();
    files.add('late.txt');
    const end = between.end('first');
    release();
    await Promise.all([second, end]);
    assert.equal(place.looks, 3);
    assert.deepEqual(found(), { 'late.txt': ['first', 'second'] });
  });

  it('D.undo: a look of a time that is still to come, as of a clock that was set back, is none either', async () => {
    const { call, clock, files, place, withLimit, found } = slowFolder();
    const between = withLimit(10 * lookMs);
    await between.begin(call('first'), false);
    clock.time -= 10 * 60_000;
    files.add('a.txt');
    await between.end('first');
    assert.equal(place.looks, 2);
    assert.deepEqual(found(), { 'a.txt': ['first'] });
  });

  it('D.undo: a call whose end nobody could wait for is over after the look that it waited for', async () => {
    const { call, clock, files, looks, place, withLimit, found } = slowFolder();
    const [patient, hasty] = [withLimit(20 * lookMs), withLimit(2 * lookMs)];
    let release = (): void => undefined;
    await patient.begin(call('one'), false);
    await patient.begin(call('two'), false);
    place.held = new Promise((done) => (release = done));
    const end = patient.end('one');
    while (place.looks < 3) await Promise.resolve();
    files.add('two.txt');
    const givenUp = hasty.end('two');
    clock.advance(3 * lookMs);
    await givenUp;
    release();
    await end;
    assert.deepEqual(
      looks.all().map(({ id, isOver }) => [id, isOver]),
      [['two', true]],
    );
    await patient.begin(call('three'), false);
    assert.deepEqual(found(), { 'two.txt': ['one', 'two'] });
    assert.deepEqual(
      looks.all().map(({ id }) => id),
      ['three'],
    );
  });
});
