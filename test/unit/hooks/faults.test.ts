import { strict as assert } from 'node:assert';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readHookOptions } from '../../../src/cli/hook';
import { hostAgents } from '../../../src/core/hooks/hostEvent';
import { readPayload } from '../../../src/core/hooks/readPayload';
import { editorPrivateFolder, privateFolderPath } from '../../../src/node/hooks/privateFolder';
import { runs } from '../../support/counts';
import { before as beforeCall, hookPlace, type HookPlace } from '../../support/hooks';
import { itWithShared } from '../../support/shared';

const isDenied = (stdout: string): boolean => /"(?:deny|permission":"deny)"/.test(stdout) && !/"allow"/.test(stdout);

describe('hooks of other agents when something is wrong', () => {
  let place: HookPlace;
  beforeEach(() => (place = hookPlace()));
  afterEach(() => place.dispose());

  for (const agent of hostAgents) {
    it(`D.hooks: ${agent} is denied for what cannot be read, in its own words`, async () => {
      const { event } = beforeCall(agent, 'Bash', {});
      for (const text of [
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '{"a":',
        '\u0000',
        '{}'.repeat(3),
        '{"hook_event_name":"PreToolUse"}',
      ]) {
        const { stdout, stderr } = await place.answer(agent, text, event);
        assert.ok(isDenied(stdout), `${JSON.stringify(text)}: ${stdout}`);
        assert.match(stderr, /could not judge/);
      }
    });

    it(`D.hooks: ${agent} is denied where settings, folder or rules are broken`, async () => {
      const { payload, event } = beforeCall(agent, agent === 'claude' ? 'Read' : 'apply_patch', { file_path: 'a.txt' });
      await place.answer(agent, payload, event);
      writeFileSync(path.join(place.privateFolder, 'settings.json'), '{"user":', { mode: 0o600 });
      assert.ok(isDenied((await place.answer(agent, payload, event)).stdout));
    });
  }

  it('D.hooks: settings that others could have written are not believed', async () => {
    const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
    assert.equal((await place.answer('claude', payload)).stdout, '');
    const file = path.join(place.privateFolder, 'settings.json');
    writeFileSync(file, '{"version":1,"user":{}}');
    chmodSync(file, 0o666);
    assert.ok(isDenied((await place.answer('claude', payload)).stdout));
  });

  it('D.hooks: a private folder that is a link is not believed', async () => {
    const elsewhere = path.join(place.folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, place.privateFolder);
    const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
    assert.ok(isDenied((await place.answer('claude', payload)).stdout));
  });

  it('D.hooks: a private folder that others could write into is not believed', async () => {
    const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
    assert.equal((await place.answer('claude', payload)).stdout, '');
    chmodSync(place.privateFolder, 0o777);
    assert.ok(isDenied((await place.answer('claude', payload)).stdout));
    chmodSync(place.privateFolder, 0o755);
    assert.equal((await place.answer('claude', payload)).stdout, '');
    assert.equal(statSync(place.privateFolder).mode & 0o777, 0o700);
  });

  for (const [name, mark] of [
    ['a repository', 'inner/.git/HEAD'],
    ['settings of its own', 'inner/.vscode/settings.json'],
  ] as const)
    it(`D.hooks: ${name} within a workspace does not lift the rules of that one`, async () => {
      const rule = { id: 'keys', match: { path: 'inner/keys/**' }, decision: 'deny', reason: 'no' };
      const own = hookPlace({
        '.vscode/capabilities/boundaries.json': JSON.stringify({ boundaries: [rule] }),
        [mark]: '{}',
        'inner/keys/a.txt': 'x',
        'inner/b.txt': 'y',
      });
      try {
        const told = async (file: string, cwd: string): Promise<string> =>
          (
            await own.answer('claude', {
              ...beforeCall('claude', 'Read', { file_path: file }).payload,
              cwd: path.join(own.folder, cwd),
            })
          ).stdout;
        symlinkSync(path.join(own.folder, 'inner'), path.join(own.privateFolder, '..', 'link'));
        assert.match(await told('inner/keys/a.txt', '.'), /keys/);
        assert.match(await told('keys/a.txt', 'inner'), /keys/);
        assert.match(await told('a.txt', 'inner/keys'), /keys/);
        assert.match(await told('keys/a.txt', '../link'), /keys/);
        assert.equal(await told('b.txt', 'inner'), '');
      } finally {
        own.dispose();
      }
    });

  it('D.hooks: plan mode holds in every folder of the workspace, also by a link', async () => {
    const own = hookPlace({ 'inner/.git/HEAD': 'x' });
    try {
      const told = async (cwd: string): Promise<string> =>
        (
          await own.answer('claude', {
            ...beforeCall('claude', 'Write', { file_path: 'n.txt', content: 'x' }).payload,
            cwd: path.join(own.folder, cwd),
          })
        ).stdout;
      assert.equal(await told('inner'), '');
      const settings = { version: 1, user: {}, modes: { [own.folder]: 'plan' } };
      writeFileSync(path.join(own.privateFolder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
      symlinkSync(own.folder, path.join(own.privateFolder, '..', 'link'));
      for (const cwd of ['.', 'inner', '../link', '../link/inner']) assert.ok(isDenied(await told(cwd)), cwd);
    } finally {
      own.dispose();
    }
  });

  it('D.hooks: an agent that does not say where it works is judged where its hook starts', async () => {
    const before = process.cwd();
    const rule = { id: 'keys', match: { path: 'inner/keys/**' }, decision: 'deny', reason: 'no' };
    const own = hookPlace({
      '.vscode/capabilities/boundaries.json': JSON.stringify({ boundaries: [rule] }),
      'inner/keys/a.txt': 'x',
    });
    try {
      process.chdir(path.join(own.folder, 'inner'));
      const { payload } = beforeCall('claude', 'Read', { file_path: 'keys/a.txt' });
      assert.match((await own.answer('claude', JSON.stringify(payload))).stdout, /keys/);
    } finally {
      process.chdir(before);
      own.dispose();
    }
  });

  it('D.hooks: rules that cannot be read ask, and nobody is there to answer', async () => {
    const own = hookPlace({ '.vscode/capabilities/boundaries.json': '{"boundaries": [' });
    try {
      const { payload } = beforeCall('codex', 'Bash', { command: 'ls' });
      const file = path.join(own.folder, '.vscode/capabilities/boundaries.json');
      const elsewhere = path.join(own.folder, '..', 'elsewhere');
      mkdirSync(elsewhere);
      const { payload: reading } = beforeCall('codex', 'exec_command', { cmd: `cat ${own.folder}/a.txt` });
      for (const told of [
        await own.answer('codex', payload),
        await own.answer('codex', { ...reading, cwd: elsewhere }),
      ]) {
        assert.ok(isDenied(told.stdout));
        assert.ok(told.stdout.includes(file), told.stdout);
      }
    } finally {
      own.dispose();
    }
  });

  it('D.hooks: a limit that cannot be counted denies with the reason and what to do', async () => {
    const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
    const { folder, privateFolder } = place;
    mkdirSync(path.join(privateFolder, 'limits', 'state.json', 'x'), { recursive: true, mode: 0o700 });
    chmodSync(privateFolder, 0o700);
    const { stdout } = await place.answer('claude', payload);
    assert.ok(isDenied(stdout), folder);
    assert.match(stdout, /cannot be counted \(.*state\.json.*\); see that the disk has room/);
  });

  it('D.hooks: a folder that is not there is a denial', async () => {
    const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
    const { stdout } = await place.answer('claude', { ...payload, cwd: path.join(place.folder, 'gone') });
    assert.ok(isDenied(stdout));
  });

  it('D.hooks: what is no question gets no answer, whatever is wrong with it', async () => {
    for (const event of ['Stop', 'SessionStart', 'PostToolUse', 'UserPromptSubmit']) {
      const answer = await place.answer('claude', '{', event);
      assert.deepEqual(answer, { stdout: '', stderr: '', exitCode: 0 });
    }
  });

  it('D.hooks: what a hook answered last can be read, with prompts and sessions', async () => {
    await place.answer('claude', { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt: 'do it' });
    const { payload } = beforeCall('claude', 'Read', { file_path: '.agent-capabilities-canary' });
    await place.answer('claude', { ...payload, session_id: 's1' });
    const kept = JSON.parse(readFileSync(path.join(place.privateFolder, 'agents', 'claude.json'), 'utf8'));
    assert.equal(kept.effect, 'deny');
    assert.equal(kept.isCanary, true);
    assert.equal(kept.toolId, 'host:claude:Read');
    assert.equal(kept.sessions.s1.prompts[0].text, 'do it');
    assert.equal(kept.sessions.s1.calls, 1);
    assert.ok(kept.tools.Read > 0);
  });

  it('D.hooks: what is decided alone is kept for the record, without its arguments', async () => {
    const { payload } = beforeCall('claude', 'Bash', { command: 'ls', secret: 'hunter2' });
    await place.answer('claude', payload);
    await place.answer('claude', { ...payload, hook_event_name: 'PostToolUse', tool_response: { stdout: 'x' } });
    const file = path.join(place.privateFolder, 'records', 'calls.jsonl');
    const lines = readFileSync(file, 'utf8').match(/.+/g) ?? [];
    const [alone, ...events] = lines.map((line) => JSON.parse(line) as { type: string; invocationId: string });
    assert.equal(alone?.type, 'changed', 'no editor answers');
    assert.deepEqual(
      events.map(({ type }) => type),
      ['invocation.started', 'invocation.finished'],
    );
    assert.equal(events[0]?.invocationId, events[1]?.invocationId);
    assert.ok(!lines.join('').includes('hunter2'));
  });

  it('D.hooks: the private folder is closed to the tools of agents', async () => {
    const { payload } = beforeCall('claude', 'Bash', { command: `cat ${place.privateFolder}/settings.json` });
    await place.answer('claude', beforeCall('claude', 'Read', { file_path: 'a.txt' }).payload);
    assert.ok(existsSync(place.privateFolder));
    assert.ok(isDenied((await place.answer('claude', payload)).stdout));
  });

  it('D.hooks: whatever JSON arrives before a call, the answer is silence or a denial that the agent reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...hostAgents),
        fc.json({ maxDepth: 3 }),
        fc.string(),
        async (agent, input, tool) => {
          const { payload, event } = beforeCall(agent, tool, JSON.parse(input));
          const { stdout, stderr, exitCode } = await place.answer(agent, payload, event);
          if (stdout === '') assert.deepEqual([stderr, exitCode], ['', 0]);
          else {
            assert.equal(typeof JSON.parse(stdout), 'object');
            assert.ok(/deny|ask/.test(stdout));
          }
        },
      ),
      { numRuns: runs(10, 150, 1000) },
    );
  });

  it('D.hooks: a variable of the environment leads editors to another folder, and no hook', () => {
    const variable = 'AGENT_CAPABILITIES_PRIVATE_FOLDER';
    const before = process.env[variable];
    process.env[variable] = path.join(place.folder, 'chosen');
    try {
      assert.equal(privateFolderPath(), path.join(userInfo().homedir, '.agent-capabilities'));
      assert.equal(editorPrivateFolder(process.env), path.join(place.folder, 'chosen'));
      assert.equal(editorPrivateFolder({ [variable]: '' }), privateFolderPath());
    } finally {
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  });

  it('D.hooks: options that are not known are refused', () => {
    for (const args of [
      [],
      ['--dialect', 'x'],
      ['--dialect', 'claude', '--yes', '1'],
      ['--dialect'],
      ['--dialect', 'claude', '--limit', '1s'],
    ])
      assert.throws(() => readHookOptions(args), args.join(' '));
    assert.equal(readHookOptions(['--dialect', 'codex']).limitMs, 2500);
  });
});

describe('recorded payloads of the real agents', () => {
  it('D.hooks: what Cursor wrote is the end of a change, by its agent and as a completion alike', () => {
    for (const event of ['afterFileEdit', 'afterTabFileEdit']) {
      const payload = { hook_event_name: event, conversation_id: 'c', workspace_roots: ['/w'], file_path: '/w/a.ts' };
      const { kind, tool, input } = readPayload(JSON.stringify(payload), 'cursor', event);
      assert.deepEqual([kind, tool, input], ['after', 'Write', { file_path: '/w/a.ts' }], event);
    }
  });

  for (const agent of ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'copilot-pascal', 'vscode'] as const)
    itWithShared(`vectors/hooks/${agent}.jsonl`, `D.hooks: every event of ${agent} is read as what it is`, (file) => {
      const dialect = agent === 'copilot-pascal' ? 'copilot' : agent;
      for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
        const { event, tool, payload } = JSON.parse(line) as { event: string; tool: string; payload: object };
        const named = event
          .replace(/^(?:user|repo)-\w+:pre$/, 'preToolUse')
          .replace(/^(?:user|repo)-\w+:post$/, 'postToolUse');
        const read = readPayload(JSON.stringify(payload), dialect, named);
        assert.equal(read.agent, agent === 'vscode' ? 'vscode' : dialect, line);
        assert.equal(read.tool, tool, line);
        const kind = /^(?:preToolUse|BeforeTool)$/i.test(named)
          ? 'before'
          : /^(?:postToolUse(?:Failure)?|AfterTool)$/i.test(named)
            ? 'after'
            : /^(?:userPromptSubmit(?:ted)?|BeforeAgent)$/i.test(named)
              ? 'prompt'
              : 'note';
        assert.equal(read.kind, kind, line);
        assert.equal(read.cwd, '/home/dev/project');
        assert.ok(read.session !== undefined, line);
      }
    });
});
