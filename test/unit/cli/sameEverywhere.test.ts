import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { named, scripted, served } from '../../support/mcp/harness';

const profiles = (capabilities: readonly string[]): string =>
  `profiles=${JSON.stringify({ default: { capabilities } })}`;

describe('the command line and serve', () => {
  it('mean the same tool by a name that a built-in tool which is off has too', async () => {
    const servers = { s: scripted({ tools: named('get_weather') }) };
    const set = { profiles: { default: { capabilities: ['mcp_s'] } } };
    const server = await served({ args: ['--yes'], servers, set });
    const input = { text: 'Oslo' };
    await server.client.listTools();
    const answer = await server.call('get_weather', input);
    const at = ['--workspace', server.folder, '--yes', '--set', `mcp.servers=${JSON.stringify(servers)}`];
    const more = [...at, '--set', profiles(['mcp_s'])];
    const environment = { PATH: process.env['PATH'] };
    const called = (await runCli(['call', 'get_weather', JSON.stringify(input), ...more], environment)).json();
    const why = (await runCli(['why', 'get_weather', JSON.stringify(input), ...more], environment)).json();
    await server.close();
    assert.equal(answer.isError, undefined, JSON.stringify(answer));
    assert.deepEqual([called.toolId, why.toolId], ['mcp:s:get_weather', 'mcp:s:get_weather']);
  });

  it('S2.metadata: list shows what is for agents only where it is asked as one, in text and as JSON', async () => {
    const tool = (name: string, more: object = {}) => ({
      name,
      description: 'Asks.',
      handler: { type: 'http', url: 'https://mine.example/' },
      ...more,
    });
    const definition = { id: 'mine', name: 'Mine', tools: [tool('spoken'), tool('whispered', { agentOnly: true })] };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/mine.capability.json': JSON.stringify(definition),
    });
    const list = (...more: readonly string[]) =>
      runCli(['list', '--workspace', folder, '--yes', '--set', profiles(['mine']), ...more]);
    for (const [as, isShown] of [
      [[], false],
      [['--as', 'agent'], true],
    ] as const)
      for (const form of [[], ['--json']]) {
        const { text } = await list(...as, ...form);
        assert.deepEqual(
          [text.includes('spoken'), text.includes('whispered')],
          [true, isShown],
          [...as, ...form].join(' '),
        );
      }
    dispose();
  });
});
