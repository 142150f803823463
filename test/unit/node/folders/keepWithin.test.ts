import { strict as assert } from 'node:assert';
import { dayMs, keepWithin } from '../../../../src/node/folders/keepWithin';

/** Entries whose ages in days and sizes are given, the oldest first; the names are their places. */
const entries = (...given: readonly (readonly [days: number, size: number])[]) =>
  given.map(([days, size], name) => ({ name, timeMs: -days * dayMs, size }));

function removed(
  given: ReturnType<typeof entries>,
  bounds: Parameters<typeof keepWithin>[1],
  stays: (name: number) => boolean = () => false,
): readonly number[] {
  const gone: number[] = [];
  keepWithin(given, bounds, 0, ({ name }) => {
    if (stays(name)) return false;
    gone.push(name);
    return true;
  });
  return gone;
}

describe('a folder that is kept within bounds', () => {
  const four = entries([9, 10], [7, 10], [2, 30], [1, 10]);

  it('loses what is older than it may be, and nothing that is just as old', () =>
    assert.deepEqual(removed(four, { days: 7 }), [0]));

  it('loses the oldest until the others are few enough and small enough', () => {
    assert.deepEqual(removed(four, { count: 3 }), [0]);
    assert.deepEqual(removed(four, { bytes: 40 }), [0, 1]);
    assert.deepEqual(removed(four, { bytes: 39 }), [0, 1, 2]);
    assert.deepEqual(removed(four, { days: 8, count: 2, bytes: 40 }), [0, 1]);
  });

  it('counts on what has to stay, and lets a younger one go in its place', () => {
    assert.deepEqual(
      removed(four, { count: 3 }, (name) => name === 0),
      [1],
    );
    assert.deepEqual(
      removed(four, { bytes: 10 }, (name) => name === 3),
      [0, 1, 2],
    );
  });

  it('loses nothing without bounds', () => assert.deepEqual(removed(four, {}), []));
});
