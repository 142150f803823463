// @window own
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import { setProfile } from '../support/editor/chooseProfile';
import { installHook } from '../support/editor/installHook';
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

  it("D.hooks: `.env` stays closed to a server of files beside ours, by the rule that holds for the editor's own tools", async () => {
    const { model, runAgentTurn } = driver();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    // Above 64 tools the chat would fold some away.
    await setProfile(vscode, 'readOnly');
    const removeHook = await installHook();
    const harness = vscode.extensions.getExtension('agent-capabilities-test.driver')?.extensionPath ?? '';
    const server = path.join(harness, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
    const files = { type: 'stdio', command: process.execPath, args: [server, folder.fsPath] };
    const config = vscode.Uri.joinPath(folder, '.vscode', 'mcp.json');
    writeFileSync(path.join(folder.fsPath, '.env'), 'KEY=do-not-tell\n');
    await vscode.workspace.fs.writeFile(config, Buffer.from(JSON.stringify({ servers: { files } })));
    try {
      // The editor names the tools after what the server calls itself.
      const name = (): string | undefined =>
        vscode.lm.tools.find((one) => /^mcp_.*_read_text_file$/.test(one.name))?.name;
      await until(async () => {
        model.script([{ text: 'ready' }]);
        const { requests } = await runAgentTurn({ query: 'hello, server' });
        assert.ok(requests[0]?.tools.some((one) => one.name === name()));
      }, 60_000);
      model.script([{ tool: name() ?? '', input: { path: path.join(folder.fsPath, '.env') } }, { text: 'seen' }]);
      const { toolResults } = await runAgentTurn({ query: 'read it', confirm: 'accept' });
      assert.equal(toolResults.length, 1);
      assert.match(toolResults[0]?.text ?? '', /preset\.secrets/);
      assert.doesNotMatch(toolResults[0]?.text ?? '', /do-not-tell/);
    } finally {
      removeHook();
      await vscode.workspace.fs.delete(config);
    }
  });
});
