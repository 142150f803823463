import { plainWords } from '../../../../src/core/base/translate';
// @tier full: starts programs
import { inGerman } from '../../../support/german';
import { tryEntry } from '../../../../src/node/protection/canary';
import { detailText } from '../../../../src/core/audit/recordedSentence';
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { worded } from '../../../../src/core/base/sentence';
import { protectionRows } from '../../../../src/core/present/protectionRows';
import { type Agent, agentOf, agents } from '../../../../src/core/protection/agents';
import { foundEntries } from '../../../../src/core/protection/entries';
import type { LastHookAnswer } from '../../../../src/core/protection/meter';
import { MeterRecord } from '../../../../src/core/protection/meterRecord';
import { entryPath } from '../../../../src/core/protection/plan';
import type { SwitchedOff } from '../../../../src/core/protection/switchOffs';
import { writeHookLauncher } from '../../../../src/node/protection/hookNotes';
import { Protection } from '../../../../src/node/protection/protection';

/** A hook that does what a test says; it denies as ours does where it says nothing else. */
const denies = `process.stdin.resume(); process.stdin.on('end', () => {
  console.log(JSON.stringify({ permissionDecision: 'deny' })); console.error('no'); process.exitCode = 2; });`;

interface Setting {
  readonly root: string;
  readonly home: string;
  readonly folder: string;
  readonly hook: string;
  readonly protection: Protection;
  /** Our command line. */
  readonly cli: string;
  last: LastHookAnswer | undefined;
  isOpen: boolean;
  /** What is switched off by the settings of the window, which is VS Code's. */
  offInWindow: readonly SwitchedOff[];
}

/** What the meters of a setting had recorded since it was looked at. */
const recorded: AuditEvent[] = [];
let record: MeterRecord;

async function protectedAgent(agent: Agent, run: (setting: Setting) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'm-')));
  const [home, folder, privateFolder] = ['home', 'project', 'private'].map((name) => path.join(root, name));
  assert.ok(home && folder && privateFolder);
  for (const one of [home, folder, privateFolder]) mkdirSync(one);
  const hook = path.join(root, 'hook.js');
  writeFileSync(hook, denies);
  const cli = path.join(root, 'dist', 'cli.js');
  put(cli, '#!/usr/bin/env node');
  const setting: Setting = {
    root,
    cli,
    home,
    folder,
    hook,
    last: undefined,
    isOpen: true,
    offInWindow: [],
    protection: new Protection({
      user: { home },
      privateFolder,
      folders: () => [folder],
      program: {
        node: process.execPath,
        isEditor: false,
        hook: writeHookLauncher(privateFolder, hook),
        platform: 'linux',
      },
      searchPath: [path.join(folder, 'bin'), path.join(root, 'bin')].join(':'),
      ownPrograms: [cli],
      lastAnswer: () => setting.last,
      isEditorOpen: () => setting.isOpen,
      knownTools: () => ['Bash', 'Read'],
      ourTools: () => ['cap_read_file'],
      window: 'vscode',
      switchedOffInWindow: () => setting.offInWindow,
      now: () => Date.now(),
    }),
  };
  record = new MeterRecord({ record: (event) => void recorded.push(event) }, { now: () => 5 });
  try {
    const plan = setting.protection.planInstall(agent);
    assert.ok('changes' in plan, JSON.stringify(plan));
    setting.protection.install(agent, plan.changes);
    const green = setting.protection.status(agent);
    record.note(green);
    assert.deepEqual(recorded.splice(0), []);
    assert.deepEqual([green.state, green.isRed, green.faults], ['hooked', false, []]);
    await run(setting);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const named = (id: string): Agent => agentOf(id) ?? assert.fail(id);
const put = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** Red, and for this reason, told with a step that mends it, and recorded as a change. */
function isRed({ protection }: Setting, agent: Agent, why: RegExp): void {
  const meter = protection.status(agent);
  const said = [...meter.faults, ...meter.notes].map((one) => `${worded(one.said)}; ${worded(one.step)}`).join('\n');
  assert.ok(meter.isRed, said);
  assert.match(said, why);
  record.note(meter);
  record.note(meter);
  const [{ type, id, detail } = { type: '', id: '', detail: '' }, ...more] = recorded
    .splice(0)
    .flatMap((event) => (event.type === 'changed' ? event : []));
  assert.deepEqual([type, id, more.length], ['changed', `protection:${agent.id}`, 0], 'recorded once');
  for (const one of [...meter.faults, ...meter.notes])
    assert.ok(detailText(detail).includes(worded(one.said).slice(0, 100)), said);
  const rows = protectionRows({ t: plainWords, meters: [meter], when: String });
  assert.deepEqual([rows[0]?.warns, rows[0]?.description], [true, '1 needs a look']);
  assert.match(rows[0]?.children()[0]?.tooltip() ?? '', /\S/);
}

describe('the meter of other agents', () => {
  for (const agent of agents)
    it(`D.meter: of ${agent.name} turns red where the entry is removed or the program has moved`, async () => {
      await protectedAgent(agent, async (setting) => {
        const { home, protection, hook } = setting;
        assert.equal((await protection.try(agent))?.outcome, 'denied');
        rmSync(hook);
        isRed(setting, agent, /is not there any more/);
        assert.equal((await protection.try(agent))?.outcome, 'failed');
        writeFileSync(hook, denies);
        rmSync(entryPath(agent, { home }));
        isRed(setting, agent, /was removed from `[^`]*`; run “Protect This Agent…”/);
      });
    });

  it('D.meter: turns red for a hook that hangs, crashes, lets pass what is always denied, or could not judge', async () => {
    const agent = named('claude');
    await protectedAgent(agent, async (setting) => {
      const { protection, hook } = setting;
      writeFileSync(hook, 'setTimeout(() => undefined, 3000)');
      assert.equal((await protection.try(agent, 300))?.outcome, 'timeout');
      isRed(setting, agent, /the agent waits for 60000 ms and then runs the call/);
      writeFileSync(hook, 'throw new Error("broken")');
      assert.equal((await protection.try(agent))?.outcome, 'failed');
      isRed(setting, agent, /gave no answer when it was tried/);
      for (const text of ['', 'console.log("{")', 'console.log("allowed no")', 'process.exitCode = 2']) {
        writeFileSync(hook, text);
        assert.equal((await protection.try(agent))?.outcome, 'failed', text);
      }
      for (const [command, words] of Object.entries({
        'exit 3': 'Exit-Code 3',
        'kill -9 $$': 'durch ein Signal beendet',
      })) {
        const { detail } = await tryEntry(agent, command, '/', Date.now);
        assert.equal(typeof detail === 'string' ? detail : worded(detail, inGerman), words);
      }
      writeFileSync(hook, 'console.log("allowed")');
      assert.equal((await protection.try(agent))?.outcome, 'passed');
      isRed(setting, agent, /let a call pass that is always denied/);
      writeFileSync(hook, denies);
      assert.equal((await protection.try(agent))?.outcome, 'denied');
      assert.equal(protection.status(agent).isRed, false);
      const answer = { at: Date.now() + 1000, durationMs: 61_000, by: 'editor' as const, tools: { Bash: 1 } };
      setting.last = answer;
      isRed(setting, agent, /took 61000 ms/);
      setting.last = { ...answer, durationMs: 10, by: 'fault' };
      isRed(setting, agent, /could not judge its last call/);
    });
  });

  it('D.hooks: an entry denies in the words of its agent whatever becomes of our program, and allows by its word', async () => {
    for (const id of ['claude', 'copilot'] as const)
      await protectedAgent(named(id), async ({ protection, hook, home }) => {
        const agent = named(id);
        const command = foundEntries(agent, readFileSync(entryPath(agent, { home }), 'utf8'))[0]?.command ?? '';
        const answer = (program: string | undefined): readonly unknown[] => {
          if (program === undefined) rmSync(hook);
          else writeFileSync(hook, program);
          const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { input: '{}', encoding: 'utf8' });
          if (stdout !== '') assert.equal(JSON.parse(stdout).permissionDecision, 'deny');
          return [status, stdout !== '', stderr.includes('gave no answer')];
        };
        const faults = [
          'process.kill(process.pid, "SIGKILL")',
          'throw 1',
          '',
          'console.log("{")',
          'process.exitCode = 2',
        ];
        for (const fault of id === 'claude' ? [...faults, undefined] : ['throw 1'])
          assert.deepEqual(answer(fault), [2, id === 'copilot', true], String(fault));
        if (id === 'copilot') assert.equal((await protection.try(agent))?.outcome, 'failed');
        assert.deepEqual(answer('console.log("allowed")'), [0, false, false]);
        assert.deepEqual(answer(denies), [2, true, false]);
      });
  });

  it('D.meter: turns red where another hook is asked first, a repository switches hooks off, or the editor is closed', async () => {
    await protectedAgent(named('vscode'), async (setting) => {
      const other = { version: 1, hooks: { PreToolUse: [{ type: 'command', command: 'yes.sh' }] } };
      put(path.join(setting.home, '.copilot/hooks/aaa.json'), JSON.stringify(other));
      isRed(setting, named('vscode'), /asked before ours and can let a call through: `yes\.sh`/);
    });
    const switches: [string, string, string][] = [
      ['claude', '.claude/settings.json', '{ "disableAllHooks": true }'],
      ['claude', '.claude/settings.local.json', '{ "disableAllHooks": true /* no */ }'],
      ['codex', '.codex/config.toml', '[features]\nhooks = false\n'],
      ['gemini', '.gemini/settings.json', '{ "hooksConfig": { "enabled": false } }'],
      ['qwen', '.qwen/settings.json', '{ "disableAllHooks": true }'],
      ['copilot', '.github/copilot/settings.json', '{ "disableAllHooks": true }'],
      ['vscode', '.vscode/settings.json', '{ "chat.useHooks": false }'],
      ['vscode', '.vscode/settings.json', '{ "chat.hookFilesLocations": { "~/.copilot/hooks": false } }'],
    ];
    for (const [id, file, text] of switches)
      await protectedAgent(named(id), async (setting) => {
        put(path.join(setting.folder, file), text);
        isRed(setting, named(id), new RegExp(`in \`[^\`]*${file.replaceAll('.', '\\.')}\` switches hooks off`));
        rmSync(path.join(setting.folder, file));
        setting.isOpen = false;
        isRed(setting, named(id), /no editor is open, so whatever asks is denied; open the folder/);
        assert.equal(setting.protection.status(named(id)).state, 'hooked');
      });
  });

  const narrowed: readonly (readonly [id: string, file: string, from: string, to: string, why?: RegExp])[] = [
    ['claude', '.claude/settings.json', '"*"', '"NoSuchTool"'],
    ['claude', '.claude/settings.json', '"timeout": 60', '"timeout": 60, "async": true'],
    ['claude', '.claude/settings.json', '"timeout": 60', '"timeout": 60, "if": "Bash(nope *)"'],
    ['claude', '.claude/settings.json', '"timeout": 60', '"timeout": 1'],
    ['claude', '.claude/settings.json', '"type": "command"', '"type": "prompt"'],
    ['cursor', '.cursor/hooks.json', 'true', 'false'],
    ['cursor', '.cursor/hooks.json', '"failClosed"', '"matcher": "Nope", "failClosed"'],
    ['copilot', '.copilot/hooks/agent-capabilities.json', '"type"', '"matcher": "nope", "type"'],
    ['copilot', '.copilot/hooks/agent-capabilities.json', '"version": 1', '"version": 1, "disableAllHooks": true'],
    ['opencode', '.config/opencode/plugin/agent-capabilities.js', 'throw new Error(denied)', 'return'],
    ['opencode', '.config/opencode/plugin/agent-capabilities.js', ' = "', ' = "\\q'],
    ['codex', '.codex/config.toml', 'trusted_hash', 'enabled = false\ntrusted_hash', /`hooks\.state` in .* switches/],
  ];
  for (const [id, file, from, to, why = /is not as it was written/] of narrowed)
    it(`D.meter: of ${id} turns red where \`${to.split('\n')[0]}\` keeps the entry from being asked`, async () => {
      await protectedAgent(named(id), async ({ home, protection, ...more }) => {
        const at = path.join(home, file);
        writeFileSync(at, readFileSync(at, 'utf8').replaceAll(from, to));
        isRed({ home, protection, ...more }, named(id), why);
        if (id === 'codex') return;
        const plan = protection.planInstall(named(id));
        assert.ok('changes' in plan);
        protection.install(named(id), plan.changes);
        assert.equal(protection.status(named(id)).isRed, false);
      });
    });

  it('D.meter: of gemini turns red where its command is among those that are not run', async () => {
    const agent = named('gemini');
    await protectedAgent(agent, async (setting) => {
      const at = entryPath(agent, setting);
      const text = readFileSync(at, 'utf8');
      const disabled = foundEntries(agent, text).map(({ command }) => command);
      put(at, JSON.stringify({ ...JSON.parse(text), hooksConfig: { disabled } }));
      isRed(setting, agent, /`hooksConfig\.disabled` in .* switches hooks off/);
    });
  });

  it('D.meter: turns red where the settings of this window switch hooks off, wherever they stand, for its agent alone', async () => {
    const off = { path: 'settings.json', key: 'chat.useHooks', of: 'user' } as const;
    await protectedAgent(named('vscode'), async (setting) => {
      setting.offInWindow = [off];
      isRed(setting, named('vscode'), /^`chat\.useHooks` in `settings\.json` switches hooks off; remove it/);
      put(path.join(setting.folder, '.vscode/settings.json'), '{ "chat.useHooks": false }');
      assert.equal(setting.protection.status(named('vscode')).faults.length, 1, 'told once');
    });
    await protectedAgent(named('claude'), async (setting) => {
      setting.offInWindow = [off];
      assert.equal(setting.protection.status(named('claude')).isRed, false);
    });
  });

  it('D.meter: says of each tool whether it is hooked, when it was answered last, and what nothing hooks', async () => {
    const agent = named('codex');
    await protectedAgent(agent, async (setting) => {
      setting.last = { at: 5, durationMs: 10, by: 'alone', tools: { apply_patch: 4 } };
      const tools = setting.protection.status(agent).tools.map(({ tool, state, lastAt }) => [tool, state, lastAt]);
      assert.deepEqual(tools, [
        ['apply_patch', 'hooked', 4],
        ['Bash', 'hooked', undefined],
        ['Read', 'hooked', undefined],
        ['write_stdin', 'open', undefined],
      ]);
      const file = entryPath(agent, setting);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('timeout -k', 'timeout  -k'));
      isRed(setting, agent, /does not trust the hook/);
      assert.ok(setting.protection.status(agent).tools.every(({ state }) => state === 'open'));
    });
  });

  it('D.meter: turns red with the first call that the hook does not answer, and green with the next that it does', async () => {
    const agent = named('claude');
    await protectedAgent(agent, async (setting) => {
      const { protection, hook } = setting;
      const command = foundEntries(agent, readFileSync(entryPath(agent, setting), 'utf8'))[0]?.command ?? '';
      writeFileSync(hook, 'process.kill(process.pid, "SIGKILL")');
      const call = spawnSync('/bin/sh', ['-c', command], { input: '{}', encoding: 'utf8' });
      assert.equal(call.status, 2, 'the entry denies in its place');
      isRed(setting, agent, /did not answer the last call \(status 137\), which was denied; run “Check Protection”/);
      writeFileSync(hook, denies);
      assert.equal((await protection.try(agent))?.outcome, 'denied');
      assert.equal(protection.status(agent).isRed, false);
    });
  });

  /** What is said to be enforced for an agent with this server in a file of its home or of the folder. */
  async function enforced(id: string, place: 'home' | 'folder', file: string, server: ServerIn): Promise<string> {
    let found = '';
    await protectedAgent(named(id), async (setting) => {
      const told = (): string =>
        setting.protection
          .status(named(id))
          .tools.flatMap(({ tool, state }) => (state === 'enforced' ? tool : []))
          .join();
      assert.equal(told(), '');
      put(path.join(setting[place], file), server(setting));
      found = told();
    });
    return found;
  }
  type ServerIn = (setting: Setting) => string;
  const inJson =
    (server: (setting: Setting) => object, name = 'agent-capabilities'): ServerIn =>
    (setting) =>
      JSON.stringify({ mcpServers: { [name]: server(setting) } });

  it('D.meter: our tools are enforced for an agent whose own settings start our server, and for no other', async () => {
    const byName = inJson(() => ({ command: 'agent-capabilities', args: ['serve', '--workspace', '.'] }), 'gate');
    assert.equal(await enforced('gemini', 'home', '.gemini/settings.json', byName), 'cap_read_file');
    const inToml: ServerIn = () => '[mcp_servers.mine]\ncommand = "agent-capabilities"\nargs = ["serve"]\n';
    assert.equal(await enforced('codex', 'home', '.codex/config.toml', inToml), 'cap_read_file');
    assert.equal(await enforced('codex', 'home', '.codex/config.toml', (at) => inToml(at).replace('serve', 'x')), '');
  });

  it('D.meter: a file that a repository may have brought makes nothing enforced but by our own program', async () => {
    const launcher = ({ root, cli }: Setting): string => {
      const file = path.join(root, 'storage', 'agent-capabilities.cjs');
      put(file, `require(${JSON.stringify(cli)});\n`);
      return file;
    };
    const proven: readonly ((setting: Setting) => object)[] = [
      (setting) => ({ type: 'stdio', command: 'node', args: [launcher(setting), 'serve', '--workspace', '/x'] }),
      ({ cli }) => ({ command: 'node', args: [cli, 'serve'] }),
      ({ cli }) => ({ command: cli, args: ['serve'] }),
      ({ cli, root }) => {
        mkdirSync(path.join(root, 'bin'));
        symlinkSync(cli, path.join(root, 'bin', 'agent-capabilities'));
        return { command: 'agent-capabilities', args: ['serve'] };
      },
    ];
    for (const server of proven)
      assert.equal(await enforced('cursor', 'folder', '.cursor/mcp.json', inJson(server, 'gate')), 'cap_read_file');
    const others: readonly ((setting: Setting) => object)[] = [
      () => ({ command: 'node', args: ['tools/agent-capabilities/dist/cli.js', 'serve'] }),
      () => ({ command: 'agent-capabilities', args: ['serve'] }),
      ({ folder, cli, root }) => {
        put(path.join(folder, 'bin', 'agent-capabilities'), 'evil');
        mkdirSync(path.join(root, 'bin'));
        symlinkSync(cli, path.join(root, 'bin', 'agent-capabilities'));
        return { command: 'agent-capabilities', args: ['serve'] };
      },
      ({ folder, cli }) => {
        const file = path.join(folder, 'agent-capabilities.cjs');
        put(file, `require(${JSON.stringify(cli)});\n`);
        return { command: 'node', args: [file, 'serve'] };
      },
      ({ root, cli }) => {
        const file = path.join(root, 'agent-capabilities.cjs');
        put(file, `evil();\nrequire(${JSON.stringify(cli)});\n`);
        return { command: 'node', args: [file, 'serve'] };
      },
      ({ cli }) => ({ command: 'node', args: ['-r', './evil.js', cli, 'serve'] }),
      ({ cli }) => ({ command: './evil.sh', args: [cli, 'serve'] }),
      ({ cli }) => ({ command: 'node', args: [cli, 'serve'], env: { NODE_OPTIONS: '-r ./evil.js' } }),
      ({ cli }) => ({ command: 'node', args: [cli, 'serve', '--yes'] }),
      ({ cli }) => ({ command: 'node', args: [cli, 'why', 'serve'] }),
      ({ cli }) => ({ command: 'node', args: [cli, 'serve'], disabled: true }),
    ];
    for (const server of others)
      for (const [id, file] of [
        ['claude', '.mcp.json'],
        ['gemini', '.gemini/settings.json'],
      ] as const)
        assert.equal(await enforced(id, 'folder', file, inJson(server)), '', String(server));
  });
});
