import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { compileExpression, compileLineMatcher } from '../../../src/core/files/lineMatcher';
import { comparePaths, sortPaths } from '../../../src/core/files/paths';
import { anyCase, holdsInOrder, requiredText, requiredTexts } from '../../../src/core/files/requiredText';
import { runs } from '../../support/counts';

const pieces = [
  'k',
  'K',
  '\u212a',
  's',
  'S',
  'ſ',
  'a',
  'A',
  'é',
  'É',
  '.',
  '-',
  '/',
  '\\',
  '[',
  '(',
  '*',
  '+',
  'x',
  ' ',
  '😀',
  'ß',
  '^',
  '$',
];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength }).map((parts) => parts.join(''));
const patterns = [
  'ask',
  'ask.',
  'ask\\w*',
  '(?i)ask',
  'a(sk)?x',
  'xa+k',
  'a|k',
  '[ak]s',
  'sk$',
  'x.y',
  'é',
  'aé+x',
  'as.*sk',
  'xx+as',
  'ask+sk',
  'a.sk.as',
  'sk(as)?sk',
  'asé+sk',
  'as{0,2}sk',
];

describe('the short ways of a search', () => {
  it('find what the expression finds, at the same place, in any case', () => {
    fc.assert(
      fc.property(
        fc.oneof(text(3), fc.constantFrom(...patterns)),
        text(12),
        fc.record({ literal: fc.boolean(), ignoreCase: fc.boolean(), wholeWord: fc.boolean() }),
        (pattern, line, options) => {
          const query = { pattern, ...options };
          let expected: { column: number; length: number } | undefined;
          try {
            const matcher = compileExpression(query).matcher(line);
            expected = matcher.find()
              ? { column: matcher.start(), length: matcher.end() - matcher.start() }
              : undefined;
          } catch {
            assert.throws(() => compileLineMatcher(query));
            return;
          }
          assert.deepEqual(compileLineMatcher(query)(line), expected);
          const needed = requiredText(query);
          if (expected === undefined || needed === undefined) return;
          if (query.ignoreCase) assert.ok(anyCase(needed, true).test(Buffer.from(line).toString('latin1')));
          else {
            assert.ok(Buffer.from(line).includes(needed));
            assert.ok(holdsInOrder(line, requiredTexts(query)));
            assert.ok(
              holdsInOrder<Uint8Array>(
                Buffer.from(line),
                requiredTexts(query).map((one) => Buffer.from(one)),
              ),
            );
          }
        },
      ),
      { numRuns: runs(125, 5000, 20_000) },
    );
  });

  it('sort many paths as they sort two', () => {
    const path = fc
      .array(fc.constantFrom('a', 'a-b', 'a.b', 'b', 'é', '!'), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), (paths) => {
        assert.deepEqual(sortPaths([...paths]), [...paths].sort(comparePaths));
        for (const [a, b] of paths.slice(1).map((one, at) => [one, paths[at] ?? ''] as const))
          assert.equal(
            Math.sign(comparePaths(a, b)),
            Math.sign(
              Number(a.replaceAll('/', '\0') > b.replaceAll('/', '\0')) -
                Number(a.replaceAll('/', '\0') < b.replaceAll('/', '\0')),
            ),
          );
      }),
      { numRuns: runs(25, 1000) },
    );
  });
});
