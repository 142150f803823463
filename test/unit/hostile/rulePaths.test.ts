import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Access } from '../../../src/core/vocabulary/access';
import { expandBraces } from '../../../src/core/base/braces';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { braceExpand } from 'minimatch';
import { runs } from '../../support/counts';
import { type FakeCall, fakeCall } from '../../support/gateCall';

const read = (resource: string): Access => ({ effect: 'fs.read', resource });

/** What one user's rules say about a call. */
function effectOf(rules: unknown, accesses: readonly Access[], call: FakeCall = {}): string {
  const policy = new PolicyEngine(parseBoundaries(rules, 'user').value);
  return policy.judge(fakeCall({ ...call, accesses }), accesses).effect;
}

const deny = (match: unknown): unknown => [{ id: 'r', match, decision: 'deny' }];
const problemsOf = (rules: unknown): readonly string[] =>
  parseBoundaries(rules, 'user')
    .problems.filter(({ severity }) => severity !== 'information')
    .map(({ message }) => message);

describe('paths of rules', () => {
  const denied: readonly (readonly [rule: string, path: string])[] = [
    ['{1..9}{1..9}/x', '99/x'],
    ['a{1..3}', 'a3'],
    ['a{a..c}', 'ab'],
    ['a{01..10}', 'a07'],
    ['{1..9}{1..9}{1..9}{1..9}{1..9}{1..9}', '999999'],
    ['{a,b}'.repeat(12), 'abababababab'],
    ['/etc/passwd', '/etc/passwd'],
    ['etc/**', '/etc/passwd'],
    ['./secret/**', 'secret/x'],
    ['secret//x', 'secret/x'],
    ['secret/./x', 'secret/x'],
    ['secret/../secret/x', 'secret/x'],
    ['secret/', 'secret/a/b'],
    ['secret/**', 'secret'],
    ['secret/**', './secret//x'],
    ['secret/**', 'a/../secret/x'],
    ['secret/**', '../secret/x'],
    ['secret\\**', 'secret/x'],
    ['secret\\keys\\*', 'secret/keys/a'],
    ['SECRET/**', 'secret/x'],
    ['secret/**', 'SECRET/X'],
    ['caf\u00e9/**', 'cafe\u0301/x'],
    ['cafe\u0301/**', 'caf\u00e9/x'],
    ['secret/**', '\u017fecret/x'],
    ['stra\u00dfe', 'STRASSE'],
    ['secret/**', 'se\u200bcret/x'],
    ['secret/**', 'secret./x'],
    ['secret/**', 'secret\\x'],
    ['**/.env*', '.env'],
    ['src/**.ts', 'src/a/b/c.ts'],
    ['**.pem', 'a/b/key.pem'],
    ['[[:upper:]]ecret', 'secret'],
    ['[^A-Z]x', 'ax'],
    ['@(a|b)/*.?(m)js', 'a/x.mjs'],
    ['!(docs)/**', 'src/x'],
    ['*', '.hidden'],
    ['**', '..'],
    ['**', '../..'],
    ['**', '.'],
    ['?.txt', '\u00df.txt'],
    ['?.txt', '\u0130.TXT'],
    ['A?C', 'a\u00dfc'],
    ['\u00df?', '\u00df\u00df'],
    ['[!a].txt', '\ufb01.txt'],
    ['.', '../x'],
  ];
  for (const [rule, path] of denied)
    it(`S4.boundaries: ${JSON.stringify(rule)} denies ${JSON.stringify(path)}`, () =>
      assert.equal(effectOf(deny({ path: rule }), [read(path)]), 'deny'));

  const broken: readonly (readonly [string, RegExp])[] = [
    ['{1..9}'.repeat(6), /more than 256 patterns/],
    ['{1..99999999}', /more than 256 patterns/],
    ['{a,b}'.repeat(100), /more than 256 patterns/],
    ['{'.repeat(300) + 'a,b' + '}'.repeat(300), /more than 256 patterns/],
    ['src/[a-', /never closed/],
    ['src/[z-a]', /runs backwards/],
    ['src/{a', /never closed/],
    ['[a/b]', /cannot hold `\/`/],
    ['@(a/b|c)', /cannot hold `\/`/],
    ['!src/**', /does not negate/],
    ['**/../x', /cannot be resolved/],
    ['*a'.repeat(100), /more than 32 stars/],
    ['**/a/'.repeat(50), /more than 16 times/],
    ['+(a|b)'.repeat(40), /more than 16 groups/],
    ['+(+(+(+(+(+(a))))))', /within each other/],
    ['a\0b', /NUL/],
    ['x'.repeat(1001), /at most 1000 characters/],
    ['a\\', /escapes nothing/],
    ['', /not empty/],
  ];
  for (const [rule, words] of broken)
    it(`S4.boundaries: the path ${JSON.stringify(rule.slice(0, 40))} is an error, and its rule fires`, () => {
      assert.match(problemsOf(deny({ path: rule }))[0] ?? '', words);
      assert.equal(effectOf(deny({ path: rule }), [read('anything')]), 'deny');
      assert.equal(
        effectOf([{ id: 'r', match: { path: rule }, decision: 'require_approval' }], [read('anything')]),
        'ask',
      );
      assert.equal(effectOf(deny({ path: rule, actor: 'user' }), [read('anything')]), 'pass');
    });

  for (const path of ['.', './', '/', '{src/generated,}/', '{./,src/}', 'src/..'])
    it(`D.tightens: what loosens ${JSON.stringify(path)} stands for everything without saying so, and is an error`, () => {
      const words = /write `\*\*` where everything is meant/;
      const rules = (match: unknown, decision: string): unknown => [{ id: 'r', match, decision }];
      for (const [match, decision] of [[{ path }, 'allow'] as const, [{ path: '**', pathNot: path }, 'deny'] as const])
        assert.match(problemsOf(rules(match, decision))[0] ?? '', words);
      const allow = new PolicyEngine(parseBoundaries(rules({ path }, 'allow'), 'user').value);
      const accesses = [read('lib/b')];
      assert.equal(allow.judge(fakeCall({ accesses }), accesses).waivedBy, undefined);
      assert.equal(effectOf(rules({ path: '**', pathNot: path }, 'deny'), accesses), 'deny');
      // What restricts everything may be written so.
      assert.deepEqual([effectOf(deny({ path }), accesses), problemsOf(deny({ path }))], ['deny', []]);
    });

  it('S4.boundaries: no spelling of a denied path is judged looser than the plain one', () => {
    const part = fc.constantFrom('a', 'secret', 'Größe', 'x.y', '.env', 'é');
    const path = fc.array(part, { minLength: 1, maxLength: 3 });
    const spelling = fc.constantFrom<(parts: readonly string[]) => string>(
      (parts) => parts.join('//'),
      (parts) => `./${parts.join('/./')}`,
      (parts) => parts.join('/').toUpperCase(),
      (parts) => parts.join('/').normalize('NFD'),
      (parts) => parts.map((one) => `${one}/../${one}`).join('/'),
      (parts) => parts.join('\\'),
      (parts) => `${parts.join('/')}/`,
      (parts) => parts.map((one) => `${one.slice(0, 1)}\u200d${one.slice(1)}`).join('/'),
      (parts) => `/${parts.join('/')}`,
    );
    const rule = fc.constantFrom<(parts: readonly string[]) => string>(
      (parts) => parts.join('/'),
      (parts) => `/${parts.join('/')}`,
      (parts) => `**/${parts.at(-1) ?? ''}`,
      (parts) => `${parts[0] ?? ''}/**`,
      (parts) => `{${parts.join('/')},other}`,
      (parts) => parts.join('/').replace(/[a-z]/, '?'),
    );
    fc.assert(
      fc.property(path, spelling, rule, (parts, spell, write) => {
        const rules = deny({ path: write(parts) });
        if (effectOf(rules, [read(parts.join('/'))]) === 'deny')
          assert.equal(effectOf(rules, [read(spell(parts))]), 'deny', `${write(parts)} ${spell(parts)}`);
      }),
      { numRuns: runs(24, 2000, 10_000) },
    );
  });

  it('expands braces exactly as minimatch does, or says that they are too many', () => {
    const piece = fc.constantFrom(
      'a',
      '{a,b}',
      '{a,{b,c}}',
      '{1..3}',
      '{,x}',
      '${a,b}',
      '\\{a,b}',
      '{a}',
      ',',
      '}',
      '{',
      '*',
      '{a, b}',
      '{,b}',
      '{a,,b}',
      '{,}',
      '{a..c}',
      '/',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const pattern = pieces.join('');
        let found: readonly string[] | undefined;
        try {
          found = expandBraces(pattern);
        } catch {
          return;
        }
        if (pattern !== '') assert.deepEqual(found, braceExpand(pattern));
      }),
      { numRuns: runs(50, 5000, 20_000) },
    );
  });

  it('S4.boundaries: matching is bounded for any pattern of a rule and any path', () => {
    const piece = fc.constantFrom(
      '*',
      '**',
      '/',
      'a',
      '?',
      '+(a|aa)',
      '!(a*)',
      '*(a|b*)',
      '[a-z]',
      '{a,b}',
      '*a',
      '@(*a|a*)',
      '**/',
    );
    let longest = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 150 }),
        fc.constantFrom('a'.repeat(4000), 'a/'.repeat(2000), `${'ab'.repeat(1999)}c`),
        (pieces, path) => {
          const policy = new PolicyEngine(
            parseBoundaries(deny({ path: pieces.join('').slice(0, 1000) }), 'user').value,
          );
          const from = process.cpuUsage().user;
          policy.judge(fakeCall({ accesses: [read(path)] }), [read(path)]);
          longest = Math.max(longest, process.cpuUsage().user - from);
        },
      ),
      { numRuns: runs(8, 500, 2000) },
    );
    // In microseconds of this process; a matcher that goes back takes minutes.
    assert.ok(longest < 5_000_000, `${longest} µs`);
  });
});
