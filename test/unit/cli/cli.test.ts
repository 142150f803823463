import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { withoutSqlite } from '../../../src/node/databases/hasSqlite';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { skipBecause } from '../../support/skip';

describe('the command line', () => {
  it('calls a tool as the agent, prints the result as JSON and ends with 0, 1 or 2', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const good = await runCli(['call', 'add', '{"a":1,"b":2}', '--workspace', folder]);
    assert.deepEqual([good.code, good.json().success, good.json().toolId], [0, true, 'cap:math:add']);
    const bad = await runCli(['call', 'add', '{"a":1}', '--workspace', folder]);
    assert.deepEqual(
      [bad.code, bad.json().error.code, bad.json().error.message],
      [1, 'invalid_input', 'input is not valid: /b is required (got nothing)'],
    );
    const unknown = await runCli(['call', 'ad', '{}', '--workspace', folder]);
    assert.deepEqual([unknown.code, unknown.json().error.code], [1, 'tool_not_found']);
    dispose();
  });

  it('bad arguments are told with what was meant, and help is given for one command too', async () => {
    const unknown = await runCli(['lst']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.errors, /^there is no command `lst`; did you mean `list`\nusage:/);
    for (const help of ['--help', '-h']) {
      assert.equal((await runCli([help])).code, 0);
      const { code, text } = await runCli(['audit', help]);
      assert.equal(code, 0);
      assert.match(text, /^usage: agent-capabilities audit verify/);
    }
    assert.match((await runCli(['--version'])).text, /^\d+\.\d+\.\d+/);
    const { folder, dispose } = temporaryWorkspace({ 'a.txt': 'x' });
    const file = path.join(folder, 'a.txt');
    const state = await runCli(['list', '--workspace', folder, '--state-dir', file]);
    const log = await runCli(['audit', 'verify', file]);
    dispose();
    assert.deepEqual([state.code, log.code], [2, 2]);
    assert.match(state.errors, /^`--state-dir` must name a folder that can be written to/);
    assert.match(log.errors, /^there is no folder/);
  });

  it('S0.permission S2.metadata: list says what an agent cannot call, and shows agents what is theirs', async () => {
    const tool = (name: string, more: object) => ({
      name,
      description: `Does ${name}`,
      handler: { type: 'http', url: 'https://example.com/x' },
      ...more,
    });
    const file = {
      id: 'own',
      name: 'Own',
      description: 'Own tools',
      tools: [tool('scoped', { scopes: ['mail:read'] }), tool('for_people', { agentVisible: false })],
    };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/own.capability.json': JSON.stringify(file),
    });
    const set = 'profiles={"default":{"capabilities":["own"],"scopes":["http:read"]}}';
    const list = async (...more: string[]) =>
      (await runCli(['list', 'own', '--yes', '--workspace', folder, '--set', set, ...more])).text;
    const [people, agents] = [await list(), await list('--as', 'agent')];
    dispose();
    assert.match(people, /\] own_scoped  low · allowed for agents · denied without the scope `mail:read`\n/);
    assert.match(people, /\] own_for_people  low · not offered to agents/);
    assert.match(agents, /\] own_scoped /);
    assert.doesNotMatch(agents, /for_people/);
  });

  it('says what is wrong with how it was called, with exit code 2', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const wrong: [string[], RegExp][] = [
      [[], /usage:/],
      [['cal'], /usage:/],
      [['call', 'add'], /usage: call TOOL JSON/],
      [['call', 'add', '{'], /must be JSON/],
      [['call', 'add', '{}', '--workspace', `${folder}/none`], /must name a folder/],
      [['call', 'add', '{}', '--as', 'robot'], /must be user or agent/],
      [['call', 'add', '{}', '--nonsense'], /is not an option here/],
      [['call', 'add', '{}', '--profile', 'defalt', '--workspace', folder], /did you mean `default`/],
      [['call', 'add', '{}', '--set', 'novalue'], /must be KEY=JSON/],
    ];
    for (const [argv, message] of wrong) {
      const result = await runCli(argv);
      assert.equal(result.code, 2, argv.join(' '));
      assert.match(result.errors, message);
    }
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const refused = await runCli(['hook', 'install', '--agent', 'claude', '--private', `${file}/in`, '--home', folder]);
    assert.deepEqual([refused.code, refused.errors.split('\n').length], [1, 1], refused.errors);
    assert.match(refused.errors, /ENOTDIR.*file/);
    assert.equal((await runCli(['help'])).code, 0);
    dispose();
  });

  it('D.hooks: hook install tells in words how a dry call ended that its hook did not answer', async function () {
    if (process.platform === 'win32') skipBecause(this, 'no dry call is made on Windows');
    const { folder, dispose } = temporaryWorkspace({ 'hook.js': 'process.exit(3);\n', 'workspace/a.txt': '' });
    const install = (home: string, ...more: string[]): ReturnType<typeof runCli> => {
      const at = path.join(folder, home);
      const places = ['--home', at, '--private', `${at}/private`, '--workspace', path.join(folder, 'workspace')];
      return runCli(['hook', 'install', '--agent', 'copilot', ...places, ...more], {
        AGENT_CAPABILITIES_BUNDLES: folder,
      });
    };
    const told = await install('one');
    assert.equal(told.code, 1);
    assert.match(told.text, /^tried: failed after \d+ ms \(exit 3\)$/m);
    const { tried } = (await install('two', '--json')).json();
    assert.deepEqual([tried.outcome, tried.detail], ['failed', 'exit 3']);
    dispose();
  });

  it('S0.db-query: list says that the database cannot work where Node has no SQLite', async () => {
    const { folder, dispose } = temporaryWorkspace({});
    const lacks = withoutSqlite() !== undefined;
    const { text } = await runCli(['list', 'sqlite', '--workspace', folder]);
    assert.equal(/ Database \(not available: SQLite needs Node 22\.5 or newer/.test(text), lacks, text);
    dispose();
  });

  it('lists capabilities and their tools with what the profile has on', async () => {
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/settings.json':
        '{ // comments are fine\n "agentCapabilities.profiles": { "reader": { "capabilities": ["math"] } }, }',
    });
    const listed = (await runCli(['list', '--json', '--workspace', folder, '--profile', 'reader'])).json();
    assert.equal(listed.profile, 'reader');
    const on = listed.capabilities
      .filter((one: { enabled: boolean }) => one.enabled)
      .map((one: { id: string }) => one.id);
    assert.deepEqual(on, ['math']);
    const off = await runCli(['call', 'get_current_time', '{}', '--workspace', folder, '--profile', 'reader']);
    assert.equal(off.json().error.code, 'not_enabled');
    dispose();
  });

  it('reads user settings from --set and lets the workspace only tighten them', async () => {
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/settings.json': JSON.stringify({
        'agentCapabilities.profiles': { narrow: { capabilities: ['math', 'current_time'] } },
      }),
    });
    const user = [
      '--set',
      'agentCapabilities.profiles={"narrow":{"capabilities":["math"]}}',
      '--profile',
      'narrow',
      '--workspace',
      folder,
    ];
    assert.equal((await runCli(['call', 'add', '{"a":1,"b":2}', ...user])).code, 0);
    assert.equal((await runCli(['call', 'get_current_time', '{}', ...user])).json().error.code, 'not_enabled');
    dispose();
  });
});
