import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { say, worded } from '../../../../../src/core/base/sentence';
import type { Access } from '../../../../../src/core/vocabulary/access';
import { secretPaths } from '../../../../../src/core/policy/rules/presetPaths';
import { presetNames } from '../../../../../src/core/policy/rules/presets';
import { runs } from '../../../../support/counts';
import { fakeCall } from '../../../../support/gateCall';
import { effect, engine, judgeCall, read, write } from '../../../../support/policy';

describe('the rules of the presets', () => {
  it('an allow of the user waives what a preset asks, never another rule, a critical risk or a denial', () => {
    const remove: Access = { effect: 'fs.delete', resource: 'notes/a', recursive: true };
    const allow = { id: 'notes', match: { path: 'notes/**' }, decision: 'allow' };
    assert.equal(effect(engine([], 'user', 'balanced'), [remove]), 'ask');
    assert.equal(effect(engine([allow], 'user', 'balanced'), [remove]), 'pass');
    assert.equal(effect(engine([allow], 'workspace', 'balanced'), [remove]), 'ask');
    assert.equal(
      effect(engine([allow], 'user', 'balanced'), [remove, { ...remove, resource: 'src/a' }]),
      'ask',
      'every access must be covered',
    );
    assert.equal(
      effect(
        engine([allow, { id: 'mine', match: { path: 'notes/**' }, decision: 'require_approval' }], 'user', 'balanced'),
        [remove],
      ),
      'ask',
    );
    assert.equal(
      effect(engine([allow], 'user', 'balanced'), [remove], { definition: { riskLevel: 'critical' } }),
      'ask',
    );
    assert.equal(effect(engine([{ id: 'all', decision: 'allow' }], 'user', 'balanced'), [read('.env')]), 'deny');
    assert.deepEqual(engine([allow]).judge(fakeCall({ accesses: [write('notes/x')] }), [write('notes/x')]).waivedBy, [
      'notes',
    ]);
  });

  it('only an environment file leads to its example, and no denial of a secret asks for its value', () => {
    const instead = (path: string): string | undefined => {
      const answer = engine([], 'user', 'balanced').judge(fakeCall({ accesses: [read(path)] }), [read(path)]);
      return /allowed instead: (.*)$/.exec(answer.error?.message ?? '')?.[1];
    };
    for (const path of ['.env', 'a/.env.local', 'prod.env'])
      assert.match(instead(path) ?? '', /^read the example/, path);
    for (const path of ['server.key', '.ssh/config', '.aws/credentials', '.netrc', 'main.tfstate', '.bash_history'])
      assert.match(instead(path) ?? '', /^go on without its content, or ask the user to do the step/, path);
    for (const row of secretPaths)
      assert.doesNotMatch(worded(row.steer ?? say('steer_secret')), /value that|the one value/);
  });

  it('S1.policy: the presets differ as the table says', () => {
    const table: [string, readonly Access[], Parameters<typeof fakeCall>[0], string][] = [
      ['secret read', [read('a/.env.local')], {}, 'deny deny ask'],
      ['example', [read('.env.example')], {}, 'pass pass pass'],
      ['key written', [write('server.pem')], {}, 'deny deny ask'],
      ['git config', [write('.git/config')], {}, 'deny ask ask'],
      ['editor settings deleted', [{ effect: 'fs.delete', resource: '.vscode/settings.json' }], {}, 'deny ask ask'],
      ['policy file read', [read('.vscode/capabilities/boundaries.json')], {}, 'pass pass pass'],
      [
        'metadata address',
        [{ effect: 'network.http', resource: 'http://169.254.169.254/latest', method: 'GET' }],
        {},
        'deny deny deny',
      ],
      [
        'another host',
        [{ effect: 'network.http', resource: 'https://example.com/', method: 'GET' }],
        {},
        'ask pass pass',
      ],
      ['recursive delete', [{ effect: 'fs.delete', resource: 'src', recursive: true }], {}, 'ask ask pass'],
      ['delete outside trash', [{ effect: 'fs.delete', resource: 'src/a', permanent: true }], {}, 'ask ask pass'],
      ['delete to trash', [{ effect: 'fs.delete', resource: 'src/a' }], {}, 'pass pass pass'],
      ['high risk', [], { definition: { riskLevel: 'high' } }, 'ask pass pass'],
      ['critical risk', [], { definition: { riskLevel: 'critical' } }, 'ask ask ask'],
    ];
    for (const [name, accesses, more, expected] of table)
      assert.equal(
        presetNames.map((preset) => effect(engine([], 'user', preset), accesses, more)).join(' '),
        expected,
        name,
      );
    const critical = (preset: 'strict' | 'balanced') =>
      judgeCall(engine([], 'user', preset), { definition: { riskLevel: 'critical' } }).reasons[0];
    assert.deepEqual([critical('strict')?.admin, critical('balanced')?.admin], [true, undefined]);
  });

  it('an alias of a path is judged at least as strictly', () => {
    const policy = engine([], 'user', 'balanced');
    const rank = { pass: 0, ask: 1, deny: 2 };
    const secrets = [
      '.env',
      'a/.ssh/id_rsa',
      '.git/config',
      'conf/Stra\u00dfe/.env.local',
      'caf\u00e9/server.key',
      'secrets.json',
      '.vscode/settings.json',
    ];
    const alias = fc.constantFrom<(path: string) => string>(
      (path) => path.toUpperCase().replace('STRASSE', 'Stra\u00dfe'),
      (path) => path.normalize('NFD'),
      (path) => `./${path}`,
      (path) => path.replaceAll('/', '//'),
      (path) => path.replaceAll('/', '\\'),
      (path) => `x/../${path}`,
      (path) => `${path}.`,
      (path) => `${path}  `,
      (path) => path.replaceAll('/', '. /'),
      (path) => `${path}::$DATA`,
      (path) => `${path}:stream`,
      (path) => path.replace(/(?<=[a-z])(?=[a-z])/i, '\u200c'),
      (path) => `\ufeff${path}`,
      (path) => `../${path}`,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...secrets),
        fc.array(alias, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('fs.read', 'fs.write', 'fs.delete'),
        (path, aliases, kind) => {
          const other = aliases.reduce((text, make) => make(text), path);
          const own = effect(policy, [{ effect: kind, resource: path }]);
          const theirs = effect(policy, [{ effect: kind, resource: other }]);
          assert.ok(rank[theirs] >= rank[own], `${JSON.stringify(other)} is ${theirs}, ${path} is ${own}`);
        },
      ),
      { numRuns: runs(32, 1500, 10_000) },
    );
  });

  it('a short name of Windows is judged as every name that it may stand for', () => {
    const policy = engine([], 'user', 'balanced');
    for (const path of [
      'GIT~1/config',
      'git~1/hooks/pre-commit',
      'GI7EBA~1/config',
      'VSCODE~1/settings.json',
      'CLAUDE~1/a',
    ])
      assert.equal(effect(policy, [write(path)]), 'ask', path);
    for (const path of [
      'ENV~1',
      'a/ENV~2.LOC',
      'SERVER~1.PEM',
      'RELEAS~1.KEY',
      'SSH~1/id',
      'CREDEN~1',
      'CREDEN~1.JSO',
      'AWS~1/x',
    ])
      assert.equal(effect(policy, [read(path)]), 'deny', path);
    for (const path of ['PROGRA~1/a.txt', 'notes~', 'a~1b/c', 'src/GITHUB~1.TS'])
      assert.equal(effect(policy, [read(path)]), 'pass', path);
  });
});
