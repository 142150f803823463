import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { driver } from '../../driver/api';

describe('inside the extension host', () => {
  it('has the packaged extension', async () => {
    const extension = vscode.extensions.getExtension('agent-capabilities-test.fixture');
    assert.ok(extension);
    assert.ok(
      !extension.extensionPath.startsWith(driver().plan.root),
      'it must be the installed VSIX, not the source folder',
    );
    assert.equal(await vscode.commands.executeCommand('fixture.greet'), 'hello');
  });

  it('opens the fixture workspace', async () => {
    const found = await vscode.workspace.findFiles('**/*.ts');
    assert.deepEqual(
      found.map((uri) => vscode.workspace.asRelativePath(uri)),
      ['src/app.ts'],
    );
  });

  it('calls a tool', async () => {
    const result = await vscode.lm.invokeTool('fixture_add', { input: { a: 2, b: 3 }, toolInvocationToken: undefined });
    assert.equal((result.content[0] as vscode.LanguageModelTextPart).value, 'the sum is 5');
  });

  it('leaves a file behind', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder.uri, 'left-behind.ts'), new Uint8Array());
  });
});
