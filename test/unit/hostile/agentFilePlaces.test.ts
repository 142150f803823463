import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { agentFileText } from '../../../src/core/agent/agentFile';
import { readSettings } from '../../../src/core/settings/readSettings';
import { type AgentFileSituation, planAgentFile } from '../../../src/core/agent/agentFilePlan';
import { agentFileFolder, WorkspaceAgentFile } from '../../../src/core/agent/workspaceAgentFile';
import { heardNames } from '../../support/heardNames';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';
import { skipBecause } from '../../support/skip';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const canary = 'CANARY-3d1b';

describe('the custom agent file against a hostile workspace', () => {
  describe('D.tightens: where the agent goes', () => {
    const base: AgentFileSituation = {
      location: 'user',
      isTrusted: true,
      hasFolder: true,
      isWorkspacePart: false,
      wasWritten: false,
    };
    const locationOf = (text: string): AgentFileSituation['location'] =>
      readSettings({ managed: {}, user: { 'customAgent.location': text }, workspace: {} }).get('customAgent.location');
    const rows: readonly (readonly [string, Partial<AgentFileSituation>, string])[] = [
      ['the user alone: among their own', {}, 'user'],
      ['a part of the workspace: there too', { isWorkspacePart: true }, 'user, workspace passing'],
      [
        'the workspace has no part any more while the chat may have its agent chosen: it stays',
        { wasWritten: true },
        'user, workspace passing',
      ],
      [
        'a part of a workspace that is not trusted: the own parts alone',
        { isWorkspacePart: true, isTrusted: false },
        'user',
      ],
      [
        'one that is not trusted any more: nothing stays in it',
        { isWorkspacePart: true, wasWritten: true, isTrusted: false },
        'user',
      ],
      ['a part of nowhere: the own parts alone', { isWorkspacePart: true, hasFolder: false }, 'user'],
      ['the workspace, where the user wants it there', { location: 'workspace' }, 'workspace lasting'],
      ['not into one that is not trusted', { location: 'workspace', isTrusted: false }, ''],
      ['not without a folder', { location: 'workspace', hasFolder: false }, ''],
      ['off', { location: 'off', wasWritten: true, isWorkspacePart: true }, ''],
      ['a word that nobody knows', { location: locationOf('~/.copilot/agents') }, ''],
    ];
    for (const [what, change, wanted] of rows)
      it(what, () => {
        const plan = planAgentFile({ ...base, ...change });
        const places = [...(plan.user ? ['user'] : []), ...(plan.workspace ? [`workspace ${plan.workspace}`] : [])];
        assert.equal(places.join(', '), wanted);
      });
  });

  describe('D.tightens S3.file-system: writing into the workspace', () => {
    let workspace: TestWorkspace;
    let file: WorkspaceAgentFile;
    const name = 'agent-capabilities.agent.md';
    const text = agentFileText(
      { agent: { name: 'x', systemPrompt: canary }, description: '', tools: [] },
      sha256,
      'passing',
    );
    const lasting = agentFileText({ agent: { name: 'x', systemPrompt: 'before' }, description: '', tools: [] }, sha256);
    const at = (relative: string): string => workspace.at(relative);
    const write = (term: 'passing' | 'lasting' = 'passing') =>
      file.write(workspace.folder(), name, term === 'passing' ? text : lasting, term);
    const everything = (folder: string): string =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => readFileSync(path.join(one.parentPath, one.name), 'utf8'))
        .join('\n');

    beforeEach(() => {
      workspace = makeWorkspace();
      file = new WorkspaceAgentFile(workspace.files, sha256);
    });
    afterEach(() => workspace.dispose());

    const refused: readonly (readonly [string, string, () => void])[] = [
      ['.github is a link out', 'link', () => symlinkSync(workspace.outside, at('.github'))],
      [
        '.github/agents is a link out',
        'link',
        () => (mkdirSync(at('.github')), symlinkSync(workspace.outside, at('.github/agents'))),
      ],
      [
        '.github is a link to another folder of the workspace',
        'link',
        () => (mkdirSync(at('src')), symlinkSync('src', at('.github'))),
      ],
      ['.github is a link to nowhere', 'link', () => symlinkSync(path.join(workspace.outside, 'gone'), at('.github'))],
      [
        'the file is a link out',
        'link',
        () => (
          mkdirSync(at(agentFileFolder), { recursive: true }),
          symlinkSync(path.join(workspace.outside, 'key'), at(`${agentFileFolder}/${name}`))
        ),
      ],
      [
        'the file is a link to another one of the workspace',
        'link',
        () => (
          workspace.put({ '.github/agents/': '', 'a.md': 'mine' }),
          symlinkSync('../../a.md', at(`${agentFileFolder}/${name}`))
        ),
      ],
      [
        'the ignore file is a link out',
        'link',
        () => (
          mkdirSync(at(agentFileFolder), { recursive: true }),
          symlinkSync(path.join(workspace.outside, 'ignore'), at(`${agentFileFolder}/.gitignore`))
        ),
      ],
      ['the folder is a file', 'failed', () => workspace.put({ '.github': 'a file' })],
      ['the file is a folder', 'failed', () => workspace.put({ [`${agentFileFolder}/${name}/`]: '' })],
      [
        "a person's agent of that name",
        'taken',
        () => workspace.put({ [`${agentFileFolder}/${name}`]: '---\nname: mine\n---\nhello' }),
      ],
      [
        'one of ours that somebody committed to stay',
        'taken',
        () => workspace.put({ [`${agentFileFolder}/${name}`]: lasting }),
      ],
      [
        'one of ours that a person changed',
        'taken',
        () => workspace.put({ [`${agentFileFolder}/${name}`]: `${text}more` }),
      ],
      ['a huge file', 'taken', () => workspace.put({ [`${agentFileFolder}/${name}`]: 'x'.repeat(2_000_000) })],
      [
        'an ignore file of their own',
        'ignore_taken',
        () => workspace.put({ [`${agentFileFolder}/.gitignore`]: '!*\n' }),
      ],
    ];
    for (const [what, fault, prepare] of refused)
      it(`writes nothing, and nothing outside, where ${what}`, async () => {
        prepare();
        const before = everything(workspace.base);
        assert.equal(await write(), fault);
        const after = everything(workspace.base);
        assert.ok(!after.includes(canary) || before.includes(canary));
        await file.sweep(workspace.folder());
        assert.equal(everything(workspace.base), before, 'what was there stays');
        assert.deepEqual(readdirSync(workspace.outside), []);
      });

    it('git does not see it, in a repository, a worktree and a subfolder of one, and its own files stay as they were', async () => {
      const git = (...args: string[]): string =>
        execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
          cwd: workspace.root,
          encoding: 'utf8',
        });
      git('init', '-q');
      const exclude = at('.git/info/exclude');
      const before = existsSync(exclude) ? readFileSync(exclude, 'utf8') : '';
      assert.equal(await write(), undefined);
      assert.equal(readFileSync(at(`${agentFileFolder}/${name}`), 'utf8'), text);
      assert.equal(git('status', '--porcelain', '--untracked-files=all'), '');
      assert.equal(existsSync(exclude) ? readFileSync(exclude, 'utf8') : '', before);
      await file.sweep(workspace.folder());
      assert.ok(!existsSync(at('.github')));
    });

    it('touches no `.git`, be it a file that names a folder outside or a link', async () => {
      for (const make of [
        () => writeFileSync(at('.git'), `gitdir: ${workspace.outside}\n`),
        () => symlinkSync(workspace.outside, at('.git')),
      ]) {
        make();
        assert.equal(await write(), undefined);
        assert.deepEqual(readdirSync(workspace.outside), []);
        await file.sweep(workspace.folder());
        assert.ok(lstatSync(at('.git')));
        rmSync(at('.git'));
      }
    });

    it('goes with the window: the file, what kept it out of git, and the folders that were made for it', async () => {
      assert.equal(await write(), undefined);
      await file.sweep(workspace.folder());
      assert.deepEqual(readdirSync(workspace.root), []);
    });

    it('D.follow: what watches the workspace sees each new folder before anything is put into it', async () => {
      const seen: unknown[] = [];
      const watched = new WorkspaceAgentFile(workspace.files, sha256, {
        makeSeen: async (place, make) => {
          await make();
          await new Promise((resolve) => setTimeout(resolve, 5));
          seen.push([place.path, readdirSync(at(place.path))]);
        },
        apart: async () => undefined,
        changing: () => undefined,
        changed: () => undefined,
      });
      for (let times = 0; times < 2; times++) await watched.write(workspace.folder(), name, text, 'passing');
      assert.deepEqual(seen, [
        ['.github', []],
        ['.github/agents', []],
      ]);
    });

    it('D.follow: changes the folder of agents once, and each time after the pause between two changes', async function () {
      if (process.platform !== 'linux')
        return skipBecause(this, 'other systems tell of changes in an order of their own');
      const order: string[] = [];
      const watched = new WorkspaceAgentFile(workspace.files, sha256, {
        makeSeen: async (place, make) => {
          order.push(`make ${place.path}`);
          await make();
        },
        apart: async () => void order.push('apart'),
        changing: () => void order.push('changing'),
        changed: () => void order.push('changed'),
      });
      const put = (again: boolean) => watched.write(workspace.folder(), name, text, 'passing', again);
      await put(false);
      assert.deepEqual(order.splice(0), [
        ...['apart', 'make .github', 'make .github/agents', 'changed', 'apart'],
        ...['changed', 'changing', 'changed'],
      ]);
      await put(false);
      assert.deepEqual(order.splice(0), [], 'nothing is written, so nothing waits');
      assert.deepEqual(await heardNames(at('.github/agents'), () => put(true)), [name]);
      assert.deepEqual(order.splice(0), ['apart', 'changing', 'changed']);
      rmSync(at(`.github/agents/${name}`));
      assert.deepEqual(await heardNames(at('.github/agents'), () => put(false)), [name]);
      assert.deepEqual(order.splice(0), ['apart', 'changing', 'changed']);
      await watched.sweep(workspace.folder());
      assert.deepEqual(order, ['apart', 'changing', 'changed'], 'what is taken away comes apart too');
    });

    it('keeps what a person changes in the pause before it would be taken away', async () => {
      const place = at(`.github/agents/${name}`);
      const watched = new WorkspaceAgentFile(workspace.files, sha256, {
        makeSeen: async (_place, make) => void (await make()),
        apart: async () => {
          if (existsSync(place)) writeFileSync(place, 'mine');
        },
        changing: () => undefined,
        changed: () => undefined,
      });
      assert.equal(await watched.write(workspace.folder(), name, text, 'passing'), undefined);
      await watched.remove(workspace.folder(), name, 'passing');
      assert.equal(readFileSync(place, 'utf8'), 'mine');
    });

    it('takes away what a killed window left in the folder above', async () => {
      workspace.put({ '.github/agents/': '', '.github/.0123456789ab.agent-capabilities-tmp': canary });
      const old = new Date(Date.now() - 3_600_000);
      utimesSync(at('.github/.0123456789ab.agent-capabilities-tmp'), old, old);
      assert.equal(await write(), undefined);
      assert.deepEqual(readdirSync(at('.github')), ['agents']);
    });

    it('D.follow: writes what is there already only where somebody is to read it anew', async () => {
      let writes = 0;
      const files = new Proxy(workspace.files, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key);
          if (key === 'writeFile') writes++;
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      file = new WorkspaceAgentFile(files, sha256);
      await write();
      const first = writes;
      await write();
      assert.equal(writes, first);
      assert.equal(await file.write(workspace.folder(), name, text, 'passing', true), undefined);
      assert.equal(writes, first + 1);
    });

    it("leaves a person's files and folders where they are", async () => {
      workspace.put({ '.github/agents/mine.agent.md': 'mine', '.github/workflows/ci.yml': 'on: push' });
      assert.equal(await write(), undefined);
      await file.sweep(workspace.folder());
      assert.deepEqual(readdirSync(at('.github')).sort(), ['agents', 'workflows']);
      assert.deepEqual(readdirSync(at('.github/agents')), ['mine.agent.md']);
    });

    it('what a crash left goes at the next start, but for the one that is wanted; what is to stay and what a person changed stay', async () => {
      const left = 'agent-capabilities-other.agent.md';
      const stays = {
        'agent-capabilities-team.agent.md': lasting,
        'agent-capabilities-mine.agent.md': `${text}changed`,
        'other.agent.md': text,
      };
      workspace.put(
        Object.fromEntries(
          Object.entries({ ...stays, [left]: text, [name]: text }).map(([one, content]) => [
            `${agentFileFolder}/${one}`,
            content,
          ]),
        ),
      );
      await file.sweep(workspace.folder(), name);
      assert.deepEqual(readdirSync(at(agentFileFolder)).sort(), [...Object.keys(stays), name].sort());
      await file.sweep(workspace.folder());
      assert.deepEqual(readdirSync(at(agentFileFolder)).sort(), Object.keys(stays).sort());
    });

    it('one that is to stay takes the place of one that was to go, and git sees it then', async () => {
      assert.equal(await write('passing'), undefined);
      assert.equal(await write('lasting'), undefined);
      assert.deepEqual(readdirSync(at(agentFileFolder)), [name]);
      assert.equal(readFileSync(at(`${agentFileFolder}/${name}`), 'utf8'), lasting);
      assert.equal(await write('passing'), 'taken');
      await file.remove(workspace.folder(), name, 'passing');
      assert.ok(existsSync(at(`${agentFileFolder}/${name}`)));
    });

    it('a sweep follows no link', async () => {
      mkdirSync(path.join(workspace.outside, 'agents'));
      writeFileSync(path.join(workspace.outside, 'agents', name), text);
      symlinkSync(workspace.outside, at('.github'));
      await file.sweep(workspace.folder());
      assert.deepEqual(readdirSync(path.join(workspace.outside, 'agents')), [name]);
    });

    it('a name that is none of ours is not taken away', async () => {
      workspace.put({ 'a.md': text, [`${agentFileFolder}/x.agent.md`]: text });
      for (const one of ['../../a.md', 'x.agent.md', '/a.md', ''])
        await file.remove(workspace.folder(), one, 'passing');
      assert.ok(existsSync(at('a.md')) && existsSync(at(`${agentFileFolder}/x.agent.md`)));
    });

    it('a folder that cannot be written is told, not thrown', async function () {
      if (process.getuid?.() === 0) return skipBecause(this, 'root may write everywhere');
      mkdirSync(at('.github'));
      chmodSync(at('.github'), 0o500);
      assert.equal(await write(), 'failed');
      chmodSync(at('.github'), 0o700);
    });
  });
});
