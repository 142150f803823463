import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { placeOf } from '../../../src/core/vocabulary/agentPlaces';
import { homeOf, userFolders } from '../../../src/node/folders/userFolders';
import { runCli, temporaryWorkspace } from '../../support/cli';

/** What a shell says of its user's home, in a folder that is gone after the test. */
async function inHome(run: (home: string, shell: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const made = temporaryWorkspace();
  const home = realpathSync(made.folder);
  try {
    await run(home, { HOME: home, USERPROFILE: home, AGENT_CAPABILITIES_BUNDLES: path.join(home, 'dist') });
  } finally {
    made.dispose();
  }
}

/** The files that an installation would change; nothing is written. */
async function filesOf(agent: string, shell: NodeJS.ProcessEnv, ...more: readonly string[]): Promise<string[]> {
  const told = await runCli(['hook', 'install', '--agent', agent, '--dry-run', '--json', ...more], shell);
  assert.equal(told.code, 0, told.errors);
  return told.json().files;
}

describe('the home folder of a hook that is installed from a shell', () => {
  it('is the one that the shell names, as for the agent itself', () =>
    inHome(async (home, shell) => {
      assert.deepEqual(await filesOf('claude', shell), [`${home}/.claude/settings.json`]);
      assert.deepEqual(await filesOf('codex', shell), [`${home}/.codex/hooks.json`, `${home}/.codex/config.toml`]);
      assert.equal(homeOf({ ...shell, HOME: '', USERPROFILE: '' }), userInfo().homedir);
    }));

  it('is left for the folder that an agent’s own variable names', () =>
    inHome(async (home, shell) => {
      const moved: readonly [string, string, string][] = [
        ['claude', 'CLAUDE_CONFIG_DIR', 'settings.json'],
        ['codex', 'CODEX_HOME', 'hooks.json'],
        ['copilot', 'COPILOT_HOME', 'hooks/agent-capabilities.json'],
        ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
        ['qwen', 'QWEN_HOME', 'settings.json'],
        ['opencode', 'XDG_CONFIG_HOME', 'opencode/plugin/agent-capabilities.js'],
      ];
      for (const [agent, variable, file] of moved) {
        const named = { ...shell, [variable]: `${home}/moved` };
        assert.equal((await filesOf(agent, named))[0], `${home}/moved/${file}`, agent);
        assert.equal((await filesOf(agent, named, '--home', home))[0]?.startsWith(`${home}/.`), true, agent);
      }
      const user = userFolders({ ...shell, CLAUDE_CONFIG_DIR: `${home}/moved` });
      assert.equal(placeOf('claude', user, '.claude.json'), `${home}/moved/.claude.json`);
      assert.equal(placeOf('claude', user, '.claude'), `${home}/moved`);
      assert.equal(placeOf('vscode', user, '.vscode'), `${home}/.vscode`);
    }));

  it('is no less left where an agent’s variable names the home folder itself', () =>
    inHome(async (home, shell) => {
      const moved: readonly [string, string, string][] = [
        ['claude', 'CLAUDE_CONFIG_DIR', 'settings.json'],
        ['codex', 'CODEX_HOME', 'hooks.json'],
        ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
        ['qwen', 'QWEN_HOME', 'settings.json'],
        ['opencode', 'XDG_CONFIG_HOME', 'opencode/plugin/agent-capabilities.js'],
      ];
      for (const [agent, variable, file] of moved)
        assert.equal((await filesOf(agent, { ...shell, [variable]: home }))[0], `${home}/${file}`, agent);
    }));

  it('is said to be read by VS Code and Copilot CLI only where both read the same file', () =>
    inHome(async (home, shell) => {
      for (const agent of ['vscode', 'copilot'])
        for (const [isMoved, environment] of [
          [false, shell],
          [true, { ...shell, COPILOT_HOME: `${home}/moved` }],
        ] as const) {
          const { text } = await runCli(['hook', 'install', '--agent', agent, '--dry-run'], environment);
          assert.equal(/read the same file/.test(text), !isMoved, `${agent}, ${isMoved}`);
        }
    }));

  it('is not asked where our own files are: another home has the same editors and the same rules', () =>
    inHome(async (_home, shell) => {
      const told = await runCli(['hook', 'install', '--agent', 'claude', '--dry-run'], shell);
      assert.ok(told.text.includes(path.join(userInfo().homedir, '.agent-capabilities', 'hook.cjs')), told.text);
      assert.ok(!told.text.includes('--private'), told.text);
    }));

  it('has a hook of its own, which is taken out without that of another home', () =>
    inHome(async (home, shell) => {
      const elsewhere = { ...shell, CLAUDE_CONFIG_DIR: path.join(home, 'link') };
      mkdirSync(path.join(home, 'real'));
      symlinkSync('real', path.join(home, 'link'));
      const run = (action: string, environment: NodeJS.ProcessEnv): ReturnType<typeof runCli> =>
        runCli(['hook', action, '--agent', 'claude', '--private', path.join(home, 'private')], environment);
      const there = path.join(home, 'real', 'settings.json');
      await run('install', shell);
      await run('install', elsewhere);
      assert.match(readFileSync(there, 'utf8'), /--private/);
      assert.match((await run('uninstall', elsewhere)).text, /removed/);
      assert.ok(!existsSync(there));
      assert.match(readFileSync(`${home}/.claude/settings.json`, 'utf8'), /--private/);
      assert.match((await run('uninstall', shell)).text, /removed/);
      assert.ok(!existsSync(`${home}/.claude`));
    }));

  it('keeps the hook in one place where a folder that is named below a link is made only by the installation', () =>
    inHome(async (home, shell) => {
      mkdirSync(path.join(home, 'real'));
      symlinkSync('real', path.join(home, 'link'));
      const environment = { ...shell, CODEX_HOME: path.join(home, 'link', 'new', 'deep') };
      const run = (action: string): ReturnType<typeof runCli> =>
        runCli(['hook', action, '--agent', 'codex', '--private', path.join(home, 'private')], environment);
      const folder = path.join(home, 'real', 'new');
      await run('install');
      assert.ok(existsSync(path.join(folder, 'deep', 'hooks.json')));
      assert.match((await run('uninstall')).text, /removed/);
      assert.ok(!existsSync(folder));
    }));
});
