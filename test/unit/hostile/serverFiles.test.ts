import { strict as assert } from 'node:assert';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { EntryApprovals } from '../../../src/core/foreign/entryApprovals';
import { approvalLines } from '../../../src/core/foreign/entryWords';
import { parseServers } from '../../../src/core/foreign/serverSpec';
import type { ServerApproval } from '../../../src/core/foreign/serverUser';
import { plainWords } from '../../../src/core/base/translate';
import { findProgram, launchOf } from '../../../src/mcp/client/launch';
import { serverFolder } from '../../../src/mcp/client/serverFolder';
import { memoryStore } from '../../../src/node/memory';
import { nodeCrypto } from '../../../src/node/system';
import { cases } from '../../support/counts';
import { gateway, outcome, scriptedUser, until } from '../../support/mcp/harness';
import { drop, folderWith, put, textOf, workspaceServers } from '../../support/mcp/workspaceServers';

const bound: readonly (readonly [
  title: string,
  entry: { command: string; args?: string[]; cwd?: string },
  file: string,
  others?: Record<string, string>,
])[] = [
  ['a script', { command: 'node', args: ['./server.js'] }, 'server.js'],
  ['a script without an ending', { command: 'node', args: ['./server'] }, 'server.js'],
  ['a script of another kind', { command: 'node', args: ['server'] }, 'server.cjs'],
  ['a folder that is run', { command: 'node', args: ['.'] }, 'index.js'],
  ['what a folder says is run', { command: 'node', args: ['./tool'] }, 'tool/package.json'],
  ['a script in the folder in which it starts', { command: 'node', args: ['run.mjs'], cwd: 'tools' }, 'tools/run.mjs'],
  ['a script by its whole path', { command: 'node', args: ['${workspaceFolder}/a/b.js'] }, 'a/b.js'],
  [
    'a script by its address',
    { command: 'node', args: ['--import', 'file://${workspaceFolder}/hook.mjs', 'x'] },
    'hook.mjs',
  ],
  ['a module that is loaded first', { command: 'node', args: ['--require=./x.cjs', '-e', '0'] }, 'x.cjs'],
  ['a module right behind its option', { command: 'node', args: ['-r./x.cjs', '-e', '0'] }, 'x.cjs'],
  ['what inline code requires', { command: 'node', args: ['-e', "require('./lib/a')"] }, 'lib/a.js'],
  ['a program of the workspace', { command: './run.sh' }, 'run.sh'],
  ['a program by way of another folder', { command: './a/../run.sh' }, 'run.sh', { 'a/x': '' }],
  ['a program of node_modules', { command: './node_modules/.bin/tool' }, 'node_modules/.bin/tool'],
  ['what npx finds here first', { command: 'npx', args: ['-y', 'tool'] }, 'node_modules/.bin/tool'],
  [
    'what npx finds here, with a version',
    { command: 'npx', args: ['-y', '@scope/tool@1.2.3'] },
    'node_modules/.bin/tool',
  ],
  ['how npx is set up', { command: 'npx', args: ['-y', 'tool'] }, '.npmrc'],
  ['what npm runs', { command: 'npm', args: ['run', 'mcp'] }, 'package.json'],
  ['what make does', { command: 'make', args: ['mcp'] }, 'Makefile'],
  ['what just does', { command: 'just', args: ['mcp'] }, 'justfile'],
  ['what uv runs', { command: 'uv', args: ['run', 'mcp'] }, 'pyproject.toml'],
  ['what compose starts', { command: 'docker', args: ['compose', 'up'] }, 'compose.yaml'],
  ['a module of python', { command: 'python3', args: ['-m', 'server.main'] }, 'server/main.py'],
  ['a package of python', { command: 'python3', args: ['-m', 'server'] }, 'server/__main__.py'],
  ['a module with its function', { command: 'uvx', args: ['mcp', 'server:app'] }, 'server.py'],
  ['a script of a shell', { command: 'sh', args: ['start.sh'] }, 'start.sh'],
  ['what a shell’s command starts', { command: 'sh', args: ['-c', 'true && node ./deep/x.js; exit'] }, 'deep/x.js'],
  ['what a shell’s command starts by a variable', { command: 'sh', args: ['-c', 'node "$PWD/x.js"'] }, 'x.js'],
  ['the seventieth word of a command', { command: 'sh', args: ['-c', `${'true; '.repeat(70)}. ./late.sh`] }, 'late.sh'],
  ['an archive', { command: 'java', args: ['-jar', 'build/server.jar'] }, 'build/server.jar'],
  ['a settings file', { command: 'node', args: ['--env-file=.env.mcp', '-e', '0'] }, '.env.mcp'],
  ['a script behind a variable that is empty', { command: 'node', args: ['${env:NOT_SET}server.js'] }, 'server.js'],
  ['a script before a variable that is empty', { command: 'node', args: ['server.js${env:NOT_SET}'] }, 'server.js'],
  ['a script that a variable names', { command: 'node', args: ['${env:NAMES_A_SCRIPT}'] }, 'server.js'],
  ['a script behind a secret', { command: 'node', args: ['${secret:x}/../server.js'] }, 'server.js'],
  ['a script beside an empty secret', { command: 'node', args: ['ser${secret:x}ver.js'] }, 'server.js'],
  [
    'what npx finds here, with a plain version',
    { command: 'npx', args: ['-y', 'tool@1.2.3'] },
    'node_modules/.bin/tool',
  ],
  [
    'what npx finds here, with a range',
    { command: 'npx', args: ['--package=tool@^1', 'tool'] },
    'node_modules/tool/package.json',
  ],
  [
    'what npx finds here, by an option',
    { command: 'npx', args: ['-p', 'other@2', 'tool'] },
    'node_modules/other/package.json',
  ],
  [
    'what npx runs in the Windows shell',
    { command: 'cmd', args: ['/c', 'npx', '-y', 'tool'] },
    'node_modules/.bin/tool',
  ],
  ['how npx is set up, by another program', { command: 'env', args: ['-S', 'npx -y tool'] }, '.npmrc'],
  ['what npm runs, by a shell', { command: 'bash', args: ['-lc', 'cd . && npm start'] }, 'package.json'],
  ['what npm runs, by its path', { command: 'sh', args: ['-c', '"/usr/bin/npm" start'] }, 'package.json'],
  ['what npm runs in another folder', { command: 'npm', args: ['--prefix', 'sub', 'start'] }, 'sub/package.json'],
  [
    'what npm’s folder says',
    { command: 'npm', args: ['-C', 'sub', 'start'] },
    'sub/.npmrc',
    { 'sub/package.json': '{}' },
  ],
  ['what make does in another folder', { command: 'make', args: ['-C', 'sub'] }, 'sub/Makefile', { 'sub/x': '' }],
  [
    'a script of another folder',
    { command: 'sh', args: ['-c', 'cd sub; node server.js'] },
    'sub/server.js',
    { 'sub/x': '' },
  ],
  [
    'what uv runs in another folder',
    { command: 'uv', args: ['--directory=sub', 'run', 'mcp'] },
    'sub/pyproject.toml',
    { 'sub/x': '' },
  ],
  ['what npm finds above', { command: 'npm', args: ['start'], cwd: 'a/b' }, 'package.json', { 'a/b/x': '' }],
  ['what uv finds above', { command: 'uv', args: ['run', 'x'], cwd: 'a/b' }, 'a/pyproject.toml', { 'a/b/x': '' }],
  ['what npx finds above', { command: 'npx', args: ['tool'], cwd: 'a' }, 'node_modules/.bin/tool', { 'a/x': '' }],
  ['what node runs of a package', { command: 'node', args: ['--run', 'mcp'] }, 'package.json'],
  ['a module of python right behind its option', { command: 'python3', args: ['-mserver.main'] }, 'server/main.py'],
  ['a module of python behind several options', { command: 'python3', args: ['-Bum', 'server'] }, 'server.py'],
  ['a module of python within several options', { command: 'python3', args: ['-Bumserver'] }, 'server.py'],
  ['a module of perl', { command: 'perl', args: ['-I.', '-MHook', 'x'] }, 'Hook.pm'],
  ['a nested module of perl', { command: 'perl', args: ['-I.', '-MMy::Hook', 'x'] }, 'My/Hook.pm'],
  ['a class of java', { command: 'java', args: ['-cp', '.', 'org.x.Main'] }, 'org/x/Main.class'],
  ['arguments from a file', { command: 'java', args: ['@args.txt'] }, 'args.txt'],
  ['a script of PowerShell', { command: 'pwsh', args: ['-Command', '& ./start'] }, 'start.ps1'],
  [
    'a file that a container mounts',
    { command: 'docker', args: ['run', '-v', './x.js:/x.js', 'node', '/x.js'] },
    'x.js',
  ],
  [
    'a whole path that a container mounts',
    { command: 'docker', args: ['run', '-v=${workspaceFolder}/x.js:/x.js:ro', 'node'] },
    'x.js',
  ],
  ['what a container is built from', { command: 'docker', args: ['build', '-q', '.'] }, 'Dockerfile'],
  ['a script between quotes of a shell', { command: 'sh', args: ['-c', `node 'ser''ver'.js`] }, 'server.js'],
  ['a script with an escape of a shell', { command: 'sh', args: ['-c', 'node ser\\ver.js'] }, 'server.js'],
  ['what decides how a script is compiled', { command: 'npx', args: ['tsx', 'server.ts'] }, 'tsconfig.json'],
  ['how tools are set up', { command: 'mise', args: ['exec', '--', 'node', 'x'] }, 'mise.toml'],
];

describe('D.approval-binding: bytes that were approved are the bytes that run', () => {
  for (const [title, entry, file, others] of cases(bound, 16))
    it(`D.approval-binding: ${title} (\`${file}\`) that changes, comes or goes is another approval`, async () => {
      const folder = folderWith({ ...others, [file]: '1' });
      try {
        const [spec] = parseServers({ s: entry }, 'workspace').servers;
        if (!spec) return assert.fail();
        const files = { folders: () => [{ name: 'w', path: folder, scheme: 'file' }] } as never;
        const approvals = new EntryApprovals(memoryStore(), nodeCrypto, () => folder);
        const environment = { PATH: process.env['PATH'], NAMES_A_SCRIPT: 'server.js' };
        const launch = () => launchOf({ files, trusted: () => true, crypto: nodeCrypto, environment }, spec);
        const before = await launch();
        assert.ok(
          before.files.some((one) => one.path === file),
          JSON.stringify(before.files),
        );
        const text = approvalLines({ server: 's', entry: { spec, ...before } }, plainWords).join('\n');
        assert.ok(text.includes(file), text);
        await approvals.approve(spec, before.files);
        assert.ok(approvals.find(spec, (await launch()).files), 'unchanged');
        put(folder, file, '2');
        assert.equal(approvals.find(spec, (await launch()).files), undefined, 'changed');
        drop(path.join(folder, file));
        assert.equal(approvals.find(spec, (await launch()).files), undefined, 'gone');
        put(folder, file, '1');
        assert.ok(approvals.find(spec, (await launch()).files), 'as it was');
      } finally {
        drop(folder);
      }
    });

  it('D.approval-binding: a folder that a server only works on may change without a question', async () => {
    const folder = folderWith({
      'package.json': '{}',
      'index.js': '1',
      'docs/index.js': '1',
      Dockerfile: 'FROM x',
      'server.js': '1',
    });
    const files = { folders: () => [{ name: 'w', path: folder, scheme: 'file' }] } as never;
    const entries: readonly (readonly [command: string, ...args: string[]])[] = [
      ['npx', '-y', '@modelcontextprotocol/server-filesystem', '${workspaceFolder}', '${workspaceFolder}/docs'],
      ['uvx', 'mcp-server-git', '--repository', '${workspaceFolder}'],
      ['docker', 'run', '-i', '--rm', '-v', '${workspaceFolder}:/work', 'mcp/filesystem', '/work'],
      ['python3', '-m', 'mcp_server_git', '--repository=.'],
      ['/usr/local/bin/server', '--root', '.'],
    ];
    try {
      for (const [command, ...args] of entries) {
        const [spec] = parseServers({ s: { command, args } }, 'workspace').servers;
        if (!spec) return assert.fail();
        const look = { files, trusted: () => true, crypto: nodeCrypto, environment: { PATH: process.env['PATH'] } };
        assert.deepEqual((await launchOf(look, spec)).files, [], command);
      }
    } finally {
      drop(folder);
    }
  });

  it('D.approval-binding: a link of the workspace is bound by what it leads to', async () => {
    const [folder, outside] = [folderWith(), folderWith({ 'x.js': '1' })];
    try {
      symlinkSync(path.join(outside, 'x.js'), path.join(folder, 'server.js'));
      const [spec] = parseServers({ s: { command: 'node', args: ['server.js'] } }, 'workspace').servers;
      if (!spec) return assert.fail();
      const files = { folders: () => [{ name: 'w', path: folder, scheme: 'file' }] } as never;
      const look = async () =>
        (await launchOf({ files, trusted: () => true, crypto: nodeCrypto, environment: {} }, spec)).files;
      const before = await look();
      put(outside, 'x.js', '2');
      const after = await look();
      assert.deepEqual([before[0]?.path, after[0]?.path], ['server.js', 'server.js']);
      assert.notEqual(before[0]?.hash, after[0]?.hash);
    } finally {
      drop(folder);
      drop(outside);
    }
  });

  it('D.approval-binding: the same files approved in one folder are not approved in another', async () => {
    const approvals = (folder: string, storage = memoryStore()) =>
      new EntryApprovals(storage, nodeCrypto, () => folder);
    const [spec] = parseServers({ s: { command: 'node', args: ['server.js'] } }, 'workspace').servers;
    if (!spec) return assert.fail();
    const storage = memoryStore();
    const files = [{ path: 'server.js', hash: 'x' }];
    await approvals('/a', storage).approve(spec, files);
    assert.ok(approvals('/a', storage).find(spec, files));
    assert.equal(approvals('/b', storage).find(spec, files), undefined);
    assert.equal(approvals('/b', storage).knows(spec), false);
  });

  it('D.approval-binding: what names more files than can be looked at is not approved', async () => {
    const w = workspaceServers({
      workspace: { s: { command: 'sh', args: Array.from({ length: 2000 }, (_, i) => `w${i}`) } },
      answers: { approveServer: async () => true },
    });
    await w.servers.discover();
    assert.deepEqual([w.state(), w.asked.length], ['unapproved', 0]);
    w.servers.dispose();
  });

  it('D.approval-binding: a server whose file changed does not start; the change is asked about, and the no holds', async () => {
    const script = readFileSync(path.resolve('test/support/mcp/scripted.mjs'), 'utf8');
    const beside = folderWith();
    const started = path.join(beside, 'started');
    const asked: ServerApproval[] = [];
    const { user } = scriptedUser({
      approveServer: async (request) => {
        asked.push(request);
        return asked.length === 1;
      },
    });
    const entry = { command: 'node', args: ['./server.mjs', JSON.stringify({ started })], protocol: '2025-11-25' };
    const g = await gateway({
      files: {
        'server.mjs': script,
        '.vscode/settings.json': JSON.stringify({ 'agentCapabilities.mcp.servers': { s: entry } }),
      },
      set: { profiles: { default: { capabilities: ['mcp_s'] } } },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.equal(outcome(await g.call('s_echo', { text: 'on' })), 'on');
      const starts = () => readFileSync(started, 'utf8').trim().split('\n').length;
      const before = starts();
      await g.core.servers.list.stop('s');
      put(g.folder, 'server.mjs', `${script}\n// and more\n`);
      assert.equal(outcome(await g.call('s_echo', { text: 'on' })), 'not_available');
      await until(() => asked.length === 2);
      assert.equal(g.state('s'), 'unapproved');
      assert.match(
        textOf(asked[1] ?? assert.fail()),
        /What changed since you approved it:\n- {3}server\.mjs [0-9a-f]{16}\n\+ {3}server\.mjs [0-9a-f]{16}\n/,
      );
      await g.core.servers.list.discover();
      assert.deepEqual([starts(), asked.length], [before, 2]);
      put(g.folder, 'server.mjs', script);
      await g.core.servers.list.start('s');
      assert.equal(outcome(await g.call('s_echo', { text: 'back' })), 'back', 'the approved bytes run');
    } finally {
      await g.close();
      drop(beside);
    }
  });

  it('S1.policy: a server of the user starts in no folder of an untrusted workspace, whose settings its program would read', () => {
    const files = { folders: () => [{ name: 'w', path: '/repo', scheme: 'file' }] } as never;
    const environment = { HOME: '/home/x', D: 'd' };
    const at = (cwd: string | undefined, isTrusted: boolean) =>
      serverFolder(cwd, { files, environment, trusted: () => isTrusted });
    assert.deepEqual([at(undefined, true), at(undefined, false)], ['/repo', '/home/x']);
    assert.deepEqual([at('a', true), at('a', false)], ['/repo/a', '/home/x/a']);
    assert.deepEqual(
      [at('${userHome}/b', true), at('${env:D}/e', true), at('/abs', false)],
      ['/home/x/b', '/repo/d/e', '/abs'],
    );
  });

  it('D.package: an entry of the workspace finds `npx` on Windows as one of the person does, and not where it starts', async () => {
    const folder = folderWith({
      'npx.cmd': '',
      'bin/server.cmd': '',
      'bin/other': '',
      'bin/other.EXE': '',
      'run.py': '',
    });
    try {
      const there = ['C:\\nodejs\\npx', 'C:\\nodejs\\npx.CMD', 'C:\\nodejs\\npx.ps1', `${folder}/npx.cmd`];
      const find = (command: string) =>
        findProgram(
          command,
          folder,
          { Path: `.;${folder};C:\\nodejs`, PATHEXT: '.COM;.EXE;.BAT;.CMD' },
          { platform: 'win32', exists: (file) => there.includes(file) },
        );
      assert.equal(await find('npx'), 'C:\\nodejs\\npx.CMD');
      assert.equal(await find('uvx'), undefined);
      assert.equal(await find('./bin/server.cmd'), path.join(folder, 'bin/server.cmd'));
      assert.equal(await find('bin/other'), path.join(folder, 'bin/other.EXE'));
      assert.equal(await find('./run.py'), path.join(folder, 'run.py'));
    } finally {
      drop(folder);
    }
  });

  it('D.approval-binding: a program is looked for as the system does, and what is found is what runs', async () => {
    const folder = folderWith({ 'bin/tool.sh': '', 'tool.exe': '', 'sub/tool.sh': '', plain: '' });
    try {
      const find = async (command: string, PATH: string | undefined) => {
        const found = await findProgram(command, folder, { PATH }, { platform: 'linux' });
        return found === undefined ? undefined : path.relative(folder, found);
      };
      assert.equal(await find('tool.sh', `${folder}/sub:${folder}/bin`), 'sub/tool.sh');
      assert.equal(await find('tool.sh', 'bin:sub'), 'bin/tool.sh', 'relative to where it starts');
      assert.equal(await find('./bin/tool.sh', '/nowhere'), 'bin/tool.sh');
      assert.equal(await find('bin/tool.sh', '/nowhere'), 'bin/tool.sh');
      assert.equal(await find('plain', folder), undefined, 'it may not be run');
      chmodSync(path.join(folder, 'plain'), 0o755);
      assert.equal(await find('plain', ''), 'plain', 'an empty place is where it starts');
      assert.equal(await find('plain', undefined), undefined);
    } finally {
      drop(folder);
    }
  });
});
