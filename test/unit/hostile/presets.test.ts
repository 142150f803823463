import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { presetBoundaries, presetNames } from '../../../src/core/policy/rules/presets';
import { runs } from '../../support/counts';
import { fakeCall } from '../../support/gateCall';
import type { Effect } from '../../../src/core/vocabulary/decision';
import { secrets } from '../../support/presetFiles/secrets';
import { governing } from '../../support/presetFiles/governing';
import { pipelines } from '../../support/presetFiles/pipelines';
import { builds } from '../../support/presetFiles/builds';
import { free } from '../../support/presetFiles/free';

const engines = presetNames.map((name) => new PolicyEngine(presetBoundaries(name)));

/** What strict, balanced and open say of a path, by their first letters. */
function verdicts(effect: string, resource: string): string {
  return engines.map((policy) => judge(policy, effect, resource)[0]).join('');
}

function judge(policy: PolicyEngine, effect: string, resource: string): Effect {
  const call = fakeCall({ accesses: [{ effect, resource }] });
  return policy.judge(call, call.accesses).effect;
}

describe('S1.policy S4.boundaries S3.file-system: presets know the files that matter', () => {
  it('S4.boundaries: the tables of this suite hold more than 250 names', () => {
    assert.ok(secrets.length + governing.length + pipelines.length + builds.length > 250);
  });

  const tables: readonly [string, readonly string[], string, string][] = [
    ['secrets are closed to reading under strict and balanced, and asked for under open', secrets, 'fs.read', 'dda'],
    ['secrets are closed to writing under strict and balanced, and asked for under open', secrets, 'fs.write', 'dda'],
    [
      'what decides and what agents are told is closed to writing under strict, and asked for elsewhere',
      governing,
      'fs.write',
      'daa',
    ],
    [
      'what decides and what agents are told is closed to deletes under strict, and asked for elsewhere',
      governing,
      'fs.delete',
      'daa',
    ],
    [
      'what runs at an install, a commit or a push is closed to writing under strict, and asked for elsewhere',
      pipelines,
      'fs.write',
      'daa',
    ],
    [
      'what runs at an install, a commit or a push is closed to deletes under strict, and asked for elsewhere',
      pipelines,
      'fs.delete',
      'daa',
    ],
    ['what runs at an install, a commit or a push may be read', pipelines, 'fs.read', 'ppp'],
    ['what a build runs is asked for under strict alone', builds, 'fs.write', 'app'],
    ['what a build runs is asked for under strict alone when it is deleted', builds, 'fs.delete', 'app'],
    ['what a build runs may be read', builds, 'fs.read', 'ppp'],
    ['examples, public keys and ordinary files are free to read', free, 'fs.read', 'ppp'],
    ['examples, public keys and ordinary files are free to write', free, 'fs.write', 'ppp'],
  ];
  for (const [title, names, effect, expected] of tables)
    it(`S1.policy: ${title}`, () => {
      const wrong = names.filter((name) => verdicts(effect, name) !== expected);
      assert.deepEqual(Object.fromEntries(wrong.map((name) => [name, verdicts(effect, name)])), {});
      // At any depth and in any case, but for the examples, which are free as they are spelled.
      if (names === free) return;
      const elsewhere = names
        .map((name) => `deep/er/${name.toUpperCase()}`)
        .filter((name) => verdicts(effect, name) !== expected);
      assert.deepEqual(Object.fromEntries(elsewhere.map((name) => [name, verdicts(effect, name)])), {});
    });

  it('S4.boundaries: whatever spelling a file system takes for the same name is judged at least as strictly', () => {
    const rank: Readonly<Record<Effect, number>> = { pass: 0, ask: 1, deny: 2 };
    const spelling = fc.constantFrom<(path: string) => string>(
      (path) => path.toUpperCase(),
      (path) => `${path}.`,
      (path) => `${path} . .`,
      (path) => `${path}::$DATA`,
      (path) => path.replaceAll('/', '\\'),
      (path) => path.replaceAll('/', '//'),
      (path) => path.replaceAll('/', '/./'),
      (path) => `a/../${path}`,
      (path) => `./${path}`,
      (path) => `../${path}`,
      (path) => path.replace('.', '.\u200c'),
      (path) => path.replaceAll('i', 'i\u200d'),
      (path) => path.replaceAll('s', 'ſ'),
      (path) => path.replaceAll('k', '\u212a'),
      (path) => path.replaceAll('fi', 'ﬁ'),
      (path) => `\u202e${path}`,
      (path) => path.normalize('NFD'),
    );
    const known = [...secrets, ...governing, ...pipelines, ...builds];
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.array(spelling, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('fs.read', 'fs.write', 'fs.delete'),
        (name, spellings, effect) => {
          const other = spellings.reduce((path, spell) => spell(path), name);
          for (const policy of engines)
            assert.ok(rank[judge(policy, effect, other)] >= rank[judge(policy, effect, name)], JSON.stringify(other));
        },
      ),
      { numRuns: runs(24, 1500, 10_000) },
    );
  });

  it('S4.boundaries: a short name of Windows counts as every name that it may stand for, and too many of them as a match', () => {
    for (const path of ['GITHUB~1/WORKFL~1/ci.yml', 'CLINER~1', 'YARNRC~1.YML', 'PRE-CO~1.YAM', 'AUTOST~1', 'CURSOR~1'])
      assert.notEqual(
        judge(engines[0] ?? assert.fail(), 'fs.write', `a/${path}`),
        path.startsWith('AUTOST') ? 'none' : 'pass',
        path,
      );
    const many = new PolicyEngine(presetBoundaries('balanced'));
    const path = Array.from({ length: 12 }, () => 'CREDEN~1.JSO').join('/');
    assert.equal(judge(many, 'fs.read', path), 'deny');
  });
});
