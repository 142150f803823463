import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callByCli, runCli, temporaryWorkspace } from '../../support/cli';
import { openSystem } from '../../support/system';

const isolated = { 'fileSystem.root': 'session' };

describe('S3.file-system: a session root in the composed system', () => {
  it('holds what the profile writes, shows nothing of the workspace, and is another one for another profile', async () => {
    const system = await openSystem({
      files: { 'workspace.txt': 'of the workspace' },
      user: { ...isolated },
      approve: true,
    });
    const ok = async (tool: string, input: object): Promise<Record<string, unknown>> => {
      const result = await system.call(tool, input);
      assert.ok(result.success, JSON.stringify(result));
      return result.payload as Record<string, unknown>;
    };
    const code = async (tool: string, input: object): Promise<string> => {
      const result = await system.call(tool, input);
      return result.success ? 'success' : result.error.code;
    };
    await ok('write_file', { path: '/notes/mine.txt', content: 'of default' });
    assert.deepEqual((await ok('find_files', { pattern: '**' }))['files'], ['/notes/mine.txt']);
    assert.equal(await code('read_file', { path: 'workspace.txt' }), 'not_found');
    assert.equal(await code('read_file', { path: path.join(system.folder, 'workspace.txt') }), 'not_found');
    assert.equal(await code('read_file', { path: '../../workspace.txt' }), 'path_outside');
    assert.equal(system.core.tools.profiles.activate('readOnly'), undefined);
    assert.deepEqual((await ok('find_files', { pattern: '**' }))['files'], []);
    assert.equal(await code('read_file', { path: '/notes/mine.txt' }), 'not_found');
    assert.equal(system.core.tools.profiles.activate('default'), undefined);
    assert.equal((await ok('read_file', { path: '/notes/mine.txt' }))['content'], 'of default');
    assert.deepEqual(readdirSync(system.folder), ['workspace.txt']);
    const touched = system.events.flatMap((event) =>
      'accesses' in event ? event.accesses.map((access) => access.resource) : [],
    );
    assert.ok(touched.includes('session:/notes/mine.txt') && !touched.includes('notes/mine.txt'), touched.join());
    system.dispose();
  });

  it('is opened by either side: the workspace can isolate, and cannot open up what the user isolated', async () => {
    const files = { 'a.txt': 'a' };
    for (const [user, workspace, expected] of [
      [{}, {}, 'success'],
      [{}, isolated, 'not_found'],
      [isolated, { 'fileSystem.root': 'workspace' }, 'not_found'],
    ] as const) {
      const system = await openSystem({ files, user: { ...user }, workspace: { ...workspace } });
      const result = await system.call('read_file', { path: 'a.txt' });
      assert.equal(result.success ? 'success' : result.error.code, expected, JSON.stringify([user, workspace]));
      system.dispose();
    }
  });
});

describe('S3.file-system: a session root on the command line', () => {
  let base = '';
  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('is the command’s own, with --state-dir too: nothing is kept, and nothing of the workspace is seen', async () => {
    const { folder, dispose } = temporaryWorkspace({ 'w.txt': 'workspace' });
    const call = (tool: string, input: object, ...more: string[]): ReturnType<typeof callByCli> =>
      callByCli(folder, tool, input, '--set', 'fileSystem.root=session', ...more);
    const state = path.join(base, 'state');
    for (const more of [[], ['--state-dir', state], ['--state-dir', state, '--profile', 'readOnly']]) {
      assert.equal((await call('write_file', { path: 's.txt', content: 'kept' }, '--state-dir', state)).code, 0);
      for (const name of ['s.txt', 'w.txt'])
        assert.equal((await call('read_file', { path: name }, ...more)).json().error.code, 'not_found');
    }
    assert.equal(existsSync(path.join(state, 'sessions')), false);
    dispose();
  });

  it('removes at its start what a killed command left behind, and leaves no record of its own', async () => {
    const { folder, dispose } = temporaryWorkspace({
      'deep/.aaaaaaaa0123456789ab.agent-capabilities-tmp': 'half',
      'a.txt': 'a',
    });
    const records = path.join(base, 'agent-capabilities-writes');
    mkdirSync(records);
    // No process has this id: it is above what systems give out.
    writeFileSync(
      path.join(records, 'aaaaaaaa.999999999.txt'),
      `${(await import('node:os')).hostname()}\n${JSON.stringify(path.join(folder, 'deep'))}\n`,
    );
    const environment = process.platform === 'win32' ? { LOCALAPPDATA: base } : { XDG_STATE_HOME: base };
    const written = await runCli(
      ['call', 'write_file', '{"path":"a.txt","content":"b"}', '--workspace', folder, '--yes'],
      environment,
    );
    assert.deepEqual([written.code, readdirSync(path.join(folder, 'deep')), existsSync(records)], [0, [], false]);
    dispose();
  });
});
