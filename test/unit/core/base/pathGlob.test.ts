import { strict as assert } from 'node:assert';
import { posix } from 'node:path';
import fc from 'fast-check';
import { braceExpand, Minimatch } from 'minimatch';
import { flatGlob, type Glob, pathGlob } from '../../../../src/core/base/pathGlob';
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

/** A flat glob without groups, matched in the plainest way: piece after piece, each star against every length. */
function plainlyMatches(pattern: string, text: string): boolean {
  const [piece, rest] = firstPiece(pattern);
  if (piece === '') return text === '';
  if (piece === '*') return [...text, ''].some((_char, at) => plainlyMatches(rest, text.slice(at)));
  return text !== '' && isOneOf(piece, text.charAt(0)) && plainlyMatches(rest, text.slice(1));
}

function firstPiece(pattern: string): readonly [piece: string, rest: string] {
  const [piece = ''] = /^(?:\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]|\\?[^])/.exec(pattern) ?? [];
  return [piece, pattern.slice(piece.length)];
}

function isOneOf(piece: string, char: string): boolean {
  if (piece === '?') return true;
  if (!piece.startsWith('[')) return piece.slice(-1) === char;
  const isNegated = /^\[[!^]/.test(piece);
  const inner = piece.slice(isNegated ? 2 : 1, -1);
  const members = inner.match(/\[:[a-z]+:\]|[^]-[^]|[^]/g) ?? [];
  const has = members.some((one) => {
    if (one === '[:punct:]') return /[!-/:-@[-`{-~]/.test(char);
    if (one === '[:alpha:]') return /[A-Za-z]/.test(char);
    if (one === '[:print:]') return /[ -~]/.test(char);
    return one.length === 3 ? one.charAt(0) <= char && char <= one.charAt(2) : one === char;
  });
  return has !== isNegated;
}

describe('flat globs', () => {
  const sets =
    '[ab] [!ab] [./] [.-9] [/-9] [.-/] [!/] [^.-9] [[:punct:]] [![:punct:]] [[:alpha:]/] [[:print:]] []/] [/!] [/-]';
  const piece = fc.constantFrom(
    'a',
    'b',
    '.',
    '/',
    '..',
    '*',
    '**',
    '?',
    '\\*',
    '\\.',
    ' ',
    ...sets.split(' '),
    '[ -~]',
  );
  const text = fc.array(fc.constantFrom('a', 'b', '.', '/', '..', '*', ' ', '!', '-', ']', '5', '\n'), {
    maxLength: 6,
  });

  it('S4.boundaries: match any characters, dots, slashes and none at all included', () => {
    let matched = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
        text.map((parts) => parts.join('')),
        (pattern, subject) => {
          const found = flatGlob(pattern).matches(subject);
          if (found) matched++;
          assert.equal(found, plainlyMatches(pattern, subject), `${pattern} ${JSON.stringify(subject)}`);
        },
      ),
      { numRuns: runs(3000, 100_000) },
    );
    assert.ok(matched > 30);
  });

  it('S4.boundaries: braces and groups stand for what they name, also for nothing', () => {
    for (const [pattern, ...texts] of [
      ['*..*', '..', 'cd ..', '../x'],
      ['.*', '.', '..', './x'],
      ['?*', '.', '..', '/'],
      ['{*,x}', '', '.', '/'],
      ['{,x}', '', 'x'],
      ['cat [ -~]etc/shadow', 'cat /etc/shadow'],
      ['@(.|..)', '.', '..'],
      ['!(a)', '', '.', '..', 'a/b'],
      ['*(a|/)', '', '//a'],
      ['{a/b,c[.-9]d}', 'a/b', 'c/d', 'c5d'],
      ['\\{a,b\\}*', '{a,b}/'],
    ] as const)
      for (const one of texts) assert.ok(flatGlob(pattern).matches(one), `${pattern} ${JSON.stringify(one)}`);
    for (const [pattern, one] of [
      ['[!/]', '/'],
      ['!(a)', 'a'],
      ['[.-/]', '5'],
      ['?*', ''],
    ] as const)
      assert.ok(!flatGlob(pattern).matches(one), `${pattern} ${one}`);
  });
});
