import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answerHook } from '../../../src/cli/hook';
import type { HookVerdict } from '../../../src/core/gate/hookCall';
import type { Dialect, HostEvent } from '../../../src/core/hooks/hostEvent';
import { namesIn } from '../../../src/node/folders/quietly';
import { serveHooks } from '../../../src/node/hooks/gateServer';
import { writeHookSettings } from '../../../src/node/hooks/hookSettings';
import { openPrivateFolder } from '../../../src/node/hooks/privateFolder';
import { before as beforeCall, changesPlace, hookCall } from '../../support/hooks';

const rules = (...boundaries: readonly object[]): Readonly<Record<string, string>> => ({
  '.vscode/capabilities/boundaries.json': JSON.stringify({ boundaries }),
});
const noVault = { id: 'no-vault', match: { path: 'vault/**' }, decision: 'deny', reason: 'closed' };
const askDeploy = { id: 'ask-deploy', match: { path: 'deploy/**' }, decision: 'require_approval', reason: 'live' };

describe('a call counts for every workspace that it has to do with', () => {
  let place: ReturnType<typeof changesPlace>;
  let other: string;
  let ends: (() => void)[] = [];
  let asked: HostEvent[] = [];

  const make = (files: Readonly<Record<string, string>> = rules(noVault)): void => {
    place = changesPlace({ 'vault/key.txt': 'K', 'deploy/live.txt': 'x', ...files });
    other = path.join(place.folder, '..', 'other');
    mkdirSync(other);
  };
  const told = async (dialect: Dialect, tool: string, input: unknown, more: object = {}): Promise<string> => {
    const { payload, event } = beforeCall(dialect, tool, input);
    const { stdout } = await place.answer(dialect, { ...payload, cwd: other, ...more }, event);
    return stdout === '' ? 'allow' : /"ask"/.test(stdout) ? 'ask' : stdout;
  };
  async function open(folder: string, judge: (event: HostEvent, isBeside: boolean) => HookVerdict): Promise<void> {
    const gates = path.join(openPrivateFolder(place.privateFolder), 'gates');
    const known = (): number => namesIn(gates).filter((one) => one.endsWith('.json')).length;
    const count = known();
    const server = serveHooks({
      folder: openPrivateFolder(place.privateFolder),
      folders: () => [folder],
      judge: async (event, _signal, isBeside) => (asked.push(event), judge(event, isBeside)),
      onError: () => undefined,
    });
    ends.push(() => server.dispose());
    while (known() === count) await new Promise((resolve) => setImmediate(resolve));
  }

  beforeEach(() => {
    asked = [];
    ends = [];
  });
  afterEach(() => {
    for (const end of ends) end();
    place.dispose();
  });

  it('D.hooks: one that holds a place which the call touches, wherever the agent says that it works', async () => {
    make();
    const key = path.join(place.folder, 'vault', 'key.txt');
    for (const [dialect, tool, input] of [
      ['codex', 'exec_command', { cmd: `cat ${key}` }],
      ['codex', 'exec_command', { cmd: 'cat ../work/vault/key.txt' }],
      ['codex', 'exec_command', { cmd: 'cd ../work && cat vault/key.txt' }],
      ['codex', 'exec_command', { cmd: `echo x > ${key}` }],
      ['claude', 'Read', { file_path: key }],
      ['claude', 'Write', { file_path: path.join(place.folder, 'vault', 'new.txt'), content: 'x' }],
    ] as const)
      assert.match(await told(dialect, tool, input), /closed/, JSON.stringify(input));
    assert.equal(await told('claude', 'Read', { file_path: path.join(place.folder, 'a.txt') }), 'allow');
  });

  it('D.hooks: one that a wildcard leads to, by its own name or by that of a link', async () => {
    make();
    const beside = path.dirname(place.folder);
    symlinkSync(path.join(place.folder, 'vault'), path.join(beside, 'safe'));
    for (let at = 0; at < 150; at++) mkdirSync(path.join(beside, `a${at}`));
    for (const line of [
      'cat ../wor*/vault/key.txt',
      `cat ${beside}/w?rk/v*/k*`,
      'cat ../*/vault/key.txt',
      'cat ../{wor,x}[k]/vault/key.txt',
      'cat ../saf*/key.txt',
      'echo x > ../wor*/vault/key.txt',
    ])
      assert.match(await told('codex', 'exec_command', { cmd: line }), /closed/, line);
    assert.match(await told('claude', 'Glob', { pattern: '../w?rk/vault/key*' }), /closed/);
    assert.equal(await told('codex', 'exec_command', { cmd: 'cat ../wor*/a.txt' }), 'allow');
    await open(place.folder, () => ({ effect: 'deny', reason: 'the editor says no' }));
    assert.match(await told('codex', 'exec_command', { cmd: 'cat ../wor*/a.txt' }), /the editor says no/);
  });

  it('D.hooks: one with settings of its own below the folder that the agent works in', async () => {
    make({
      'inner/.vscode/capabilities/boundaries.json': rules(noVault)['.vscode/capabilities/boundaries.json'] ?? '',
    });
    const cwd = place.folder;
    assert.match(await told('claude', 'Read', { file_path: 'inner/vault/a.txt' }, { cwd }), /closed/);
    assert.equal(await told('claude', 'Read', { file_path: 'inner/a.txt' }, { cwd }), 'allow');
  });

  it('D.hooks: the one in which the session began, the one that its process started in, and open folders', async () => {
    make({ 'vault/deep/key.txt': 'K' });
    // A rule of the user is about each workspace, and a repository within one is a workspace of its own.
    writeHookSettings(openPrivateFolder(place.privateFolder), {
      user: { 'policy.boundaries': [noVault] },
      modes: {},
    });
    const inner = path.join(place.folder, 'vault', 'deep');
    mkdirSync(path.join(inner, '.git'));
    const read = { file_path: 'key.txt' };
    assert.equal(await told('claude', 'Read', read, { cwd: inner, session_id: 'a' }), 'allow');
    assert.equal(await told('claude', 'Read', { file_path: 'a.txt' }, { cwd: place.folder, session_id: 'b' }), 'allow');
    assert.match(await told('claude', 'Read', read, { cwd: inner, session_id: 'b' }), /closed/);
    const started = await answerHook(
      {
        dialect: 'codex',
        event: undefined,
        privateFolder: place.privateFolder,
        limitMs: 9000,
        startedIn: place.folder,
      },
      JSON.stringify({ ...beforeCall('codex', 'exec_command', { cmd: 'cat key.txt' }).payload, cwd: inner }),
      0,
    );
    assert.match(started.stdout, /closed/);
    for (const roots of [
      [inner, place.folder],
      [place.folder, inner],
    ])
      assert.match(
        await told(
          'cursor',
          'Read',
          { file_path: path.join(inner, 'key.txt') },
          { cwd: undefined, workspace_roots: roots },
        ),
        /closed/,
      );
  });

  it('D.hooks: an editor that has one of them open is asked, and its denial counts', async () => {
    make({});
    await open(place.folder, () => ({ effect: 'deny', reason: 'the editor says no' }));
    const inW = { file_path: path.join(place.folder, 'a.txt'), content: 'x' };
    assert.match(await told('claude', 'Write', inW, { session_id: 'never in there' }), /the editor says no/);
    await told('claude', 'Read', { file_path: 'x' }, { cwd: place.folder });
    const before = asked.length;
    assert.match(await told('claude', 'Bash', { command: 'ls' }), /the editor says no/);
    assert.equal(asked.length, before + 1);
    assert.equal(asked.at(-1)?.cwd, other);
  });

  it('D.hooks: an editor of a folder that the session was in earlier is asked for a denial alone, and once', async () => {
    make();
    await told('claude', 'Read', { file_path: 'x' }, { cwd: place.folder });
    const besides: boolean[] = [];
    await open(place.folder, (_event, isBeside) => {
      besides.push(isBeside);
      return { effect: isBeside ? 'allow' : 'ask', reason: 'asked and recorded here' };
    });
    assert.equal(await told('claude', 'Bash', { command: 'ls' }), 'allow', 'nobody has the other folder open');
    await open(other, () => ({ effect: 'allow', reason: '' }));
    assert.equal(await told('claude', 'Bash', { command: 'ls' }), 'allow');
    assert.deepEqual([besides, asked.length], [[true, true], 3]);
    assert.match(await told('claude', 'Bash', { command: `cat ${place.at('vault/key.txt')}` }), /closed/);
  });

  it('D.hooks: an editor of a folder around counts where the session was in it, whoever has the inner one open', async () => {
    make();
    const inner = place.at('sub');
    mkdirSync(inner);
    await told('claude', 'Read', { file_path: 'x' }, { cwd: place.folder });
    await open(place.folder, () => ({ effect: 'deny', reason: 'closed by the outer one' }));
    await open(inner, () => ({ effect: 'allow', reason: '' }));
    assert.match(await told('claude', 'Bash', { command: 'ls' }, { cwd: inner }), /closed by the outer one/);
  });

  it('D.hooks: where the editor of an inner folder does not answer, that of the folder around is asked', async () => {
    make();
    const inner = place.at('sub');
    mkdirSync(inner);
    await told('claude', 'Read', { file_path: 'x' }, { cwd: inner });
    await open(place.folder, () => ({ effect: 'deny', reason: 'closed by the outer one' }));
    await open(inner, () => ({ effect: 'allow', reason: '' }));
    const gates = path.join(openPrivateFolder(place.privateFolder), 'gates');
    for (const name of namesIn(gates).filter((one) => one.endsWith('.json'))) {
      const notice: object = JSON.parse(readFileSync(path.join(gates, name), 'utf8'));
      if (!('folders' in notice) || !JSON.stringify(notice.folders).includes('sub')) continue;
      writeFileSync(path.join(gates, name), JSON.stringify({ ...notice, socket: path.join(gates, 'gone.sock') }));
    }
    assert.match(await told('claude', 'Bash', { command: 'ls' }), /closed by the outer one/);
  });

  it('D.hooks: what an editor of another folder allows is still denied by the workspace whose file it is', async () => {
    make(rules(noVault, askDeploy));
    const at = (name: string): object => ({ command: `cat ${path.join(place.folder, name)}` });
    await open(other, ({ input }) => ({
      effect: 'allow',
      reason: '',
      elsewhere: [String((input as { command: string }).command).slice(4)],
    }));
    assert.match(await told('claude', 'Bash', at('vault/key.txt')), /closed/);
    assert.equal(await told('claude', 'Bash', at('deploy/live.txt')), 'ask');
    assert.equal(await told('claude', 'Bash', at('a.txt')), 'allow');
    assert.equal(asked.length, 3);
  });

  it('D.hooks: plan mode of one holds for its files, and for its session in other folders', async () => {
    make({});
    writeHookSettings(openPrivateFolder(place.privateFolder), { user: {}, modes: { [place.folder]: 'plan' } });
    const isPlan = /plan mode/;
    const write = { file_path: path.join(place.folder, 'a.txt'), content: 'x' };
    assert.match(await told('codex', 'exec_command', { cmd: `echo x > ${write.file_path}` }), isPlan);
    assert.match(await told('claude', 'Write', write, { session_id: 'one' }), isPlan);
    assert.equal(await told('claude', 'Write', { file_path: 'n.txt', content: 'x' }, { session_id: 'two' }), 'allow');
    assert.equal(
      await told('claude', 'Read', { file_path: 'a.txt' }, { cwd: place.folder, session_id: 'two' }),
      'allow',
    );
    assert.match(await told('claude', 'Write', { file_path: 'n.txt', content: 'x' }, { session_id: 'two' }), isPlan);
  });

  for (const how of ['alone', 'with an editor of another folder'] as const)
    it(`D.undo: ${how}: what is changed is kept in the workspace that holds the file`, async () => {
      make();
      const file = place.at('a.txt');
      if (how !== 'alone') await open(other, () => ({ effect: 'allow', reason: '', elsewhere: [file] }));
      const { pre, post } = hookCall('Write', { file_path: file, content: 'changed' }, 'w1');
      const own = { cwd: other, session_id: `kept ${how}` };
      assert.equal((await place.answer('claude', { ...pre, ...own })).stdout, '');
      writeFileSync(file, 'changed');
      await place.answer('claude', { ...post, ...own });
      assert.deepEqual(await place.rows(), ['write a.txt: as_left']);
      await place.changes('undo', '--all');
      assert.equal(readFileSync(file, 'utf8'), 'alpha');
    });
});
