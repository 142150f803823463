import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

describe('what other clients are given', () => {
  const editor = useEditor({
    settings: {
      'agentCapabilities.profiles': { clock: { name: 'Clock', capabilities: ['current_time', 'file_system'] } },
      'agentCapabilities.activeProfile': 'clock',
      'agentCapabilities.policy.boundaries': [
        { id: 'mine', match: { accessAny: ['fs.read'], path: 'src/**' }, decision: 'deny', reason: 'not for agents' },
      ],
    },
  });
  const run = (command: string): Promise<void> => editor.workbench.runCommand(`Agent Capabilities: ${command}`);
  const clipboard = (): Promise<string> => editor.page.evaluate('navigator.clipboard.readText()') as Promise<string>;

  before(async () => {
    await editor.host.evaluate(async (vscode) => {
      await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    });
  });

  it('S1.router: the configuration for Codex is copied, and fits its file', async () => {
    const { workbench } = editor;
    await run('Copy Client Configuration…');
    await workbench.pick('Codex');
    await workbench.pick('Copy it to the clipboard');
    await until(async () => assert.match(await clipboard(), /^\[mcp_servers\.agent-capabilities\]\ncommand = "node"\nargs = \[/));
  });

  it('S1.router: the configuration for Copilot CLI is written into the home folder, which is made for it', async () => {
    const { workbench } = editor;
    await mkdir(join(editor.server.folder, 'home', '.copilot'), { recursive: true });
    await run('Copy Client Configuration…');
    await workbench.pick('Copilot CLI');
    await workbench.pick('Write it into');
    await until(async () => {
      const written = JSON.parse(await readFile(join(editor.server.folder, 'home', '.copilot', 'mcp-config.json'), 'utf8'));
      assert.deepEqual(written.mcpServers['agent-capabilities'].tools, ['*']);
    });
    // The file opens, which would close a palette that is opened before.
    await editor.page.locator('.tab').filter({ hasText: 'mcp-config.json' }).waitFor();
  });
});
