import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { decide } from '../../../../../src/core/policy/rules/decide';
import { PolicyEngine } from '../../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import { presetBoundaries } from '../../../../../src/core/policy/rules/presets';
import { subjectOf } from '../../../../../src/core/policy/rules/subject';
import { runs } from '../../../../support/counts';
import { fakeCall } from '../../../../support/gateCall';
import { capabilityOf, definition, makeGate } from '../../../../support/gate';

const name = fc.constantFrom(
  ...[
    'src',
    'Src',
    'a',
    'b',
    'lib',
    '.env',
    '.env.local',
    'x.env',
    'key.pem',
    'KEY.PEM',
    '.git',
    'config',
    'GIT~1',
    'a.ts',
    'index.ts',
  ],
  ...[
    'README.md',
    'é',
    'e\u0301',
    'K',
    'ſrc',
    'secret ',
    'secret.',
    'secret',
    'se\u200bcret',
    'a:b',
    'a\\b',
    '$a',
    '${a,b}',
    '{a}',
    '-',
    '..a',
  ],
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const segment = fc.oneof(
  name,
  fc.constantFrom(
    ...[
      '**',
      '*',
      '?',
      '*.ts',
      '.env*',
      '*.{pem,key}',
      '{src,lib}',
      's?c',
      's*t',
      '[a-c]',
      '!(a)',
      '+(a|b)',
      '@(src)',
      '{a,{b,src}}',
      'a*b*c',
    ],
    ...['..', '.', '{a..c}', '${a,b}', '\\.env', '{a},b/src}', 'se*', '*ret', '*', 'S*', '{,a}', '*env*', '*c*e*'],
  ),
);
const glob = fc.tuple(
  fc.constantFrom('', '', '/', './'),
  fc.array(segment, { minLength: 1, maxLength: 3 }),
  fc.constantFrom('', '', '/', '/**'),
);
const pattern = glob.map(([start, parts, end]) => start + parts.join('/') + end);
const patterns = fc.oneof(pattern, fc.array(pattern, { minLength: 1, maxLength: 3 }));
const boundary = fc.record(
  {
    match: fc.record(
      {
        path: patterns,
        pathNot: patterns,
        accessAny: fc.constantFrom(['fs.*'], ['fs.read'], ['fs.write'], ['network.*']),
        recursive: fc.boolean(),
        permanent: fc.boolean(),
        host: fc.constant('*'),
        tool: fc.constantFrom('write_file', '*', 'other'),
        argument: fc.constantFrom({ '/n': 1 }, { '/n': 2 }),
        sideEffectsAny: fc.constantFrom(['fs.read'], ['fs.write']),
        actor: fc.constantFrom('agent', 'user'),
      },
      { requiredKeys: [] },
    ),
    decision: fc.constantFrom('deny', 'deny', 'require_approval', 'allow', 'advise', 'nonsense'),
    severity: fc.constantFrom('hard', 'hard', 'hard', 'soft'),
    exceptions: fc.constantFrom([], [], ['write_file'], ['other']),
  },
  { requiredKeys: ['match', 'decision'] },
);

/** Every rule held against the path, without the index that finds candidates. */
function verdictOf(policy: PolicyEngine, call: ReturnType<typeof fakeCall>, resource: string): string {
  return decide(policy.rules(call.profile), subjectOf(call, [{ effect: 'fs.read', resource }])).effect;
}

describe('the screen before the rules', () => {
  it('S4.boundaries: passes only paths that are all judged alike, whatever the rules and the paths', () => {
    let passed = 0;
    const over = (presets: ReturnType<typeof presetBoundaries>) => ({ policy: new PolicyEngine(presets), presets });
    const engines = {
      none: over([]),
      balanced: over(presetBoundaries('balanced')),
      open: over(presetBoundaries('open')),
    };
    fc.assert(
      fc.property(
        fc.array(boundary, { maxLength: 4 }),
        fc.array(path, { minLength: 2, maxLength: 30 }),
        fc.constantFrom(undefined, 'balanced' as const, 'open' as const),
        (rules, paths, preset) => {
          const raw = rules.map((one, index) => ({ id: `r${index}`, ...one }));
          // The tables of a preset are compiled once, as they are where rules change while a window is open.
          const { policy, presets } = engines[preset ?? 'none'];
          policy.setRules([...presets, ...parseBoundaries(raw, 'user').value]);
          const call = fakeCall({ input: { n: 1 } });
          const screen = policy.screen(call, 'fs.read');
          const alike = screen ? paths.filter(screen) : [];
          passed += alike.length;
          assert.ok(
            new Set(alike.map((one) => verdictOf(policy, call, one))).size <= 1,
            JSON.stringify({ raw, alike }),
          );
          // What the engine itself answers through its index is what every rule together says.
          for (const resource of paths)
            assert.equal(
              policy.judge(call, [{ effect: 'fs.read', resource }]).effect,
              verdictOf(policy, call, resource),
              resource,
            );
        },
      ),
      { numRuns: runs(24, 1000, 20_000) },
    );
    assert.ok(passed > runs(24, 1000) * 2, `only ${passed} paths passed, so this shows little`);
  });

  it('passes ordinary paths of a project under every preset, and none that a secret could have', () => {
    for (const preset of ['strict', 'balanced', 'open'] as const) {
      const policy = new PolicyEngine(presetBoundaries(preset));
      const screen = policy.screen(fakeCall(), 'fs.read');
      assert.ok(screen, preset);
      for (const one of ['src/app.ts', 'README.md', 'node_modules/a/index.d.ts', 'docs/environment.md', '.gitignore'])
        assert.ok(screen(one), one);
      for (const one of [
        '.env',
        'a/.ENV.local',
        'x/key.Pem',
        '.ssh/config',
        'home/.ssh',
        'ID_RSA',
        'id_rsa~1',
        'a/.e\u200bnv',
        'a\\.env',
        '.env.',
        '',
      ])
        assert.ok(!screen(one), one);
    }
  });

  it('passes nothing more once the rules have changed', () => {
    const policy = new PolicyEngine(presetBoundaries('balanced'));
    const screen = policy.screen(fakeCall(), 'fs.read');
    assert.equal(screen?.('src/app.ts'), true);
    policy.setRules(parseBoundaries([{ id: 'r', match: { path: 'src/**' }, decision: 'deny' }], 'user').value);
    assert.equal(screen?.('src/app.ts'), false);
  });

  it('S4.boundaries: a rule is found for what the matcher makes of its pattern, braces after a dollar and climbing segments too', () => {
    for (const [glob, hit] of [
      ['${a,b}/x', '${a,b}/x'],
      ['gone/../secret/x', 'secret/x'],
      ['{a},mid/secret/b}', 'a}'],
    ] as const) {
      const policy = new PolicyEngine(
        parseBoundaries([{ id: 'r', match: { path: glob }, decision: 'deny' }], 'user').value,
      );
      assert.equal(policy.judge(fakeCall(), [{ effect: 'fs.read', resource: hit }]).effect, 'deny', glob);
    }
  });

  it('lets a tool pass over what is allowed anyway, and nothing where a confirmation hangs over every path', async () => {
    const seen: Record<string, boolean[] | undefined> = {};
    for (const decision of ['deny', 'require_approval'] as const) {
      for (const [about, glob] of [
        ['one', '**/.env'],
        ['all', '**'],
      ] as const) {
        const tool = definition({ sideEffects: ['fs.read'] });
        const capability = capabilityOf(tool, {
          run: async (_input, context) => {
            const screen = context.screen?.('fs.read');
            const paths = ['src/a', '.env', 'b'];
            const passed = paths.map((one) => screen?.(one) ?? false);
            const asked = await context.accessAll(paths.map((resource) => ({ effect: 'fs.read', resource })));
            for (const [index, passes] of passed.entries()) assert.ok(!passes || asked[index]?.allowed);
            seen[`${decision} ${about}`] = passed;
            return { payload: {} };
          },
        });
        const boundaries = new PolicyEngine(
          parseBoundaries([{ id: 'r', match: { path: glob }, decision }], 'user').value,
        );
        const gate = makeGate({ capabilities: [capability], boundaries });
        assert.equal((await gate.call('do_thing')).success, true);
        gate.dispose();
      }
    }
    assert.deepEqual(seen, {
      'deny one': [true, false, true],
      'deny all': [false, false, false],
      'require_approval one': [true, false, true],
      'require_approval all': [false, false, false],
    });
  });
});
