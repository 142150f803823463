import { strict as assert } from 'node:assert';
import { posix } from 'node:path';
import fc from 'fast-check';
import { braceExpand, Minimatch } from 'minimatch';
import { type Glob, pathGlob } from '../../../../src/core/base/pathGlob';
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
    .array(fc.constantFrom('a', 'b', '.env', 'x.ts', 'ab', 'a.ts', '.env.local', '..', 'x.js'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join('/'));

  const options = { dot: true, nonegate: true, nocomment: true, platform: 'linux', optimizationLevel: 1 } as const;
  const globOf = (glob: string): Glob | undefined => {
    try {
      return pathGlob(glob);
    } catch {
      return undefined;
    }
  };
  /** Minimatch's own alternatives, with what a path key never holds taken out by Node's rules for paths. */
  const plainly = (glob: string): readonly string[] =>
    braceExpand(glob).map((one) => {
      const path = posix.normalize(one).replace(/^\.?\/+/, '');
      return path === '' || path === '.' || path === './' ? '**' : path.endsWith('/') ? `${path}**` : path;
    });

  it('looking for plain pieces first changes no answer', () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, (glob, text) => {
        const own = globOf(glob);
        // What climbs above a wildcard cannot be resolved, and is refused rather than matched by nothing.
        if (!own) return assert.match(glob, /\.\./);
        const expected = plainly(glob).some((one) => new Minimatch(one, { ...options, nobrace: true }).match(text));
        if (expected) matched++;
        assert.equal(own.matches(text), expected, `${glob} on ${text}`);
      }),
      {
        numRuns: runs(500, 3000, 10_000),
        examples: [
          ['a/../b', 'b'],
          ['**/.env*', 'a/.env.local'],
          ['{a,b}/**', 'b/x.ts'],
        ],
      },
    );
    assert.ok(matched > 10, 'the paths have to match now and then');
  });
});
