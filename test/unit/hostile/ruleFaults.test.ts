import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Access } from '../../../src/core/vocabulary/access';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { runs } from '../../support/counts';
import { type FakeCall, fakeCall } from '../../support/gateCall';

const read = (resource: string): Access => ({ effect: 'fs.read', resource });

/** What one user's rules say about a call. */
function effectOf(rules: unknown, accesses: readonly Access[], call: FakeCall = {}): string {
  const policy = new PolicyEngine(parseBoundaries(rules, 'user').value);
  return policy.judge(fakeCall({ ...call, accesses }), accesses).effect;
}

const problemsOf = (rules: unknown): readonly string[] =>
  parseBoundaries(rules, 'user')
    .problems.filter(({ severity }) => severity !== 'information')
    .map(({ message }) => message);

describe('rules that were not written as they should be', () => {
  const secret = [read('secret')];
  const other = [read('other')];
  /** What the rule says of the file that it names, of another one, and how many problems are told. */
  const shapes: readonly (readonly [what: string, rules: unknown, ofSecret: string, ofOther: string, words: RegExp])[] =
    [
      ['a flat row', [{ id: 'r', path: 'secret', decision: 'deny' }], 'deny', 'pass', /belongs into it/],
      [
        'a flat row in snake_case',
        [{ id: 'r', access_any: ['fs.read'], path: 'secret', decision: 'deny' }],
        'deny',
        'pass',
        /belongs into it/,
      ],
      [
        'a clause beside match',
        [{ id: 'r', match: { accessAny: ['fs.read'] }, path: 'secret', decision: 'deny' }],
        'deny',
        'pass',
        /belongs into it/,
      ],
      [
        'a clause in both',
        [{ id: 'r', match: { path: 'secret', actor: 'agent' }, path: 'other', decision: 'deny' }],
        'deny',
        'deny',
        /it is in both/,
      ],
      ['a flat allow', [{ id: 'r', path: 'secret', decision: 'allow' }], 'pass', 'pass', /belongs into it/],
      [
        'match as an array',
        [{ id: 'r', match: [{ path: 'secret' }], decision: 'deny' }],
        'deny',
        'deny',
        /must be an object \(got array\)/,
      ],
      [
        'match as a text',
        [{ id: 'r', match: 'secret', decision: 'deny' }],
        'deny',
        'deny',
        /must be an object \(got string\)/,
      ],
      ['match as null', [{ id: 'r', match: null, decision: 'deny' }], 'deny', 'deny', /must be an object \(got null\)/],
      [
        'a misspelled clause',
        [{ id: 'r', match: { accesAny: ['fs.read'], path: 'secret' }, decision: 'deny' }],
        'deny',
        'pass',
        /did you mean `accessAny`/,
      ],
      ['a misspelled flat clause', [{ id: 'r', pth: 'secret', decision: 'deny' }], 'deny', 'deny', /did you mean/],
      [
        'a path that is a number',
        [{ id: 'r', match: { path: 5 }, decision: 'deny' }],
        'deny',
        'deny',
        /must be a string/,
      ],
      [
        'a path among others that is a number',
        [{ id: 'r', match: { path: ['secret', 5] }, decision: 'deny' }],
        'deny',
        'deny',
        /must be a string/,
      ],
      ['no path', [{ id: 'r', match: { path: [] }, decision: 'deny' }], 'deny', 'deny', /must not be empty/],
      ['Deny', [{ id: 'r', match: { path: 'secret' }, decision: 'Deny' }], 'deny', 'pass', /must be one of deny/],
      ['block', [{ id: 'r', match: { path: 'secret' }, decision: 'block' }], 'deny', 'pass', /must be one of deny/],
      ['ALLOW', [{ id: 'r', match: { path: 'secret' }, decision: 'ALLOW' }], 'deny', 'pass', /must be one of deny/],
      ['no decision', [{ id: 'r', match: { path: 'secret' } }], 'deny', 'pass', /must be one of deny/],
      ['a misspelled decision', [{ id: 'r', match: { path: 'secret' }, decison: 'deny' }], 'deny', 'pass', /decision/],
      [
        'Hard',
        [{ id: 'r', match: { path: 'secret' }, decision: 'deny', severity: 'Hard' }],
        'deny',
        'pass',
        /must be one of `hard`, `soft`/,
      ],
      [
        'SOFT',
        [{ id: 'r', match: { path: 'secret' }, decision: 'deny', severity: 'SOFT' }],
        'deny',
        'pass',
        /must be one of `hard`, `soft`/,
      ],
      [
        'no id',
        [{ match: { path: 'secret' }, decision: 'deny' }],
        'deny',
        'pass',
        /must be a string that is not empty/,
      ],
      [
        'exceptions as a text',
        [{ id: 'r', match: { path: 'secret' }, decision: 'deny', exceptions: 'file_system' }],
        'deny',
        'pass',
        /must be an array of ids/,
      ],
      [
        'exceptions as an object',
        [{ id: 'r', match: { path: 'secret' }, decision: 'deny', exceptions: { file_system: true } }],
        'deny',
        'pass',
        /must be an array of ids/,
      ],
      [
        'an allow with faulty exceptions',
        [{ id: 'r', match: { path: 'secret' }, decision: 'allow', exceptions: 'x' }],
        'pass',
        'pass',
        /must be an array of ids/,
      ],
      ['one rule alone', { id: 'r', match: { path: 'secret' }, decision: 'deny' }, 'deny', 'pass', /must be an array/],
      ['rules by id', { r: { match: { path: 'secret' }, decision: 'deny' } }, 'deny', 'pass', /must be an array/],
      [
        'an object around the rules',
        { boundaries: [{ id: 'r', match: { path: 'secret' }, decision: 'deny' }] },
        'deny',
        'pass',
        /must be an array/,
      ],
      ['a text', 'deny secret', 'ask', 'ask', /must be an array/],
      ['a number', 7, 'ask', 'ask', /must be an array/],
      ['null', null, 'ask', 'ask', /must be an array/],
      [
        'a bad row among good ones',
        [{ id: 'r', match: { path: 'secret' }, decision: 'deny' }, 'x'],
        'deny',
        'ask',
        /must be an object \(got string\)/,
      ],
      [
        'a row that is an array',
        [[{ id: 'r', match: { path: 'secret' }, decision: 'deny' }]],
        'ask',
        'ask',
        /must be an object \(got array\)/,
      ],
      [
        'two spellings of a clause',
        [{ id: 'r', match: { path: 'secret', access_any: ['fs.write'], accessAny: ['fs.read'] }, decision: 'deny' }],
        'deny',
        'pass',
        /is there twice/,
      ],
      [
        'an effect with a star in it',
        [{ id: 'r', match: { accessAny: ['*.read'], path: 'secret' }, decision: 'deny' }],
        'deny',
        'pass',
        /matches nothing/,
      ],
      [
        'an effect with a slip',
        [{ id: 'r', match: { accessAny: ['fs.raed', 'fs.read'], path: 'secret' }, decision: 'deny' }],
        'deny',
        'pass',
        /did you mean `fs.read`/,
      ],
      [
        'an effect in capitals',
        [{ id: 'r', match: { accessAny: ['FS.Read'], path: 'secret' }, decision: 'deny' }],
        'deny',
        'pass',
        /^$/,
      ],
      [
        'a flag as a text',
        [{ id: 'r', match: { recursive: 'true', path: 'secret' }, decision: 'deny' }],
        'deny',
        'pass',
        /must be boolean/,
      ],
      [
        'an unknown comparison',
        [{ id: 'r', match: { path: 'secret', argument: { n: { equal: 1 } } }, decision: 'deny' }],
        'deny',
        'pass',
        /unknown comparison/,
      ],
      [
        'no comparison',
        [{ id: 'r', match: { path: 'secret', argument: {} }, decision: 'deny' }],
        'deny',
        'pass',
        /must name an argument/,
      ],
      [
        'an expression that cannot be read',
        [{ id: 'r', match: { path: 'secret', idRegex: '(' }, decision: 'deny' }],
        'deny',
        'pass',
        /^$/,
      ],
      [
        'an account that is none',
        [{ id: 'r', match: { path: 'secret' }, decision: 'deny_unless_account', account: ' ' }],
        'deny',
        'pass',
        /must name the account/,
      ],
    ];
  for (const [what, rules, ofSecret, ofOther, words] of shapes)
    it(`S4.boundaries: ${what} loses no denial and is told`, () => {
      assert.deepEqual([effectOf(rules, secret), effectOf(rules, other)], [ofSecret, ofOther]);
      assert.match(problemsOf(rules).join('\n'), words);
    });

  it('S4.boundaries: a rule that holds for everything says so', () => {
    const found = parseBoundaries([{ id: 'r', match: {}, decision: 'deny' }], 'user').problems;
    assert.deepEqual(
      found.map(({ code }) => code),
      ['matches_everything'],
    );
  });

  it('S4.boundaries: a misspelled clause that leaves a rule with none says that it meets every call, and one that loosens meets none', () => {
    const misspelled = (decision: string) => [{ id: 'deploy', access: [{ path: 'deploy/**' }], decision }];
    assert.match(
      problemsOf(misspelled('alow')).join('\n'),
      /says nothing that can be read, so the rule meets every call/,
    );
    assert.equal(effectOf(misspelled('alow'), other), 'deny');
    assert.doesNotMatch(problemsOf(misspelled('allow')).join('\n'), /every call/);
    const partly = [{ id: 'deploy', match: { tool: 'write_file', pth: 'deploy/**' }, decision: 'deny' }];
    assert.doesNotMatch(problemsOf(partly).join('\n'), /every call/);
  });

  it('D.tightens: what an administrator wrote and nobody can read denies every call of an agent', () => {
    for (const raw of [null, 'deny', [7]]) {
      const policy = new PolicyEngine(parseBoundaries(raw, 'managed').value);
      assert.equal(policy.judge(fakeCall(), []).effect, 'deny', JSON.stringify(raw));
    }
  });

  it('S4.boundaries: one field taken away, misspelled or of another type: it denies what it denied, or a problem is told', () => {
    const rule: Readonly<Record<string, unknown>> = {
      id: 'r',
      severity: 'hard',
      match: { accessAny: ['fs.read'], path: 'secret', actor: 'agent' },
      decision: 'deny',
      exceptions: [],
    };
    const odd = fc.constantFrom<unknown>(null, 7, '', 'x', [], {}, true, ['x', 1], { a: 1 });
    const slip = fc.constantFrom<(key: string) => string>(
      (key) => key.slice(1),
      (key) => `${key}s`,
      (key) => key.toUpperCase(),
      (key) => `${key.slice(0, 2)}${key.slice(3)}`,
      (key) => ` ${key}`,
    );
    const change = fc.oneof(
      fc.tuple(fc.constantFrom(...Object.keys(rule)), odd).map(([key, value]) => ({ ...rule, [key]: value })),
      fc
        .tuple(fc.constantFrom(...Object.keys(rule)), slip)
        .map(([key, write]) =>
          Object.fromEntries(Object.entries(rule).map(([one, value]) => [one === key ? write(one) : one, value])),
        ),
      fc
        .tuple(fc.constantFrom('accessAny', 'path', 'actor'), odd)
        .map(([key, value]) => ({ ...rule, match: { ...(rule['match'] as object), [key]: value } })),
      fc.tuple(fc.constantFrom('accessAny', 'path', 'actor'), slip).map(([key, write]) => ({
        ...rule,
        match: Object.fromEntries(
          Object.entries(rule['match'] as object).map(([one, value]) => [one === key ? write(one) : one, value]),
        ),
      })),
    );
    fc.assert(
      fc.property(change, (changed) => {
        // A pattern of another text is another pattern.
        const match: unknown = changed['match'];
        fc.pre(!(typeof match === 'object' && match !== null && 'accessAny' in match && match.accessAny === 'x'));
        fc.pre(
          !(
            typeof match === 'object' &&
            match !== null &&
            'path' in match &&
            (match.path === 'x' || (Array.isArray(match.path) && match.path.length > 0))
          ),
        );
        assert.ok(effectOf([changed], secret) === 'deny' || problemsOf([changed]).length > 0, JSON.stringify(changed));
      }),
      { numRuns: runs(25, 2500, 10_000) },
    );
  });
});
