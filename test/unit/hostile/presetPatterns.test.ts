import { worded } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { expandBraces } from '../../../src/core/base/braces';
import { pathGlob } from '../../../src/core/base/pathGlob';
import { CompiledRule } from '../../../src/core/policy/rules/compile';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { pathKeys } from '../../../src/core/policy/rules/pathKey';
import { pathLookup } from '../../../src/core/policy/rules/pathLookup';
import { buildPaths, governingPaths, pipelinePaths, secretPaths } from '../../../src/core/policy/rules/presetPaths';
import { presetBoundaries, presetNames } from '../../../src/core/policy/rules/presets';
import { runs } from '../../support/counts';
import { fakeCall } from '../../support/gateCall';

it('S4.boundaries: every pattern of a shipped rule can be read; the start believes it', () => {
  for (const name of presetNames)
    for (const adminApproval of ['never', 'critical', 'high'] as const)
      for (const boundary of presetBoundaries(name, { adminApproval })) {
        // As a rule of the user's it is looked at whole.
        for (const scope of ['builtin', 'user'] as const) {
          const rule = new CompiledRule({ ...boundary, scope }, undefined);
          rule.prepare();
          assert.deepEqual(rule.boundary.faults, undefined, `${name} ${boundary.id}`);
          assert.deepEqual(Object.keys(rule.match), Object.keys(boundary.match), boundary.id);
        }
      }
});

describe('S1.policy S4.boundaries: the patterns of the presets', () => {
  it('S4.boundaries: the reason that is told is that of the row, and every row has one', () => {
    const strict = new PolicyEngine(presetBoundaries('strict'));
    for (const [path, reason] of [
      ['a/id_rsa.bak', 'private key'],
      ['terraform.tfstate', 'infrastructure'],
      ['.zsh_history', 'history'],
      ['AGENTS.md', 'instructions'],
      ['.husky/pre-commit', 'git runs'],
      ['.gitlab-ci.yml', 'every push'],
      ['Makefile', 'what a build runs'],
    ] as const) {
      const call = fakeCall({ accesses: [{ effect: 'fs.write', resource: path }] });
      const text = strict
        .judge(call, call.accesses)
        .reasons.map((one) => worded(one.said))
        .join('; ');
      assert.ok(text.includes(reason), `${path}: ${text}`);
    }
    for (const row of [...secretPaths, ...governingPaths, ...pipelinePaths, ...buildPaths]) {
      assert.match(worded(row.reason), /^[a-z].{15,110}[^.]$/);
      for (const path of row.paths)
        assert.ok(expandBraces(path).length <= 256 && path === path.toLowerCase() && !path.startsWith('/'), path);
    }
  });

  it('S4.boundaries: many patterns taken together match what each of them matches', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      '.env',
      '.env.x',
      'x.pem',
      'x.pem.bak',
      'git',
      '.git',
      'a-b',
      'aab',
      '.x_history',
      'README.md',
    );
    const piece = fc.constantFrom(
      'a',
      '*',
      '.env*',
      '*.pem',
      '*.pem.bak*',
      '.git',
      'a?b',
      '*.{pem,md}',
      'a*b',
      '.*_history*',
      '{a,b}',
      'a**b',
      '**',
    );
    const pattern = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/**'))
      .map(([pieces, end]) => `**/${pieces.join('/')}${end}`);
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (patterns, names) => {
          const path = pathKeys(names.join('/')).keys[0] ?? '';
          const { lookup, others } = pathLookup(patterns);
          // As a rule that restricts reads it: `name/**` means `name` too.
          const all = (list: readonly string[]): boolean =>
            list
              .flatMap(expandBraces)
              .flatMap((one) => (one.endsWith('/**') && one !== '/**' ? [one, one.slice(0, -3)] : [one]))
              .some((one) => pathGlob(one).matches(path));
          assert.equal(lookup(path) || all(others), all(patterns), `${path} by ${patterns.join(' ')}`);
        },
      ),
      { numRuns: runs(25, 3000, 20_000) },
    );
  });
});
