// @window own
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import { setProfile } from '../support/editor/chooseProfile';
import { ours, toolsOf } from '../support/editor/ourTools';
import { until } from '../support/editor/until';

describe('`serve` in the chat, beside the extension', () => {
  it('S1.mcp: every tool of `serve` is the editor’s beside the extension, and what it folds away is named to the model', async () => {
    const { model, runAgentTurn } = driver();
    await setProfile(vscode, 'default');
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const extension = vscode.extensions.getExtension('agent-capabilities.agent-capabilities');
    assert.ok(folder && extension);
    const file = vscode.Uri.joinPath(folder, '.vscode', 'mcp.json');
    const cli = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
    const caps = { type: 'stdio', command: process.execPath, args: [cli, 'serve', '--workspace', folder.fsPath] };
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify({ servers: { caps } })));
    try {
      await until(async () => {
        model.script([{ text: 'ready' }]);
        const { requests } = await runAgentTurn({ query: 'hello, server' });
        const offered = requests[0]?.tools ?? [];
        const served = toolsOf('default').map((name) => name.replace('cap_', 'mcp_agent_capabil_'));
        assert.deepEqual(ours(offered), toolsOf('default'));
        const all = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_agent_capabil_'));
        assert.deepEqual(all.sort(), served);
        // Above 64 tools the chat folds some away behind a tool that names them and opens them.
        const folds = offered.filter(({ name }) => name.startsWith('activate_')).map((one) => JSON.stringify(one));
        for (const name of served)
          assert.ok(offered.some((one) => one.name === name) || folds.some((fold) => fold.includes(name)), name);
      }, 60_000);
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });
});
