import { Findings, ObjectReader } from '../../../src/core/base/jsonReader';
import { say, worded } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseOverrides } from '../../../src/core/foreign/overrides';
import { parseLimits, parseManagedLimits } from '../../../src/core/policy/limits/limitSettings';
import { unreadableFile } from '../../../src/core/policy/rules/boundaryFile';
import { BoundarySources } from '../../../src/core/policy/rules/policySources';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { readSettings } from '../../../src/core/settings/readSettings';
import { mostBytes, readSmallFile } from '../../../src/node/regularFile';
import { inGerman } from '../../support/german';
import { runCli } from '../../support/cli';
import { fakeCall } from '../../support/gateCall';
import { skipBecause } from '../../support/skip';

/** What is told of a file that is not read. */
const wordsOf = (read: ReturnType<typeof readSmallFile>): string =>
  read.type === 'unreadable' ? worded(read.fault) : read.type;

const posix = process.platform !== 'win32';

describe('files that hold rules', () => {
  let folder: string;
  let outside: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-'));
    outside = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-outside-'));
  });
  afterEach(() => {
    for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
  });

  const sorts: readonly (readonly [what: string, make: (file: string) => void, fault: RegExp])[] = [
    [
      'a link to an endless device',
      (file) => symlinkSync('/dev/zero', file),
      /link that leads out of the workspace|a device/,
    ],
    ['a link to a file of the machine', (file) => symlinkSync('/etc/passwd', file), /leads out of the workspace/],
    [
      'a link to a file beside the workspace',
      (file) => {
        writeFileSync(path.join(outside, 'x.json'), '[]');
        symlinkSync(path.join(outside, 'x.json'), file);
      },
      /leads out of the workspace/,
    ],
    ['a link that leads nowhere', (file) => symlinkSync('gone', file), /leads nowhere/],
    ['a link to itself', (file) => symlinkSync(path.basename(file), file), /cannot be opened \(ELOOP\)/],
    ['a folder', (file) => mkdirSync(file), /it is a folder/],
    ['a pipe', (file) => execFileSync('mkfifo', [file]), /it is a pipe/],
    ['a file that is too large', (file) => writeFileSync(file, ' '.repeat(mostBytes + 1)), /more than 1000000 bytes/],
  ];
  for (const [what, make, fault] of sorts) {
    it(`S4.boundaries: ${what} is not read and says why`, function () {
      if (!posix) return skipBecause(this, 'needs a POSIX file system');
      const file = path.join(folder, 'boundaries.json');
      make(file);
      const read = readSmallFile(file, { within: folder });
      assert.match(wordsOf(read), fault);
      assert.ok(read.type === 'unreadable');
      const german = worded(unreadableFile(file, read.fault).said, inGerman);
      assert.doesNotMatch(german, /UNTRANSLATED|\b(it|is|has|cannot)\b/);
    });

    it(`S4.boundaries: where boundaries.json is ${what}, every call of an agent asks, and validate names it`, async function () {
      if (!posix) return skipBecause(this, 'needs a POSIX file system');
      const rules = path.join(folder, '.vscode', 'capabilities');
      mkdirSync(rules, { recursive: true });
      writeFileSync(path.join(folder, 'a.txt'), 'text');
      make(path.join(rules, 'boundaries.json'));
      const call = await runCli(['call', 'read_file', '{"path":"a.txt"}', '--workspace', folder]);
      assert.notEqual(call.code, 0, call.text);
      const validated = await runCli(['validate', '--json', '--workspace', folder]);
      assert.ok(
        validated.json().some(({ code }: { code: string }) => code === 'unreadable_file'),
        validated.text,
      );
    });
  }

  it('a socket is not read', function (done) {
    if (!posix) return skipBecause(this, 'needs a POSIX file system');
    const file = path.join(folder, 's');
    const server = createServer().listen(file, () => {
      const read = readSmallFile(file);
      server.close(() => {
        assert.match(wordsOf(read), /it is a socket/);
        done();
      });
    });
  });

  it('devices are never opened, with or without a folder to lie in', function () {
    if (!posix) return skipBecause(this, 'needs a POSIX file system');
    for (const device of ['/dev/zero', '/dev/null', '/dev/random']) {
      const read = readSmallFile(device);
      assert.match(wordsOf(read), /a device/, device);
    }
  });

  it('a file of just the size, one through a link within, and one that is not there are told apart', () => {
    const file = path.join(folder, 'a.json');
    writeFileSync(file, 'x'.repeat(mostBytes));
    assert.equal(readSmallFile(file, { within: folder }).type, 'text');
    if (posix) symlinkSync(file, path.join(folder, 'link.json'));
    if (posix) assert.equal(readSmallFile(path.join(folder, 'link.json'), { within: folder }).type, 'text');
    assert.equal(readSmallFile(path.join(folder, 'none.json')).type, 'absent');
    assert.equal(readSmallFile(path.join(file, 'none.json')).type, 'absent');
  });

  it('S4.boundaries: settings of the workspace that cannot be read ask instead of letting everything pass', async function () {
    if (!posix) return skipBecause(this, 'needs a POSIX file system');
    mkdirSync(path.join(folder, '.vscode'));
    writeFileSync(path.join(folder, 'a.txt'), 'text');
    symlinkSync('/dev/zero', path.join(folder, '.vscode', 'settings.json'));
    assert.notEqual((await runCli(['call', 'read_file', '{"path":"a.txt"}', '--workspace', folder])).code, 0);
  });

  const nested = (open: string, close: string, levels: number): string =>
    `${open.repeat(levels)}1${close.repeat(levels)}`;
  for (const [what, text] of Object.entries({
    'lists for ever': '['.repeat(200_000),
    'a list that is closed': `{"agentCapabilities.policy.boundaries":${nested('[', ']', 20_000)}}`,
    objects: `{"agentCapabilities.profiles":${nested('{"a":', '}', 5000)}}`,
    'objects under one key': `{"agentCapabilities":{"policy":{"boundaries":${nested('[', ']', 70)}}}}`,
    'what is none of ours': `{"other":${nested('[', ']', 20_000)}}`,
    'behind a comment with a quote': `// "\n{"agentCapabilities.limits":${nested('{"a":', '}', 5000)}}`,
  }))
    it(`S4.boundaries: settings nested too deep ask and say so, and nothing breaks: ${what}`, async () => {
      mkdirSync(path.join(folder, '.vscode'));
      writeFileSync(path.join(folder, 'a.txt'), 'text');
      writeFileSync(path.join(folder, '.vscode', 'settings.json'), text);
      const result = await runCli(['call', 'read_file', '{"path":"a.txt"}', '--workspace', folder]);
      assert.deepEqual([result.code, result.json().error.code], [1, 'approval_unavailable'], result.text);
      const validated = await runCli(['validate', '--workspace', folder]);
      assert.match(validated.text + validated.errors, /nested more than 64 levels deep|cannot be read/);
    });

  it('S4.boundaries: a setting nested too deep counts as one that nobody can read, wherever it stands in an object', () => {
    let deep: unknown = [];
    for (let level = 0; level < 80; level++) deep = [deep];
    const read = readSettings({ managed: {}, user: {}, workspace: { policy: { boundaries: deep } } });
    assert.equal(read.layers.workspace['policy.boundaries'], null);
    assert.equal(
      readSettings({ managed: { fileSystem: { root: deep } }, user: {}, workspace: {} }).get('fileSystem.root'),
      'session',
    );
  });

  it('nothing lost: what a file said before holds while it cannot be read, and goes with the file', () => {
    const settings = readSettings({ managed: {}, user: {}, workspace: {} });
    const file = { path: 'boundaries.json', text: '[{"id":"r","match":{"path":"secret"},"decision":"deny"}]' };
    const effect = (rules: ReturnType<BoundarySources['gather']>, resource: string): string => {
      const accesses = [{ effect: 'fs.read', resource }];
      return new PolicyEngine(rules.boundaries).judge(fakeCall({ accesses }), accesses).effect;
    };
    const sources = new BoundarySources();
    sources.gather(settings, [file]);
    for (const broken of [
      { ...file, text: '[' },
      { ...file, text: '', fault: say('file_is_pipe') },
    ]) {
      const kept = sources.gather(settings, [broken]);
      assert.deepEqual([effect(kept, 'secret'), effect(kept, 'other')], ['deny', 'pass']);
      assert.match(kept.problems[0]?.message ?? '', /held before stay in force/);
      const others = new BoundarySources();
      const unknown = others.gather(settings, [broken]);
      assert.deepEqual([effect(unknown, 'secret'), effect(unknown, 'other')], ['ask', 'ask']);
      // What could not be read is no version to come back to.
      assert.equal(effect(others.gather(settings, [broken]), 'other'), 'ask');
    }
    assert.equal(effect(sources.gather(settings, []), 'secret'), 'pass');
  });
});

describe('what somebody wrote about tools and limits', () => {
  const overrides: readonly (readonly [what: string, value: unknown, expected: unknown, words: RegExp])[] = [
    ['a risk that is none', { t: { risk: 'Extreme' } }, { t: { risk: 'critical' } }, /\/tools\/t\/risk/],
    [
      'a permission in capitals',
      { t: { permission: 'Allowed' } },
      { t: { permission: 'forbidden' } },
      /\/tools\/t\/permission/,
    ],
    ['enabled as a text', { t: { enabled: 'false' } }, { t: { enabled: false } }, /\/tools\/t\/enabled/],
    ['a kind that is none', { t: { kind: 'read' } }, { t: { kind: 'action' } }, /\/tools\/t\/kind/],
    [
      'side effects as a text',
      { t: { sideEffects: 'fs.write' } },
      { t: { risk: 'critical' } },
      /\/tools\/t\/sideEffects/,
    ],
    [
      'a misspelled permission',
      { t: { permision: 'forbidden' } },
      { t: { risk: 'critical', permission: 'forbidden' } },
      /did you mean `permission`/,
    ],
    ['a misspelled enabled', { t: { enable: false } }, { t: { enabled: false } }, /did you mean `enabled`/],
    ['a misspelled risk', { t: { risc: 'high' } }, { t: { risk: 'critical' } }, /did you mean `risk`/],
    ['a text for a tool', { t: 'forbidden' }, { t: { risk: 'critical', permission: 'forbidden' } }, /\/tools\/t/],
    ['a list of tools', ['t'], { '*': { risk: 'critical', permission: 'forbidden' } }, /\/tools/],
    ['snake_case', { t: { side_effects: ['fs.read'] } }, { t: { sideEffects: ['fs.read'] } }, /^$/],
    ['what is right', { t: { risk: 'low', enabled: true } }, { t: { risk: 'low', enabled: true } }, /^$/],
    ['S1.risk: the name as everywhere', { t: { riskLevel: 'low' } }, { t: { risk: 'low' } }, /^$/],
    ['S1.risk: its other spelling', { t: { risk_level: 'MED' } }, { t: { risk: 'medium' } }, /^$/],
    ['S1.risk: the higher of two', { t: { riskLevel: 'low', risk: 'high' } }, { t: { risk: 'high' } }, /^$/],
  ];
  for (const [what, value, expected, words] of overrides)
    it(`D.tightens: ${what} is told and never makes a tool freer`, () => {
      const findings = new Findings({
        code: 'x',
        nullIsWrong: true,
        sentence: (at, _key, fault) => say('property', at, fault),
      });
      assert.deepEqual({ ...parseOverrides(new ObjectReader({ tools: value }, '', findings)) }, expected);
      assert.match(findings.problems.map(({ message }) => message).join('\n'), words);
    });

  it('S1.policy: every key of the limits that nobody knows is told, and an administrator with such limits allows nothing', () => {
    for (const raw of [
      { budget: { cals: 5 } },
      { concurrency: { pertool: 1, x: 1 } },
      { circuit: { failure: 1 } },
      { perTool: { request: 5, window: '1h' } },
      { all: { requests: 5, window: '1h', burst: 9 } },
      { perTols: '5 per 1h' },
      { all: '5 per fortnight' },
      null,
      [],
    ]) {
      if (raw !== null) assert.ok(parseLimits(raw).problems.length > 0, JSON.stringify(raw));
      const managed = parseManagedLimits(raw);
      assert.deepEqual([managed.value.all?.requests, managed.problems.length > 0], [0, true], JSON.stringify(raw));
    }
    assert.equal(parseManagedLimits({ all: '5 per 1h' }).value.all?.requests, 5);
  });
});
