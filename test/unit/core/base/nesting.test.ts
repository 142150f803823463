import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tooDeepAt } from '../../../../src/core/base/nesting';
import { runs } from '../../../support/counts';

/** The same question asked of the parsed value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('how deep a JSON text nests', () => {
  it('is the depth of the value that the text parses to, whatever its strings hold', () => {
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8 },
        fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a') }),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.string({ unit: fc.constantFrom('{', '"', '\\', 'k') }), tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.nat(12), (value, limit) => {
        assert.equal(tooDeepAt(JSON.stringify(value), limit) !== undefined, depthOf(value) > limit);
      }),
      { numRuns: runs(20, 2000) },
    );
  });

  it('is answered for a million brackets, valid or not, without overflowing', () => {
    assert.deepEqual(
      ['['.repeat(1_000_000), ']'.repeat(1_000_000), '"' + '['.repeat(1_000_000)].map(
        (text) => tooDeepAt(text, 5000) !== undefined,
      ),
      [true, false, false],
    );
  });
});
