import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';

const setting = (value: object): string => `profiles=${JSON.stringify(value)}`;

describe('validate and list on the command line', () => {
  it('S4.validate S3.profiles: look at every profile, not only the active one', async () => {
    const { folder, dispose } = temporaryWorkspace({ '.vscode/settings.json': '{}' });
    const validate = async (profile: object): Promise<string> => {
      const at = [
        'validate',
        '--workspace',
        folder,
        '--set',
        setting({ good: { capabilities: ['math'] }, other: profile }),
      ];
      const { code, text } = await runCli([...at, '--profile', 'good']);
      assert.equal(code, text === 'no problem found' ? 0 : 1);
      return text;
    };
    assert.equal(await validate({ capabilities: ['noop'] }), 'no problem found');
    assert.match(await validate({ capabilities: ['mth'] }), /`other` names `mth`.*did you mean `math`/);
    assert.match(await validate({ capabilities: [{ ref: 'math', tools: { ad: false } }] }), /`other`.*`ad`/);
    assert.match(await validate({ systemPromptFile: 'none.md', capabilities: [] }), /none\.md/);
    const configured = { capabilities: [{ ref: 'capabilities', config: { offer: 'never' } }] };
    assert.match(await validate(configured), /`other` configures `capabilities` .*offer/);
    dispose();
  });

  it('S4.validate: print no control character of a repository, and one line for each problem', async () => {
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/boundaries.json': JSON.stringify([
        { id: 'b\u001b[2J', match: { 'x\u001b[A\nerror: none': 1 } },
      ]),
      '.vscode/settings.json': JSON.stringify({
        'agentCapabilities.profiles': { 'p\u001b[2K\nno problem found': { capabilities: ['no\u001b[1mne'] } },
      }),
    });
    for (const command of ['validate', 'list']) {
      const { text, errors } = await runCli([command, '--workspace', folder]);
      assert.match(`${text}\n${errors}`, /⟨U\+001B⟩/, command);
      assert.doesNotMatch(`${text}\n${errors}`, /\u001b|^(?:error: none|no problem found)/m, command);
    }
    dispose();
  });

  it('S4.validate: looks at every server and policy file', async () => {
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/boundaries.json': '[{"id":"b","matsch":{}}]',
    });
    const servers = 'mcp.servers={"a":{"command":""},"b":{"url":"ftp://x"}}';
    const { text } = await runCli(['validate', '--workspace', folder, '--set', servers]);
    for (const part of [/boundaries\.json:1.*matsch/, /server `a`.*command/, /server `b`.*url/])
      assert.match(text, part);
    dispose();
  });

  it('S4.validate: a definition that waits for its approval is not called unknown as well', async () => {
    const definition = {
      id: 'mine',
      name: 'Mine',
      tools: [{ name: 'ask', description: 'Asks.', handler: { type: 'http', url: 'https://mine.example/' } }],
    };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/mine.capability.json': JSON.stringify(definition),
    });
    const at = ['--workspace', folder, '--set', setting({ p: { capabilities: ['mine'] } }), '--profile', 'p'];
    const { code, text, errors } = await runCli(['validate', ...at]);
    assert.deepEqual([code, text], [0, 'no problem found']);
    assert.match(errors, /`mine` waits for your approval/);
    assert.doesNotMatch((await runCli(['list', ...at])).errors, /not a capability/);
    const other = setting({ p: { capabilities: ['other'] } });
    assert.match((await runCli(['validate', '--workspace', folder, '--set', other])).text, /`other`, which is not/);
    dispose();
  });

  it('S4.validate: says that servers were not started, and with --servers what is wrong with them', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const at = ['validate', '--workspace', folder, '--set', 'mcp.servers={"dead":{"command":"/no/such/program"}}'];
    const quiet = await runCli(at);
    assert.deepEqual([quiet.code, quiet.text], [0, 'no problem found']);
    assert.match(quiet.errors, /MCP servers were not started; `--servers`/);
    const tried = await runCli([...at, '--servers']);
    assert.equal(tried.code, 1);
    assert.match(tried.text, /server `dead`: failed: the program .* was not found.*\[mcp_failed\]/);
    assert.doesNotMatch(tried.errors, /not started/);
    dispose();
  });

  it('S3.profiles: list keeps the order of the profile', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const order = ['web_fetch', 'math', 'current_time', 'noop'];
    const at = ['list', '--json', '--workspace', folder, '--profile', 'p'];
    const listed = (await runCli([...at, '--set', setting({ p: { capabilities: order } })])).json();
    const ids = listed.capabilities.map((one: { id: string }) => one.id);
    assert.deepEqual(ids.slice(0, 4), order);
    assert.ok(ids.length > 10);
    dispose();
  });
});
