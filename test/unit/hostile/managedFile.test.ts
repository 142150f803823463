import { strict as assert } from 'node:assert';
import { type Sentence, worded } from '../../../src/core/base/sentence';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limitsInForce } from '../../../src/app/limitsInForce';
import { readBundleEntries } from '../../../src/core/bundles/bundleEntries';
import { BoundarySources } from '../../../src/core/policy/rules/policySources';
import { ProfileStore } from '../../../src/core/profiles/profileStore';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { type SettingKey, settingSpecs } from '../../../src/core/settings/settingTable';
import { readSettings } from '../../../src/core/settings/readSettings';
import { fiveCapabilities } from '../../support/profiles';
import { fakePorts, MemoryStore } from '../../support/toolContext';
import {
  descriptorFault,
  type MachineFacts,
  notAdministrators,
  thisMachine,
} from '../../../src/node/administratorFile';
import { ManagedFile } from '../../../src/node/managedFile';
import { inGerman } from '../../support/german';
import { skipBecause } from '../../support/skip';

const file = '/etc/agent-capabilities/managed.json';

function machine(places: Readonly<Record<string, { uid?: number; mode?: number; link?: string }>>): MachineFacts {
  return {
    platform: 'linux',
    lstat: (at) => ({
      uid: places[at]?.uid ?? 0,
      mode: places[at]?.mode ?? (at === file ? 0o644 : 0o755),
      isDirectory: () => at !== file,
      isSymbolicLink: () => places[at]?.link !== undefined,
    }),
    realpath: (at) => places[at]?.link ?? at,
    sddl: () => '',
  };
}

/** Why a file does not count, in English and, with the same names, in German. */
function assertTold(found: Sentence | undefined, fault: RegExp): void {
  assert.ok(found, 'it counts');
  assert.match(worded(found), fault);
  assert.doesNotMatch(worded(found, inGerman), /UNTRANSLATED|\b(told|belongs|write)\b/);
}

describe('who wrote the managed file', () => {
  const owners: readonly (readonly [what: string, Parameters<typeof machine>[0], RegExp | undefined])[] = [
    ['root alone', {}, undefined],
    ['root, in a folder with the sticky bit', { '/etc': { mode: 0o1777 } }, undefined],
    ['a user', { [file]: { uid: 1000 } }, /belongs to user 1000/],
    ['root, for its group too', { [file]: { mode: 0o664 } }, /others than root may write/],
    ['root, for everybody', { [file]: { mode: 0o646 } }, /others than root may write/],
    ['root, with the sticky bit on the file', { [file]: { mode: 0o1666 } }, /others than root may write/],
    [
      'root, in the folder of a user',
      { '/etc/agent-capabilities': { uid: 1000 } },
      /agent-capabilities` belongs to user 1000/,
    ],
    ['root, in a folder of everybody', { '/etc/agent-capabilities': { mode: 0o777 } }, /others than root may write/],
    ['root, below a folder of a user', { '/etc': { uid: 33 } }, /`\/etc` belongs to user 33/],
    ['root, below a folder of a group', { '/': { mode: 0o775 } }, /`\/` \(mode 775\)/],
    [
      'root, at the end of a link of a user',
      { [file]: { uid: 1000, link: '/srv/managed.json' } },
      /belongs to user 1000/,
    ],
    [
      'a user, at the end of a link of root',
      { [file]: { link: '/home/u/managed.json' }, '/home/u': { uid: 1000 } },
      /`\/home\/u` belongs/,
    ],
    ['root, at the end of a link of root', { [file]: { link: '/srv/managed.json' } }, undefined],
  ];
  for (const [what, places, fault] of owners)
    it(`S1.policy: written by ${what}, it ${fault ? 'does not count' : 'counts'}`, () => {
      const found = notAdministrators(file, machine(places));
      if (fault) assertTold(found, fault);
      else assert.equal(found, undefined);
    });

  it('where nobody can tell, it does not count', () => {
    const blind: MachineFacts = { ...machine({}), realpath: () => assert.fail('EACCES') };
    assertTold(notAdministrators(file, blind), /cannot be told/);
  });

  const fileRights = 0x2 | 0x4 | 0x10000 | 0x40000 | 0x80000 | 0x40000000 | 0x10000000;
  const descriptors: readonly (readonly [string, string, RegExp | undefined])[] = [
    ['the administrators, for reading', 'O:BAG:BAD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)', undefined],
    ['the system', 'O:SYG:SYD:(A;;FA;;;SY)(A;;FR;;;WD)', undefined],
    ['a user', 'O:S-1-5-21-1-2-3-1001G:BAD:(A;;FA;;;BA)', /belongs to S-1-5-21-1-2-3-1001/],
    ['the administrators, for all users', 'O:BAG:BAD:(A;;FA;;;BA)(A;;FA;;;BU)', /BU may write/],
    ['the administrators, for everybody by number', 'O:BAG:BAD:(A;;0x1301bf;;;WD)', /WD may write/],
    ['the administrators, for one user', 'O:BAG:BAD:(A;;FW;;;S-1-5-21-1-2-3-1001)', /may write/],
    ['the administrators, whose rights others change', 'O:BAG:BAD:(A;;RCWD;;;AU)', /AU may write/],
    ['the administrators, what only holds below', 'O:BAG:BAD:(A;OICIIO;GA;;;BU)', undefined],
    ['the administrators, where writing is denied', 'O:BAG:BAD:(D;;FA;;;BU)(A;;FR;;;BU)', undefined],
    ['nobody', '', /cannot be told/],
    ['the administrators, with no list at all', 'O:BAG:BA', /cannot be told/],
    ['the administrators, with rights of another time', 'O:BAG:BAD:(A;;QQ;;;BU)', /cannot be told/],
  ];
  for (const [what, sddl, fault] of descriptors)
    it(`S1.policy: on Windows, written by ${what}, it ${fault ? 'does not count' : 'counts'}`, () => {
      const found = descriptorFault('managed.json', sddl, fileRights);
      if (fault) assertTold(found, fault);
      else assert.equal(found, undefined);
    });
});

describe('what the managed file says', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const root: MachineFacts = {
    ...machine({}),
    lstat: () => ({ uid: 0, mode: 0o755, isDirectory: () => true, isSymbolicLink: () => false }),
  };
  const open = (text: string, facts = root): { values: Readonly<Record<string, unknown>>; told: readonly string[] } => {
    const at = path.join(folder, 'managed.json');
    writeFileSync(at, text);
    const told: string[] = [];
    const managed = new ManagedFile([at], (said) => told.push(worded(said)), facts);
    managed.dispose();
    return { values: managed.values, told };
  };
  const user = {
    'policy.preset': 'open',
    'policy.adminApproval': 'never',
    'confirmation.surface': 'chat',
    'webFetch.respectRobots': false,
  };
  const effective = (managed: Readonly<Record<string, unknown>>, key: SettingKey): unknown =>
    readSettings({ managed, user, workspace: {} }).get(key);

  const values: readonly (readonly [
    what: string,
    managed: Record<string, unknown>,
    key: SettingKey,
    expected: unknown,
  ])[] = [
    ['Strict', { 'policy.preset': 'Strict' }, 'policy.preset', 'strict'],
    ['BALANCED', { 'policy.preset': 'BALANCED' }, 'policy.preset', 'strict'],
    ['a preset of another type', { 'policy.preset': true }, 'policy.preset', 'strict'],
    ['a preset of null', { 'policy.preset': null }, 'policy.preset', 'strict'],
    ['a misspelled key', { 'policy.presett': 'strict' }, 'policy.preset', 'strict'],
    ['a key in capitals', { 'policy.Preset': 'strict' }, 'policy.preset', 'strict'],
    ['a text for a whole section', { policy: 'strict' }, 'policy.preset', 'strict'],
    ['Critical', { 'policy.adminApproval': 'Critical' }, 'policy.adminApproval', 'high'],
    ['always', { 'policy.requireFrozenSpec': 'always' }, 'policy.requireFrozenSpec', 'high'],
    ['Modal', { 'confirmation.surface': 'Modal' }, 'confirmation.surface', 'modal'],
    ['a list for a surface', { 'confirmation.surface': ['modal'] }, 'confirmation.surface', 'modal'],
    ['yes', { 'webFetch.respectRobots': 'yes' }, 'webFetch.respectRobots', true],
    ['Session', { 'fileSystem.root': 'Session' }, 'fileSystem.root', 'session'],
    ['no', { 'definitions.enabled': 'no' }, 'definitions.enabled', false],
    ['a text for hosts', { 'network.allowedPrivateHosts': '127.0.0.1' }, 'network.allowedPrivateHosts', []],
    ['a list for connections', { 'database.connections': [] }, 'database.connections', {}],
  ];
  for (const [what, managed, key, expected] of values)
    it(`D.tightens: \`${key}\` of ${what} means the strictest and is an error`, () => {
      assert.deepEqual(effective(managed, key), expected);
      const { problems } = readSettings({ managed, user, workspace: {} });
      assert.ok(
        problems.some(({ severity }) => severity === 'error'),
        JSON.stringify(problems),
      );
    });

  for (const unreadable of [null, 'careful', ['careful'], true])
    it(`D.tightens: \`profiles\` of ${JSON.stringify(unreadable)} mean that no profile allows anything`, async () => {
      const mine = { default: { capabilities: ['file_system'] }, own: { capabilities: ['math'] } };
      const layers = { managed: { profiles: unreadable }, user: { profiles: mine }, workspace: { profiles: mine } };
      const ports = fakePorts();
      const registry = new CapabilityRegistry();
      const registered = fiveCapabilities.map((one) => registry.register(one));
      const profiles = new ProfileStore({
        registry,
        settings: () => readSettings(layers),
        storage: new MemoryStore(),
        crypto: ports.crypto,
      });
      for (const id of profiles.profiles().keys()) assert.deepEqual(profiles.resolve(id)?.tools ?? [], [], id);
      assert.equal(profiles.active().mode, 'plan');
      profiles.dispose();
      for (const one of registered) one.dispose();
      registry.dispose();
    });

  it('S3.configuration: a value of the user or the workspace that cannot be read is never the laxer one', () => {
    const read = (layer: 'user' | 'workspace', key: SettingKey, value: unknown): unknown =>
      readSettings({ managed: {}, user: {}, workspace: {}, [layer]: { [key]: value } }).get(key);
    assert.equal(read('user', 'policy.preset', 'Strict'), 'strict');
    assert.equal(read('user', 'policy.adminApproval', 'High'), 'high');
    assert.equal(read('workspace', 'fileSystem.root', 'Session'), 'session');
    assert.equal(read('workspace', 'definitions.enabled', 'false'), false);
    assert.equal(read('workspace', 'policy.preset', 'open'), 'balanced');
  });

  const damaged = ['{ "agentCapabilities": ', '[]', '', 'null', '"strict"', '{"a":1}}', '\ufffd'];
  for (const text of damaged)
    it(`D.tightens: ${JSON.stringify(text)} where a managed file should be means the strictest of everything`, () => {
      const found = open(text);
      assert.deepEqual(
        (['policy.preset', 'policy.adminApproval', 'policy.requireFrozenSpec', 'confirmation.surface'] as const).map(
          (key) => effective(found.values, key),
        ),
        ['strict', 'high', 'high', 'modal'],
      );
      assert.match(found.told[0] ?? '', /as strict as it can be/);
    });

  it('D.tightens: a damaged file is told once, and all is as strict as where every value in it is wrong', async () => {
    const { told, values: lost } = open('{ "agentCapabilities": {');
    assert.equal(told.length, 1);
    const wrong = Object.fromEntries(settingSpecs.map(({ key }) => [key, null]));
    const both = [lost, wrong].map((managed) => readSettings({ managed, user, workspace: {} }));
    const strictest = both.map((settings) => settingSpecs.map(({ key }) => [key, settings.get(key)]));
    assert.deepEqual(strictest[0], strictest[1]);
    const limits = both.map((settings) => limitsInForce(settings));
    assert.deepEqual(limits[0]?.value, limits[1]?.value);
    const rules = both.map((settings) => new BoundarySources().gather(settings, []));
    const withoutFaults = rules.map(({ boundaries }) =>
      boundaries.map(({ faults, ...rule }) => [rule, faults?.length]),
    );
    assert.deepEqual(withoutFaults[0], withoutFaults[1]);
    const bundles = both.map(({ layers }) => readBundleEntries(layers, fakePorts().crypto));
    assert.deepEqual([...(bundles[0]?.faults.keys() ?? [])], [...(bundles[1]?.faults.keys() ?? [])]);
    const further = [both[0], limits[0], rules[0], bundles[0]].flatMap((one) => one?.problems ?? []);
    assert.deepEqual(further, [], 'nothing more is said than of the file');
    const all = [both[1], limits[1], rules[1], bundles[1]].flatMap((one) => one?.problems ?? []);
    assert.ok(all.length > settingSpecs.length, 'a wrong value is told of each');
  });

  it('D.tightens: of a setting that is there twice nobody knows which was meant', () => {
    const found = open('{ "agentCapabilities.policy.preset": "strict", "agentCapabilities.policy.preset": "open" }');
    assert.equal(effective(found.values, 'policy.preset'), 'strict');
    assert.match(found.told[0] ?? '', /is there twice/);
  });

  const odd: readonly (readonly [what: string, text: string])[] = [
    ['the whole object twice', '{"agentCapabilities":{"policy.preset":"strict"},"agentCapabilities":{}}'],
    ['the whole object as a text', '{"agentCapabilities":"policy.preset=strict"}'],
    ['the whole object as a list', '{"agentCapabilities":[{"policy.preset":"strict"}]}'],
    ['the whole object in other capitals', '{"AgentCapabilities":{"policy.preset":"strict"}}'],
    [
      'a key in both forms',
      '{"agentCapabilities.policy.preset":"strict","agentCapabilities":{"policy.preset":"open"}}',
    ],
    [
      'a key in both forms, the other way round',
      '{"agentCapabilities":{"policy.preset":"open"},"agentCapabilities.policy.preset":"strict"}',
    ],
    ['a key without its beginning', '{"policy.preset":"strict"}'],
    ['a section without its beginning', '{"policy":{"preset":"strict"}}'],
    ['a beginning in small letters', '{"agentcapabilities.policy.preset":"strict"}'],
    ['a misspelled key without its beginning', '{"policy.presett":"strict"}'],
  ];
  for (const [what, text] of odd)
    it(`D.tightens: ${what} in a managed file means the strictest and is told`, () => {
      const found = open(text);
      assert.equal(effective(found.values, 'policy.preset'), 'strict');
      assert.match(found.told[0] ?? '', /agentCapabilities/);
    });

  it('whatever else stands in a managed file is told, and a key in both forms that says the same counts', () => {
    assert.match(
      open('{"settings":{"agentCapabilities.policy.preset":"strict"}}').told[0] ?? '',
      /`settings` is no setting/,
    );
    const both = open(
      '{"$schema":"x","agentCapabilities":{"policy.preset":"open"},"agentCapabilities.policy.preset":"open"}',
    );
    assert.deepEqual([both.told, effective(both.values, 'policy.preset')], [[], 'open']);
  });

  it('D.tightens: one of an administrator that nobody else may look at means the strictest, and one that a user put there nothing', function () {
    if (process.platform === 'win32') return skipBecause(this, 'needs a POSIX file system');
    const at = path.join(folder, 'managed.json');
    const read = (folderStat: { uid: number; mode: number }): { preset: unknown; told: readonly string[] } => {
      const told: string[] = [];
      const facts: MachineFacts = {
        ...root,
        lstat: (place) => {
          if (place === at) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
          return { ...root.lstat(place), ...(place === folder ? folderStat : {}) };
        },
        realpath: () => assert.fail('EACCES'),
      };
      const managed = new ManagedFile([at], (said) => told.push(worded(said)), facts);
      managed.dispose();
      return { preset: effective(managed.values, 'policy.preset'), told };
    };
    // It is there, and opening it fails, whoever runs this.
    symlinkSync('gone', at);
    assert.equal(read({ uid: 0, mode: 0o700 }).preset, 'strict');
    assert.match(read({ uid: 0, mode: 0o700 }).told[0] ?? '', /as strict as it can be/);
    for (const foreign of [
      { uid: 1000, mode: 0o755 },
      { uid: 0, mode: 0o777 },
      { uid: 0, mode: 0o1777 },
    ])
      assert.equal(read(foreign).preset, 'open', JSON.stringify(foreign));
  });

  it('one that a user can write is told and manages nothing', () => {
    const found = open('{ "agentCapabilities.policy.preset": "open" }', {
      ...root,
      lstat: () => ({ ...root.lstat('/'), uid: 1000 }),
    });
    assert.deepEqual(found.values, {});
    assert.match(found.told[0] ?? '', /does not count: .* belongs to user 1000/);
  });

  it('S1.policy: real files of root count, and no longer once others may write them', function () {
    if (process.platform === 'win32' || process.getuid?.() !== 0)
      return skipBecause(this, 'needs root, who alone can write a managed file');
    const place = path.join(folder, 'a');
    mkdirSync(place, { mode: 0o755 });
    const at = path.join(place, 'managed.json');
    writeFileSync(at, '{}', { mode: 0o644 });
    assert.equal(notAdministrators(at, thisMachine), undefined);
    symlinkSync(at, path.join(folder, 'link.json'));
    assert.equal(notAdministrators(path.join(folder, 'link.json'), thisMachine), undefined);
    chmodSync(at, 0o666);
    assertTold(notAdministrators(at, thisMachine), /others than root/);
    chmodSync(at, 0o644);
    chmodSync(place, 0o777);
    assertTold(notAdministrators(path.join(folder, 'link.json'), thisMachine), /others than root/);
    chmodSync(place, 0o755);
    chownSync(at, 65_534, 65_534);
    assertTold(notAdministrators(at, thisMachine), /belongs to user 65534/);
  });
});
