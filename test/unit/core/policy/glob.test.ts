import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { Minimatch } from 'minimatch';
import { normalizePathPattern, pathGlob } from '../../../../src/core/policy/glob';
import { pathKeys } from '../../../../src/core/policy/pathKey';
import { runs } from '../../../support/counts';

describe('globs over paths', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '.env',
    '*',
    '**',
    '*.ts',
    'a*',
    '*b*',
    '?',
    '{a,b}',
    '{.env,x.{ts,js}}',
    '..',
    '.',
    '[ab]',
    '@(a|b)',
  );
  const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('/'));
  const path = fc
    .array(fc.constantFrom('a', 'b', '.env', 'x.ts', 'ab', 'a.ts', '.env.local', '..', 'x.js'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'));

  it('looking for plain pieces first changes no answer', () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, (glob, text) => {
        const plain = new Minimatch(normalizePathPattern(glob), {
          dot: true,
          nonegate: true,
          nocomment: true,
          platform: 'linux',
          optimizationLevel: 1,
        });
        const expected = plain.match(text);
        if (expected) matched++;
        assert.equal(pathGlob(glob).matches(text), expected, `${glob} on ${text}`);
      }),
      {
        numRuns: runs(10_000, 500),
        examples: [
          ['a/../b', 'b'],
          ['**/.env*', 'a/.env.local'],
          ['{a,b}/**', 'b/x.ts'],
        ],
      },
    );
    assert.ok(matched > 10, 'the paths have to match now and then');
  });

  it('a path without dots or strange characters is its own key in lower case', () => {
    assert.deepEqual(pathKeys('Src/App.ts'), { exact: 'Src/App.ts', keys: ['src/app.ts'], hasShortName: false });
    assert.deepEqual(pathKeys('/a//./b/../C').keys, ['/a/c']);
    assert.deepEqual(pathKeys('a/').exact, 'a');
    assert.deepEqual(pathKeys('.g\u200cit/config').keys, ['.git/config']);
  });
});
