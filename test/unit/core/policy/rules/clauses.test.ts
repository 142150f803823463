import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { runs } from '../../../../support/counts';
import { effect, engine, read } from '../../../../support/policy';
import { SaidError } from '../../../../../src/core/base/sentence';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import { argumentMatcher, ClauseReading, clauseNames, readClause } from '../../../../../src/core/policy/rules/clauses';

const faultOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof SaidError, String(error));
    return error.said.code;
  }
  return 'none';
};

describe('the clauses of a rule', () => {
  it('are read in their clean form: words in any case, one pattern or a list', () => {
    const read = (key: (typeof clauseNames)[number], value: unknown) => readClause(key, value, new ClauseReading());
    assert.deepEqual(
      [read('riskAtLeast', ' MED '), read('path', 'a/**'), read('path', ['a', 'b']), read('recursive', false)],
      ['medium', 'a/**', ['a', 'b'], false],
    );
    assert.deepEqual(read('argument', { '/to': 'me', '/n': { minimum: 1, one_of: [1] } }), {
      '/to': { equals: 'me' },
      '/n': { minimum: 1, oneOf: [1] },
    });
  });

  it('every one refuses what it cannot mean, with a code', () => {
    const bad: Readonly<Partial<Record<(typeof clauseNames)[number], readonly unknown[]>>> = {
      tool: ['', 7, ['a'], '[', null],
      capability: ['', {}, '{a'],
      idRegex: ['', 1, []],
      sideEffectsAny: [[], '', 'fs.*.write', [7]],
      accessAny: [[], '*.read', {}],
      path: [[], '', 'https://a.example/x', '[', [['a']]],
      pathNot: [[], 7],
      host: [[], 'a b', 'http://'],
      hostNot: [[], 7],
      command: ['', '[', {}],
      privateHost: ['true', 1, null],
      recursive: ['yes', 0],
      permanent: [{}, 'no'],
      costClass: ['cheap', 1],
      riskLevel: ['huge', null],
      riskAtLeast: ['', 3],
      source: ['repository', {}],
      actor: ['model', []],
      flow: [{}, true, { secret: true }, { private: 'yes' }, { out: 'some' }],
      argument: [{}, [], 'path', { '/a': {} }, { '/a': { globs: 'x' } }, { '/a': { glob: '[' } }],
    };
    assert.deepEqual(Object.keys(bad).sort(), [...clauseNames].sort());
    for (const key of clauseNames)
      for (const value of bad[key] ?? [])
        assert.notEqual(
          faultOf(() => readClause(key, value, new ClauseReading())),
          'none',
          `${key}: ${JSON.stringify(value)}`,
        );
  });

  it('a comparison of an argument says what is wrong with it', () => {
    const codes = [
      { minimum: '1' },
      { maximum: Number.NaN },
      { oneOf: [] },
      { exists: 'yes' },
      { like: 'x' },
      { regex: '' },
      {},
    ].map((raw) => faultOf(() => argumentMatcher(raw)));
    assert.deepEqual(codes, [
      'comparison_no_number',
      'comparison_no_number',
      'one_of_no_array',
      'exists_no_boolean',
      'unknown_comparison',
      'must_have_text',
      'no_comparison',
    ]);
  });

  it('the patterns of all rules together have one budget, and what is over it is refused', () => {
    const reading = new ClauseReading();
    const braces = '{a,b,c,d,e,f,g,h,i,j}'.repeat(2);
    let taken = 0;
    while (taken < 1000 && faultOf(() => readClause('path', braces, reading)) === 'none') taken++;
    assert.ok(taken < 1000, 'the budget ends');
    assert.equal(
      faultOf(() => readClause('command', '{a,b}', reading)),
      'patterns_too_many',
    );
    assert.equal(readClause('path', 'plain/**', reading), 'plain/**', 'plain patterns cost nothing');
  });
});

describe('a rule about paths and the one about all others', () => {
  it('are complements: of each path that has one reading, exactly one of them fires', () => {
    const name = fc.constantFrom('pub', 'sub', 'a.txt');
    const pattern = fc
      .tuple(
        fc.array(fc.oneof(name, fc.constantFrom('*', '**', '{pub,sub}')), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/**', '/'),
      )
      .map(([parts, end]) => `${parts.join('/')}${end}`);
    fc.assert(
      fc.property(pattern, fc.array(name, { minLength: 1, maxLength: 4 }), (glob, parts) => {
        const path = parts.join('/');
        const fires = ['path', 'pathNot'].map((clause) =>
          effect(engine([{ id: 'r', match: { [clause]: glob }, decision: 'deny' }]), [read(path)]),
        );
        assert.deepEqual([...fires].sort(), ['deny', 'pass'], `${glob} and ${path}: ${fires.join()}`);
      }),
      { numRuns: runs(300, 2000) },
    );
    const others = engine([{ id: 'r', match: { pathNot: 'pub/**' }, decision: 'deny' }]);
    assert.deepEqual(
      ['pub', 'pub/a', 'Pub', 'a'].map((path) => effect(others, [read(path)])),
      ['pass', 'pass', 'deny', 'deny'],
    );
  });
});

describe('a pattern that matches less than it may seem to', () => {
  const told = (match: object, decision = 'deny'): readonly string[] =>
    parseBoundaries([{ id: 'r', match, decision }], 'user').problems.map(
      ({ severity, message }) => `${severity}: ${message}`,
    );

  it('is told once for each rule, with the pattern that is probably meant, and as no mistake', () => {
    for (const [path, meant] of [
      ['finance', 'finance/**'],
      ['a.b/finance-2', 'a.b/finance-2/**'],
      ['*.txt', '**/*.txt'],
      [['a.ts', 'finance', '*.txt'], 'finance/**'],
    ] as const) {
      const hints = told({ path });
      assert.equal(hints.length, 1, JSON.stringify(path));
      assert.ok(hints[0]?.startsWith('information: ') && hints[0].includes(`write \`${meant}\``), hints[0]);
    }
  });

  it('is not told of what names a file, of what is written beside it, of what is spared and of what loosens', () => {
    for (const path of [
      'package.json',
      '.env',
      'Makefile',
      'makefile',
      'LICENSE',
      'id_rsa',
      '**/*.txt',
      'src/*.ts',
      'a/**',
    ])
      assert.deepEqual(told({ path }), [], path);
    assert.deepEqual(told({ path: ['finance', 'finance/**'] }), []);
    assert.deepEqual(told({ path: '**/*.ts', pathNot: 'finance' }), []);
    assert.deepEqual(told({ path: 'finance' }, 'allow'), []);
  });
});
