import { strict as assert } from 'node:assert';
import { worded } from '../../../src/core/base/sentence';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSettings } from '../../../src/core/settings/readSettings';
import { thisMachine } from '../../../src/node/administratorFile';
import { ManagedFile, managedFilePath, managedPlaces } from '../../../src/node/managedFile';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { skipBecause } from '../../support/skip';

/** Whoever runs the tests is the administrator here. */
const administrators = {
  ...thisMachine,
  platform: 'linux' as const,
  lstat: () => ({ uid: 0, mode: 0o755, isDirectory: () => true, isSymbolicLink: () => false }),
};

describe('the managed file', () => {
  it('overrides user and workspace, keeps its last good content when it is damaged, and says so', () => {
    const { folder, dispose } = temporaryWorkspace({
      'managed.json': '{ "agentCapabilities.policy.preset": "strict", "editor.fontSize": 12 } // ours',
    });
    const problems: string[] = [];
    const file = new ManagedFile(
      [path.join(folder, 'managed.json')],
      (said) => problems.push(worded(said)),
      administrators,
    );
    assert.deepEqual(file.values, { 'policy.preset': 'strict' });
    // Nothing else has a place in it.
    assert.match(problems.splice(0).join('\n'), /^[^\n]*`editor\.fontSize` is no setting[^\n]*$/);
    file.dispose();
    writeFileSync(path.join(folder, 'broken.json'), '{ "agentCapabilities": ');
    const broken = new ManagedFile(
      [path.join(folder, 'broken.json')],
      (said) => problems.push(worded(said)),
      administrators,
    );
    assert.equal(
      readSettings({ managed: broken.values, user: { 'policy.preset': 'open' }, workspace: {} }).get('policy.preset'),
      'strict',
    );
    assert.match(problems[0] ?? '', /is not valid JSON; until it is mended every setting is as strict as it can be/);
    assert.deepEqual(new ManagedFile([path.join(folder, 'none.json')], (said) => assert.fail(worded(said))).values, {});
    broken.dispose();
    dispose();
  });

  it('comes into force where it stands at the fixed place later, whatever the named one says, and the other way round', () => {
    const { folder, dispose } = temporaryWorkspace({ 'named.json': '{ "agentCapabilities.policy.preset": "open" }' });
    const [fixed, named] = [path.join(folder, 'fixed.json'), path.join(folder, 'named.json')];
    const told: string[] = [];
    const file = new ManagedFile(managedPlaces(named, fixed), (said) => told.push(worded(said)), administrators);
    assert.deepEqual([file.values, file.refresh()], [{ 'policy.preset': 'open' }, false]);
    writeFileSync(fixed, '{ "agentCapabilities.policy.preset": "balanced" }');
    assert.deepEqual([file.refresh(), file.values, file.refresh()], [true, { 'policy.preset': 'balanced' }, false]);
    rmSync(fixed);
    assert.deepEqual([file.refresh(), file.values], [true, { 'policy.preset': 'open' }]);
    // What the named one said is not what the broken one said before.
    writeFileSync(fixed, '{ "agentCapabilities.policy.preset": ');
    assert.equal(file.refresh(), true);
    const { values: managed } = file;
    assert.equal(
      readSettings({ managed, user: { 'policy.preset': 'open' }, workspace: {} }).get('policy.preset'),
      'strict',
    );
    assert.match(told.join(), /every setting is as strict as it can be/);
    rmSync(fixed);
    file.lookIn(managedPlaces('', fixed));
    assert.deepEqual(file.values, {}, 'nothing is named any more');
    file.lookIn(managedPlaces(named, fixed));
    assert.deepEqual(file.values, { 'policy.preset': 'open' }, 'it is named again');
    file.dispose();
    dispose();
  });

  it('is looked at before a call: what an administrator wrote a moment ago counts, before any poll', () => {
    const { folder, dispose } = temporaryWorkspace({ 'managed.json': '{ "agentCapabilities.policy.preset": "open" }' });
    const at = path.join(folder, 'managed.json');
    const file = new ManagedFile([at], (said) => assert.fail(worded(said)), administrators);
    assert.equal(file.refresh(), false);
    writeFileSync(at, '{ "agentCapabilities.policy.preset": "strict" }');
    assert.deepEqual([file.refresh(), file.values, file.refresh()], [true, { 'policy.preset': 'strict' }, false]);
    rmSync(at);
    assert.deepEqual([file.refresh(), file.values], [true, {}]);
    file.dispose();
    dispose();
  });

  it('S1.policy no silent skip: one that is named and not there leaves every setting as strict as it can be until it comes', async () => {
    const { folder, dispose } = temporaryWorkspace({});
    const [fixed, named] = [path.join(folder, 'fixed.json'), path.join(folder, 'named.json')];
    const file = new ManagedFile(managedPlaces(named, fixed), () => undefined, administrators);
    const preset = (): unknown =>
      readSettings({ managed: file.values, user: { 'policy.preset': 'open' }, workspace: {} }).get('policy.preset');
    const said = () => file.problems.map(({ severity, code, subject, message }) => [severity, code, subject, message]);
    const absent = `the managed file \`${named}\` is not there; put it there, or correct \`agentCapabilities.policy.managedFile\``;
    const strictest = `${absent}; until it is mended every setting is as strict as it can be`;
    assert.deepEqual(said(), [['error', 'managed_file', 'policy.managedFile', strictest]]);
    assert.equal(preset(), 'strict');
    writeFileSync(named, '{ "agentCapabilities.policy.preset": "balanced" }');
    assert.deepEqual([file.refresh(), file.problems, preset()], [true, [], 'balanced'], 'it came');
    rmSync(named);
    assert.deepEqual([file.refresh(), preset()], [true, 'balanced'], 'it went');
    const before = `${absent}; what it said before stays in force`;
    assert.deepEqual(said(), [['error', 'managed_file', 'policy.managedFile', before]]);
    writeFileSync(fixed, '{}');
    assert.deepEqual(
      [file.refresh(), file.problems, preset()],
      [true, [], 'open'],
      'the one at the fixed place counts',
    );
    rmSync(fixed);
    assert.deepEqual([file.refresh(), preset()], [true, 'strict'], 'what the other said is not what this one said');
    file.lookIn(managedPlaces('', fixed));
    assert.deepEqual([file.problems, preset()], [[], 'open'], 'none is named');
    file.dispose();
    for (const wrong of [5, null, true, ['/etc/x.json'], {}]) {
      const other = new ManagedFile(managedPlaces(wrong, fixed), () => undefined, administrators);
      assert.equal(other.problems[0]?.said?.code, 'strictest_until_mended', JSON.stringify(wrong));
      assert.notDeepEqual(other.values, {});
      other.dispose();
    }
    const at = ['--workspace', folder, '--set', `policy.managedFile=${JSON.stringify(path.join(folder, 'none.json'))}`];
    for (const command of ['validate', 'doctor']) {
      const { code, text, errors } = await runCli([command, ...at]);
      assert.equal(code, 1, command);
      assert.match(text + errors, /none\.json` is not there/, command);
    }
    const { code } = await runCli(['call', 'calculate', '{"expression":"1+1"}', ...at]);
    assert.equal(code, 1, 'nothing is allowed until it comes');
    dispose();
  });

  it('S1.policy: one that is named and that others can write manages nothing, and leaves every setting as strict as it can be', () => {
    const { folder, dispose } = temporaryWorkspace({ 'named.json': '{ "agentCapabilities.policy.preset": "open" }' });
    const foreign = { ...administrators, lstat: () => ({ ...administrators.lstat(), uid: 1000 }) };
    const places = managedPlaces(path.join(folder, 'named.json'), path.join(folder, 'fixed.json'));
    const { values: managed, problems } = new ManagedFile(places, () => undefined, foreign);
    assert.equal(
      readSettings({ managed, user: { 'policy.preset': 'open' }, workspace: {} }).get('policy.preset'),
      'strict',
    );
    assert.match(problems[0]?.message ?? '', /does not count: .* belongs to user 1000.*as strict as it can be/);
    dispose();
  });

  it('has a fixed place on each operating system', () => {
    assert.deepEqual(
      [managedFilePath('linux'), managedFilePath('darwin'), managedFilePath('win32', () => 'D:\\Data')],
      [
        '/etc/agent-capabilities/managed.json',
        '/Library/Application Support/AgentCapabilities/managed.json',
        'D:\\Data\\AgentCapabilities\\managed.json',
      ],
    );
  });

  it('S1.policy: a managed deny holds against what the user allows', async function () {
    // Only root can write a file that counts as managed.
    if (process.getuid?.() !== 0) return skipBecause(this, 'needs root, who alone can write a managed file');
    const { folder, dispose } = temporaryWorkspace({
      'a.txt': 'text',
      'managed.json': JSON.stringify({
        'agentCapabilities.policy.boundaries': [
          { id: 'company', match: { accessAny: ['fs.read'], path: '**' }, decision: 'deny', reason: 'not here' },
        ],
      }),
    });
    const allow = '[{"id":"mine","match":{"accessAny":["fs.read"],"path":"**"},"decision":"allow","reason":"mine"}]';
    const managed = `policy.managedFile=${JSON.stringify(path.join(folder, 'managed.json'))}`;
    const result = await runCli([
      'call',
      'read_file',
      '{"path":"a.txt"}',
      '--workspace',
      folder,
      '--set',
      managed,
      '--set',
      `policy.boundaries=${allow}`,
    ]);
    assert.deepEqual([result.code, result.json().error.details.boundary], [1, 'company']);
    dispose();
  });
});
