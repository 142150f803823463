import assert from 'node:assert/strict';
import fc from 'fast-check';
import { visit } from 'jsonc-parser';
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

  it('is never less than what the parser goes into, whatever stands in comments and strings or closes nothing', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        '[',
        ']',
        '{',
        '}',
        '"',
        '\\',
        '/',
        '*',
        '\r',
        '\n',
        '\u2028',
        ',',
        ':',
        'u',
        'a',
        '{"a":',
        '//',
        '/*',
      ),
      maxLength: 60,
    });
    const parsedDepth = (json: string): number => {
      let [depth, most] = [0, 0];
      const begin = () => void (most = Math.max(most, ++depth));
      const end = () => void depth--;
      visit(
        json,
        { onObjectBegin: begin, onArrayBegin: begin, onObjectEnd: end, onArrayEnd: end },
        { allowTrailingComma: true },
      );
      return most;
    };
    fc.assert(
      fc.property(text, fc.nat(4), (json, limit) => {
        if (tooDeepAt(json, limit, true) === undefined) assert.ok(json.length <= limit || parsedDepth(json) <= limit);
      }),
      { numRuns: runs(500, 50_000) },
    );
    const many = 100_000;
    for (const json of [
      `//\r${'['.repeat(many)}`,
      `"\r${'['.repeat(many)}`,
      `{ ${']'.repeat(many)}, "a": ${'['.repeat(many)}`,
      '{ ], "a": '.repeat(many),
    ])
      assert.notEqual(tooDeepAt(json, 64, true), undefined, JSON.stringify(json.slice(0, 12)));
    assert.equal(tooDeepAt(`/* \r ${'['.repeat(many)} */ // ${'['.repeat(many)}\r\n1`, 64, true), undefined);
  });
});
