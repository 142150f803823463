import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { isOwnFilesId, ownFileBoundaries } from '../../../src/core/policy/rules/ownFiles';
import { NodeFileSystem } from '../../../src/node/nodeFileSystem';
import { ownPlaces } from '../../../src/node/files/ownPlaces';
import { fakeCall } from '../../support/gateCall';
import { openSystem } from '../../support/system';
import { callByCli, temporaryWorkspace } from '../../support/cli';

/**
 * A system whose record lies in the workspace, with a person who says yes to everything and a rule of theirs that
 * allows everything.
 */
async function systemWith(own: string, link?: readonly [from: string, to: string]) {
  let folder = '';
  const places = (): string[] => [path.join(folder, own)];
  const system = await openSystem({
    files: { 'src/a.ts': 'a' },
    approve: true,
    user: { 'policy.boundaries': [{ id: 'all', match: { path: '**' }, decision: 'allow' }], 'policy.preset': 'open' },
    platform: {
      ownPlaces: () =>
        ownPlaces(folder === '' ? [] : [{ name: path.basename(folder), path: folder, scheme: 'file' }], places()),
    },
  });
  folder = system.folder;
  mkdirSync(path.join(folder, own), { recursive: true });
  writeFileSync(path.join(folder, own, 'head.json'), 'the head');
  if (link) symlinkSync(path.join(folder, link[1]), path.join(folder, link[0]));
  system.placesChanged();
  return system;
}

const calls = (own: string): readonly [string, object][] => [
  ['read_file', { path: `${own}/head.json` }],
  ['read_file', { path: `./${own}//head.json` }],
  ['read_file', { path: `src/../${own}/head.json` }],
  ['write_file', { path: `${own}/head.json`, content: 'x' }],
  ['write_file', { path: `${own}/new.json`, content: 'x' }],
  ['edit_file', { path: `${own}/head.json`, edits: [{ old_text: 'the', new_text: 'a' }] }],
  ['delete_file', { path: `${own}/head.json`, to_trash: false }],
  ['delete_file', { path: own, recursive: true, to_trash: false }],
  ['move_file', { source: `${own}/head.json`, destination: 'src/b' }],
  ['move_file', { source: 'src/a.ts', destination: `${own}/head.json`, overwrite: true }],
  ['move_file', { source: own, destination: 'elsewhere' }],
];

describe('S3.file-system D.tightens: what the program keeps for itself is closed to tools', () => {
  for (const own of ['audit', '.agent/audit', '[a] {b,c}*', 'a!(b)', 'Ünï', 'x.', '$1 ^&+'])
    it(`S4.boundaries: a record in \`${own}\` is neither read nor changed nor taken away, with every yes there is`, async () => {
      const system = await systemWith(own);
      for (const [tool, input] of calls(own)) {
        const result = await system.call(tool, input);
        assert.equal(result.success, false, `${tool} ${JSON.stringify(input)}`);
      }
      assert.equal(readFileSync(path.join(system.folder, own, 'head.json'), 'utf8'), 'the head');
      const found = await system.call('grep_files', { pattern: 'the head' });
      assert.ok(!JSON.stringify(found).includes('head.json'), JSON.stringify(found));
      await system.dispose();
    });

  it('S4.boundaries: each of its rules has a name of its own in the list of rules', () => {
    const places = { inside: [], absolute: ['/home/me/state'] };
    const ids = ownFileBoundaries(places, { folders: () => [], labelPrefix: '' }).map(({ id }) => id);
    assert.deepEqual(ids, ['own-files', 'own-files.folders-above']);
    assert.ok(ids.every(isOwnFilesId));
  });

  it('S4.boundaries: the folders above it are neither deleted nor moved', async () => {
    const system = await systemWith('a/b/audit');
    for (const [tool, input] of [
      ['delete_file', { path: 'a', recursive: true, to_trash: false }],
      ['delete_file', { path: 'a/b', recursive: true, to_trash: false }],
      ['move_file', { source: 'a', destination: 'z' }],
      ['move_file', { source: 'a/b', destination: 'z' }],
    ] as const)
      assert.equal((await system.call(tool, input)).success, false, JSON.stringify(input));
    assert.equal(readFileSync(path.join(system.folder, 'a/b/audit/head.json'), 'utf8'), 'the head');
    await system.dispose();
  });

  it('S4.boundaries: a link to it, and a link above it, lead to the same answer', async () => {
    for (const link of [
      ['to-audit', 'a/audit'],
      ['to-a', 'a'],
    ] as const) {
      const system = await systemWith('a/audit', link);
      const there = link[0] === 'to-a' ? 'to-a/audit' : 'to-audit';
      for (const [tool, input] of calls(there).filter(([, given]) => !JSON.stringify(given).includes(`"${there}"`)))
        assert.equal((await system.call(tool, input)).success, false, `${tool} ${JSON.stringify(input)}`);
      assert.equal(readFileSync(path.join(system.folder, 'a/audit/head.json'), 'utf8'), 'the head');
      await system.dispose();
    }
  });

  it('S4.boundaries: it is found where the workspace or the place was named by a link, or is not made yet', () => {
    const { folder, dispose } = temporaryWorkspace({ 'ws/a.ts': 'a' });
    symlinkSync(path.join(folder, 'ws'), path.join(folder, 'link'));
    const of = (root: string, own: string): readonly string[] =>
      ownPlaces([{ name: 'w', path: path.join(folder, root), scheme: 'file' }], [path.join(folder, own)]).inside.map(
        (one) => one.path,
      );
    assert.deepEqual(of('ws', 'ws/not/yet'), ['not/yet']);
    assert.deepEqual(of('link', 'ws/audit'), ['audit']);
    assert.deepEqual(of('ws', 'link/audit'), ['audit']);
    assert.deepEqual(of('ws', 'ws'), ['']);
    assert.deepEqual(of('ws', 'ws-other/audit'), []);
    assert.deepEqual(of('ws', '..audit'), []);
    dispose();
  });

  it('S4.boundaries: tools of others are judged by the same places, as paths of the workspace and of the machine', () => {
    const folder = { name: 'w', path: '/home/u/w', scheme: 'file' };
    const files = new NodeFileSystem({ folders: () => [folder] });
    const places = { inside: [{ folder, path: 'a/audit' }], absolute: ['/home/u/w/a/audit', '/home/u/.state/x'] };
    const policy = new PolicyEngine(ownFileBoundaries(places, files));
    const judge = (effect: string, resource: string): string => {
      const call = fakeCall({ accesses: [{ effect, resource }] });
      return policy.judge(call, call.accesses).effect;
    };
    for (const [effect, resource] of [
      ['fs.read', 'a/audit'],
      ['fs.read', 'a/audit/x'],
      ['fs.read', 'A/AUDIT/x'],
      ['fs.read', 'a/audit. /x'],
      ['fs.write', 'a\\audit\\x'],
      ['fs.read', '/home/u/w/a/audit/x'],
      ['fs.read', '/home/u/.state/x/y'],
      ['fs.read', '/HOME/u/.STATE/X/y'],
      ['fs.delete', 'a'],
      ['fs.delete', '/home/u'],
      ['fs.delete', '/home/u/.state'],
      ['fs.chmod', 'a'],
    ] as const)
      assert.equal(judge(effect, resource), 'deny', `${effect} ${resource}`);
    for (const [effect, resource] of [
      ['fs.read', 'a'],
      ['fs.read', 'a/audits'],
      ['fs.write', 'a/b'],
      ['fs.delete', 'b'],
      ['fs.read', '/home/u/w/a/b'],
    ] as const)
      assert.equal(judge(effect, resource), 'pass', `${effect} ${resource}`);
  });

  it('S4.boundaries: the command line closes its record, its state and its tokens', async () => {
    const { folder, dispose } = temporaryWorkspace({ 'a.ts': 'a', 'state/x': 'x' });
    const at = (name: string): string => path.join(folder, name);
    const call = (tool: string, input: object) =>
      callByCli(folder, tool, input, '--audit-dir', at('log'), '--state-dir', at('state'));
    assert.equal((await call('read_file', { path: 'a.ts' })).code, 0);
    for (const [tool, input] of [
      ['list_directory', { path: 'log' }],
      ['write_file', { path: 'log/x', content: '' }],
      ['delete_file', { path: 'log', recursive: true }],
      ['read_file', { path: 'state/x' }],
    ] as const) {
      const denied = await call(tool, input);
      assert.notEqual(denied.code, 0, tool);
      assert.match(denied.text + denied.errors, /own-files/, tool);
    }
    dispose();
  });
});
