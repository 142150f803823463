import assert from 'node:assert/strict';
import { useEditor } from '../../person';

describe('with Workspace Trust on', () => {
  const editor = useEditor({
    workspace: 'test/support/sample-workspace',
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'always' },
  });

  it('opens restricted until the person trusts the folder', async () => {
    const { host, workbench } = editor;
    assert.equal(await host.evaluate((vscode) => vscode.workspace.isTrusted), false);
    assert.match(await workbench.modalText(), /Do you trust the authors/);
    await workbench.pressModalButton(/^Yes/);
    // Trusting a folder may start the extension host anew, so the state is asked for until it settles.
    for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
      if (await host.evaluate((vscode) => vscode.workspace.isTrusted).catch(() => false)) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail('the folder did not become trusted');
  });
});
