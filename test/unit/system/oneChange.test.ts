import { detailText } from '../../../src/core/audit/recordedSentence';
import { strict as assert } from 'node:assert';
import { toDisposable } from '../../../src/core/base/lifecycle';
import { DefinitionLoader } from '../../../src/core/definitions/loader';
import {
  placeCapabilities,
  type ProfileChange,
  switchCapabilities,
  switchTools,
} from '../../../src/core/profiles/profileEdit';
import { ProfileEditor, type ProfileSettings } from '../../../src/core/profiles/profileEditor';
import { settingSpecs } from '../../../src/core/settings/settingTable';
import { nodeCrypto } from '../../../src/node/system';
import { McpServers } from '../../../src/mcp/client/servers';
import { full } from '../../support/counts';
import { until } from '../../support/editor/until';
import { openSystem, type SystemOptions } from '../../support/system';

const rule = (id: string) => ({ id, match: { path: `${id}/**` }, decision: 'deny', reason: 'closed' });
const definition = JSON.stringify({
  id: 'notes',
  version: '1.0.0',
  name: 'Notes',
  description: 'Notes of the team',
  tools: [],
});

/** What a change made the parts of the system do. */
interface Work {
  /** Rules that were compiled. */
  rules: number;
  /** Times that the servers, the definitions and the settings were read. */
  servers: number;
  definitions: number;
  settings: number;
  /** Profiles that were parsed. */
  profiles: number;
  /** Times that what is shown was told to be read again. */
  shown: number;
  /** What the audit says of it. */
  audit: readonly string[];
}

type First = Pick<SystemOptions, 'user' | 'workspace'>;

/** The composed system with a counter on each part that works through what it reads. */
async function countedSystem(first: First = {}) {
  const counted = { servers: 0, definitions: 0, settings: 0, shown: 0 };
  const restored = [
    countCalls(McpServers.prototype, 'refresh', () => counted.servers++),
    countCalls(DefinitionLoader.prototype, 'reload', () => counted.definitions++),
  ];
  const system = await openSystem({ ...options(first), onSettingsRead: () => counted.settings++ });
  const { core, events } = system;
  // The person's yes to the definition comes after the start, and so do its effects.
  await settled(() => assert.equal(core.definitions.loader?.definitions()[0]?.state, 'active'));
  const following = core.onDidChange(() => counted.shown++);
  const rulesNow = () => new Set<object>(core.policy.engine.rules());
  const profilesNow = () => new Set<object>([...core.tools.profiles.profiles().values()].map(({ profile }) => profile));
  let [rules, profiles] = [rulesNow(), profilesNow()];
  const settings: ProfileSettings = {
    target: () => 'workspace',
    read: (target) => system.layers()[target]['profiles'],
    async write(target, profiles) {
      system.write({ [target]: { ...system.layers()[target], profiles } });
    },
  };
  const editor = new ProfileEditor({ store: core.tools.profiles, settings, log: core.gate.ports.log });
  const work = (): Work => {
    const before = [rules, profiles] as const;
    [rules, profiles] = [rulesNow(), profilesNow()];
    const done: Work = {
      ...counted,
      rules: [...rules].filter((one) => !before[0].has(one)).length,
      profiles: [...profiles].filter((one) => !before[1].has(one)).length,
      audit: events
        .splice(0)
        .flatMap((event) => (event.type === 'changed' ? [`${event.what} ${detailText(event.detail)}`] : [])),
    };
    Object.assign(counted, { servers: 0, definitions: 0, settings: 0, shown: 0 });
    return done;
  };
  work();
  return {
    core,
    work,
    click: (change: ProfileChange) => editor.change('default', 'click', change),
    write: (more: Record<string, unknown>) => system.write({ user: { ...system.layers().user, ...more } }),
    dispose() {
      for (const restore of restored) restore();
      following.dispose();
      editor.dispose();
      system.dispose();
    },
  };
}

function options(first: First): SystemOptions {
  return {
    ...first,
    files: { '.vscode/capabilities/notes.capability.json': definition },
    platform: {
      definitions: {
        watcher: { watch: () => toDisposable(() => undefined) },
        approver: { ask: async () => true },
        trusted: () => true,
      },
    },
  };
}

/** Definitions are read in the background. */
const settled = (check: () => void): Promise<void> => until(check, 1000, 5);

/** Counts the calls of a method of all objects of a class until the answer is called. */
function countCalls<K extends string>(of: Record<K, (...args: never[]) => unknown>, name: K, count: () => void) {
  const method = of[name];
  of[name] = function (this: unknown, ...args: never[]) {
    count();
    return method.apply(this, args);
  };
  return () => void (of[name] = method);
}

const quiet: Work = { rules: 0, servers: 0, definitions: 0, settings: 1, profiles: 0, shown: 1, audit: [] };

describe('one change', () => {
  let system: Awaited<ReturnType<typeof countedSystem>>;
  beforeEach(async () => {
    system = await countedSystem({
      user: { 'mcp.servers': { sleeper: { command: 'none', disabled: true } }, 'policy.boundaries': [rule('a')] },
      workspace: { profiles: { mine: { capabilities: ['math'] }, default: { capabilities: ['math', 'file_system'] } } },
    });
  });
  afterEach(() => system.dispose());

  it('D.tree: one click in the tree compiles no rule and reads no server, definition or other profile', async () => {
    const { core, work, click } = system;
    const { registry } = core.tools;
    const tool = registry.tool('read_file');
    assert.ok(tool);
    const clicks: readonly (readonly [ProfileChange, string])[] = [
      [switchCapabilities(registry, ['math'], false), 'changed: math'],
      [switchTools(registry, [tool], false), 'changed: file_system'],
      [placeCapabilities(registry, ['file_system'], 'math'), 'edited'],
    ];
    for (const [change, told] of clicks) {
      await click(change);
      assert.deepEqual(work(), { ...quiet, profiles: 1, audit: [`profile ${told}`] });
    }
    core.tools.profiles.activate('readOnly');
    assert.deepEqual(work(), { ...quiet, settings: 0, audit: ['profile switched from default'] });
  });

  it('S4.boundaries: a rule that is added is the only one that is compiled, and nothing else is read', () => {
    const { work, write } = system;
    write({ 'policy.boundaries': [rule('a'), rule('b')] });
    // A setting is read whole.
    assert.deepEqual(work(), { ...quiet, rules: 2, audit: ['policy added: user/b'] });
    write({ limits: { session: { maxToolCalls: 5 } } });
    assert.deepEqual(work(), quiet);
  });

  it('S1.mcp: a server that is added is the only thing that is read', () => {
    const { core, work, write } = system;
    write({ 'mcp.servers': { other: { command: 'none' } } });
    const { shown, ...done } = work();
    const { shown: _shown, ...rest } = quiet;
    assert.deepEqual(done, { ...rest, servers: 1, profiles: done.profiles });
    assert.ok(shown > 0);
    assert.deepEqual(
      core.servers.list.list().map(({ name }) => name),
      ['other'],
    );
  });

  it('S2.manifest: definitions are read again where they are switched off, and nothing else is', () => {
    const { work, write } = system;
    write({ 'definitions.enabled': false });
    assert.equal(work().definitions, 1);
  });

  it('settings that say the same are no change, and what only a tool reads reaches no one else', () => {
    const { work, write } = system;
    write({});
    assert.deepEqual(work(), { ...quiet, shown: 0 });
    write({ 'email.host': 'mail.example.com' });
    assert.deepEqual(work(), quiet);
  });
});

const digest = (value: unknown): string => nodeCrypto.sha256(JSON.stringify(value)).slice(0, 8);

describe('a change of any setting', () => {
  const samples: Readonly<Record<string, unknown>> = {
    activeProfile: 'readOnly',
    profiles: { default: { capabilities: ['math'] }, another: { capabilities: [] } },
    'policy.boundaries': [rule('a')],
    'network.allowedPrivateHosts': ['nas.example.com'],
    'webFetch.firstByteTimeoutMs': [100, 200],
    'mcp.servers': { other: { command: 'none' } },
    channels: { media: 'https://media.example.com/manifest.json' },
  };
  /** Another value than the default, and one that nobody can read. */
  const valuesOf = ({ key, schema, default: usual }: (typeof settingSpecs)[number]): readonly unknown[] => {
    const another =
      samples[key] ??
      schema.enum?.find((one) => one !== usual) ??
      { boolean: usual !== true, number: (schema.minimum ?? 0) + 1, string: 'x', object: { x: 1 }, array: [] }[
        String(schema.type)
      ];
    return [another, null];
  };

  /** Everything that settings decide, as it can be seen. */
  const seen = ({ core }: Awaited<ReturnType<typeof openSystem>>) => ({
    rules: core.policy.engine.rules().map(({ boundary }) => `${boundary.scope} ${boundary.id} ${digest(boundary)}`),
    servers: core.servers.list.list(),
    definitions: core.definitions.loader?.definitions(),
    profiles: [...core.tools.profiles.profiles()],
    active: core.tools.profiles.activeId,
    tools: core.tools.profiles.active().tools.map(({ id }) => id),
    problems: core.problems(),
  });

  /** In the fast tier those that somebody but a tool goes by. */
  const telling =
    /^(activeProfile|profiles|policy\.(preset|boundaries)|limits|fileSystem\.root|definitions|mcp|channels)/;

  for (const scope of ['user', 'workspace', 'managed'] as const)
    it(`leads to what a start with it leads to, in the ${scope} settings, and back`, async () => {
      const system = await openSystem(options({}));
      try {
        await settled(() => assert.equal(system.core.definitions.loader?.definitions()[0]?.state, 'active'));
        const first = seen(system);
        for (const spec of settingSpecs.filter(({ key }) => full || telling.test(key))) {
          for (const value of valuesOf(spec)) {
            const layer = { [spec.key]: value };
            const fresh = await openSystem({ ...options(scope === 'managed' ? {} : { [scope]: layer }) });
            if (scope === 'managed') fresh.write({ managed: layer });
            try {
              system.write({ [scope]: layer });
              await settled(() => assert.deepEqual(seen(system), seen(fresh), `${spec.key} ${JSON.stringify(value)}`));
            } finally {
              fresh.dispose();
            }
          }
          system.write({ [scope]: {} });
          await settled(() => assert.deepEqual(seen(system), first, `${spec.key} taken back`));
        }
      } finally {
        system.dispose();
      }
    });
});
