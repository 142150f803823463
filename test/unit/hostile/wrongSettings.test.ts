import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { FlowPlaces } from '../../../src/core/flow/places';
import { readExtensionJudgements } from '../../../src/core/foreign/extensionTools';
import { overrideFor } from '../../../src/core/foreign/overrides';
import { parseProfile } from '../../../src/core/profiles/profile';
import { readSettings } from '../../../src/core/settings/readSettings';
import type { SettingsLayers } from '../../../src/core/settings/settings';
import { placeInSettings } from '../../../src/core/settings/settingsPlaces';
import { type SettingKey, settingSpecs } from '../../../src/core/settings/settingTable';
import { misfit, unreadable } from '../../../src/core/settings/settingValues';
import { calls, realLayer } from '../../support/anySettings';
import { runs } from '../../support/counts';
import { openSystem } from '../../support/system';

const read = (layers: Partial<SettingsLayers>) => readSettings({ managed: {}, user: {}, workspace: {}, ...layers });

/** Values of no type that a setting has, and lists that are right in part. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(5, -1, 1.5, true, false, null, '', 'private/**', 'x', {}, [], [5], [null], [[]], [{}]),
  fc.constantFrom<unknown>(['private/**', 5], [null, 'docs/**'], { 0: 'private/**' }, { paths: ['x'] }, [['x']]),
  fc.jsonValue({ maxDepth: 2 }),
);

const placesBy = (settings: ReturnType<typeof read>): FlowPlaces =>
  new FlowPlaces({
    privatePaths: settings.get('flow.privatePaths'),
    publicPaths: settings.get('flow.publicPaths'),
    trustedHosts: settings.get('flow.trustedHosts'),
  });

const paths = ['private/a.txt', 'docs/b.md', 'src/c.ts', '/home/me/d', 'C:\\e\\f', '~/g', '../h'];
const receivers = ['https://api.example.com/', 'https://evil.example/', 'mailto:me@x.example', 'mcp:x', '5', 'null'];

/** True for a list of texts of which no reader has to leave anything out. */
const isRight = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

describe('a setting that restricts and has a wrong value', () => {
  for (const scope of ['user', 'managed'] as const)
    it(`S3.configuration: whatever stands in the ${scope} settings as what is private, public or trusted, nothing wrong makes anything freer, and each is told`, () => {
      fc.assert(
        fc.property(
          fc.constantFrom<SettingKey>('flow.privatePaths', 'flow.publicPaths', 'flow.trustedHosts'),
          strange,
          (key, value) => {
            const user = { [key]: ['private/**', 'api.example.com'] };
            const alone = placesBy(read(scope === 'managed' ? { user } : {}));
            const settings = read(
              scope === 'managed' ? { user, managed: { [key]: value } } : { user: { [key]: value } },
            );
            const now = placesBy(settings);
            const right = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
            const ofRight = placesBy(read({ user: { [key]: right } }));
            for (const path of paths) {
              // A list that is right as a whole says what the administrator wants.
              const least = isRight(value) ? ofRight : alone;
              assert.ok(now.isChosen(path) || !(least.isChosen(path) || ofRight.isChosen(path)), `private ${path}`);
              assert.ok(now.isPublic(path) || !(least.isPublic(path) || ofRight.isPublic(path)), `public ${path}`);
              if (isRight(value) || key === 'flow.trustedHosts') continue;
              assert.ok(key === 'flow.privatePaths' ? now.isChosen(path) : now.isPublic(path), `${key} ${path}`);
            }
            for (const receiver of receivers) assert.equal(now.isNamed(receiver), ofRight.isNamed(receiver), receiver);
            if (!isRight(value))
              assert.ok(settings.problems.some(({ subject, severity }) => subject === key && severity === 'error'));
          },
        ),
        { numRuns: runs(100, 2000) },
      );
    });

  it('the right entries of a half-wrong list hold, and each wrong one leads to its line', () => {
    const text = `{
  "agentCapabilities.network.allowedPrivateHosts": [
    "127.0.0.1",
    5,
    "http://127.0.0.1"
  ]
}`;
    const key = 'network.allowedPrivateHosts';
    const settings = read({ user: { [key]: JSON.parse(text)[`agentCapabilities.${key}`] } });
    assert.deepEqual(settings.get(key), ['127.0.0.1', 'http://127.0.0.1']);
    assert.deepEqual(
      settings.problems.map((one) => placeInSettings(one, text, 'settings.json').line),
      [4, 5],
    );
    assert.match(settings.problems[0]?.message ?? '', /`5` in .* must be string \(got number\); it is left out/);
    const shown = read({ user: { 'flow.privatePaths': ['contracts/**', 5] } });
    assert.deepEqual(shown.get('flow.privatePaths'), ['contracts/**', '**']);
    assert.match(
      shown.problems[0]?.message ?? '',
      /must be string \(got number\); until it is mended every file counts/,
    );
    const whole = read({ user: { 'flow.privatePaths': 5 } });
    assert.match(whole.problems[0]?.message ?? '', /must be array \(got number\); \["\*\*"\] is used/);
  });

  it('S1.policy: for every setting, a value of the managed file that cannot be read leaves in force what of the user is stricter', () => {
    const user = {
      'webFetch.maxBytes': 5000,
      'audit.signed': true,
      'changes.checkpoints': true,
      'email.secure': true,
      activeProfile: 'readOnly',
      'approvals.readerPerHour': 5,
    };
    for (const value of [unreadable, null, 'nonsense', [], {}])
      for (const key of [
        'webFetch.maxBytes',
        'audit.signed',
        'changes.checkpoints',
        'email.secure',
        'activeProfile',
      ] as const) {
        if (key === 'activeProfile' && value === 'nonsense') continue;
        assert.equal(read({ user, managed: { [key]: value } }).get(key), user[key], `${key} ${String(value)}`);
      }
    assert.equal(read({ user, managed: { 'approvals.readerPerHour': null } }).get('approvals.readerPerHour'), 0);
  });

  it('S3.configuration: a section that is no object leaves none of its settings at a milder value than one that cannot be read', () => {
    for (const value of [5, 'strict', null, [], true]) {
      const settings = read({ user: { flow: value, policy: value } });
      assert.equal(settings.get('policy.preset'), 'strict', JSON.stringify(value));
      assert.deepEqual(settings.get('flow.privatePaths'), ['**']);
      assert.ok(settings.problems.some(({ code, subject }) => code === 'unknown_setting' && subject === 'flow'));
      const ofWorkspace = read({ workspace: { policy: value, fileSystem: value } });
      assert.equal(ofWorkspace.get('policy.preset'), 'balanced');
      assert.equal(ofWorkspace.get('fileSystem.root'), 'session');
    }
  });

  it('S2.permissions: what is said of an extension and cannot be read forbids its tools, as what is said of one tool does', () => {
    const judged = (raw: unknown, extension: string) => {
      const tools = readExtensionJudgements(raw).judgementOf(extension)?.tools;
      return tools && overrideFor(tools, 'any')?.permission;
    };
    for (const value of [5, 'forbidden', null, [], true]) {
      assert.equal(judged({ 'A.ext': value }, 'a.Ext'), 'forbidden', JSON.stringify(value));
      assert.equal(judged({ 'a.ext': value }, 'b.ext'), undefined);
      for (const layers of [{ user: { extensionTools: value } }, { managed: { extensionTools: value } }])
        assert.equal(judged(read(layers).get('extensionTools'), 'any.ext'), 'forbidden');
    }
    assert.equal(judged({}, 'a.ext'), undefined);
    const mine = { 'a.ext': { tools: { '*': { permission: 'forbidden' } } } };
    const kept = read({ user: { extensionTools: mine }, managed: { extensionTools: unreadable } });
    assert.equal(judged(kept.get('extensionTools'), 'a.ext'), 'forbidden');
  });

  it('S3.profiles: a capability of which a profile says what cannot be read is off', () => {
    const wrong: readonly Record<string, unknown>[] = [
      { tools: 5 },
      { tools: ['read_file'] },
      { tools: null },
      { config: 'session' },
      { config: ['session'] },
      { config: null },
      { enabled: 'no' },
      { enable: false },
      { tool: { write_file: false } },
    ];
    for (const one of wrong) {
      const { value, problems } = parseProfile('p', { capabilities: [{ ref: 'file_system', ...one }, 'math'] }, 'user');
      const on = value.capabilities.filter(({ enabled }) => enabled).map(({ ref }) => ref);
      assert.deepEqual(on, ['math'], JSON.stringify(one));
      assert.match(problems[0]?.message ?? '', /\/capabilities\/0\/\w+ .*it is off$/);
    }
    const noted = parseProfile('p', { capabilities: [{ ref: 'math', why: 'for sums' }] }, 'user');
    assert.deepEqual(
      noted.value.capabilities.map(({ enabled }) => enabled),
      [true],
    );
  });

  it('D.tightens S2.permissions S3.configuration: whatever value stands for any setting, no call is milder than without it', async () => {
    const [wrong, alone] = [await openSystem(), await openSystem()];
    const mild = { deny: 0, ask: 1, pass: 2 };
    const specs = settingSpecs.filter(({ key }) => key !== 'policy.managedFile');
    const nonsense = fc.oneof(
      fc.constantFrom<unknown>(5, 'x', true, null, [], [5], [null, 'x'], { x: 5 }, unreadable),
      fc.jsonValue({ maxDepth: 2 }),
    );
    try {
      await fc.assert(
        fc.asyncProperty(
          realLayer,
          fc.constantFrom(...specs),
          nonsense,
          fc.constantFrom('managed', 'user', 'workspace'),
          async (user, { key, schema, merge }, value, scope) => {
            // What fits may well allow more; what rules and profiles say is compared in `tightensAlways.test.ts`.
            fc.pre(misfit(schema, value) !== undefined);
            fc.pre(scope !== 'user' || !(key in user));
            alone.write({ managed: {}, user, workspace: {} });
            wrong.write({
              managed: {},
              user,
              workspace: {},
              [scope]: { ...(scope === 'user' ? user : {}), [key]: value },
            });
            for (const [tool, input] of calls) {
              const ask = (core: typeof wrong.core) =>
                core.gate.router.preview({ tool, input, actor: { type: 'agent', id: 'test' }, surface: 'chat' });
              const [now, own] = [await ask(wrong.core), await ask(alone.core)];
              assert.ok(mild[now.effect] <= mild[own.effect], `${tool}: ${own.effect} → ${now.effect} (${merge.type})`);
            }
          },
        ),
        { numRuns: runs(8, 150, 1000) },
      );
    } finally {
      wrong.dispose();
      alone.dispose();
    }
  });
});
