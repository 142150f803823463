import { strict as assert } from 'node:assert';
import { judgeTries } from '../support/editor/history';

describe('a file of editor tests that needs a second try', () => {
  /** What each of some runs, one after another, is complained about. */
  const complaints = (tries: readonly number[]): readonly (string | undefined)[] => {
    let earlier: readonly number[] = [];
    return tries.map((count) => {
      const { remembered, complaint } = judgeTries(earlier, count);
      earlier = remembered;
      return complaint;
    });
  };

  it('is complained about at its second time in ten runs, not at its first', () => {
    const said = complaints([1, 2, 1, 1, 2]);
    assert.deepEqual(said.slice(0, 4), [undefined, undefined, undefined, undefined]);
    assert.equal(said[4], 'it needed a second try in 2 of its last 5 runs');
    assert.match(complaints([2, ...Array.from({ length: 8 }, () => 1), 2]).at(-1) ?? '', /2 of its last 10 runs/);
  });

  it('is steady again once ten runs lie between, and where a run needed one try alone', () => {
    assert.equal(complaints([2, ...Array.from({ length: 9 }, () => 1), 2]).at(-1), undefined);
    assert.equal(complaints([2, 2, 1]).at(-1), undefined);
    assert.ok(complaints([2, 2])[1]);
  });
});
