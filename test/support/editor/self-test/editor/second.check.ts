import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the next file', () => {
  it('finds a fresh workspace', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const entries = await vscode.workspace.fs.readDirectory(folder.uri);
    assert.deepEqual(entries.map(([name]) => name).sort(), ['README.md', 'src']);
  });
});
