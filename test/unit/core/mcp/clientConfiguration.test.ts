import { strict as assert } from 'node:assert';
import { clientConfiguration, clientNames } from '../../../../src/core/foreign/clientConfiguration';

describe('configuration for clients', () => {
  it('writes for each client what starts serve on this folder, with nothing unescaped', () => {
    const options = {
      command: ['node', '/opt/a b/cli.js'] as [string, string],
      workspace: '/home/x/it\'s "here"',
      profile: 'reviewer',
    };
    const all = Object.fromEntries(clientNames.map((name) => [name, clientConfiguration(name, options).text]));
    const args = ['/opt/a b/cli.js', 'serve', '--workspace', options.workspace, '--profile', 'reviewer'];
    assert.deepEqual(JSON.parse(all['claude-code'] ?? ''), {
      mcpServers: { 'agent-capabilities': { type: 'stdio', command: 'node', args } },
    });
    assert.deepEqual(JSON.parse(all['copilot-cli'] ?? ''), {
      mcpServers: { 'agent-capabilities': { type: 'local', command: 'node', args, tools: ['*'] } },
    });
    assert.equal(
      all['codex'],
      `[mcp_servers.agent-capabilities]\ncommand = "node"\nargs = ["/opt/a b/cli.js", "serve", "--workspace", "/home/x/it's \\"here\\"", "--profile", "reviewer"]\n`,
    );
    assert.equal(
      all['generic'],
      `node '/opt/a b/cli.js' serve --workspace '/home/x/it'\\''s "here"' --profile reviewer\n`,
    );
  });
});
