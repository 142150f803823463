// @window quiet
import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

describe('the cases of a policy in the editor', () => {
  const editor = useEditor({ workspace: 'policyCases', viewport: { width: 1280, height: 900 }, withoutChat: true });

  it('D.policy-tests: are judged in the Testing view, which says of a failure what decided', async () => {
    const { workbench, page, host } = editor;
    const row = (name: string, icon: string) =>
      page
        .locator('.monaco-list-row')
        .filter({ hasText: name })
        .filter({ has: page.locator(`.codicon-testing-${icon}-icon`) })
        .first();
    await until(async () => {
      // The editor has this view once there are tests.
      await host.execute('workbench.view.extension.test');
      await host.execute('testing.runAll');
      await row('keys are open', 'failed').waitFor({ timeout: 5000 });
      await row('keys stay closed', 'passed').waitFor({ timeout: 1000 });
    }, 60_000);
    // What a screen reader says of the file of cases has its name, which a description would stand in place of.
    const file = page.locator('.test-explorer .monaco-list-row').filter({ hasText: 'keys.policy-test.json' }).first();
    assert.match((await file.getAttribute('aria-label')) ?? '', /keys\.policy-test\.json/);
    await page.locator('.test-output-peek, .xterm-rows').getByText('but got').first().waitFor({ timeout: 20_000 });
    await workbench.picture('policy-testing');
    await host.execute('testing.coverageAll');
    await host.evaluate(
      async (vscode, path) => {
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(path)));
      },
      join(editor.folder, '.vscode', 'capabilities', 'boundaries.json'),
    );
    await page.locator('.monaco-editor .coverage-deco-gutter.coverage-deco-hit').first().waitFor({ timeout: 20_000 });
    await workbench.picture('policy-testing-coverage');
    await host.execute('testing.debugAll');
    await until(async () => {
      const texts = await Promise.all(
        page.frames().map((one) =>
          one
            .locator('body')
            .innerText()
            .catch(() => ''),
        ),
      );
      assert.ok(texts.some((text) => /keys are open is denied[^]*no-keys[^]*fired/.test(text)));
    }, 30_000);
    await workbench.picture('policy-testing-why');
  });

  it('D.policy-tests: cases whose folder goes, as with another branch of git, go, and come back with it', async () => {
    const { page, host, folder } = editor;
    const rows = page.locator('.test-explorer .monaco-list-row').filter({ hasText: 'keys.policy-test.json' });
    const kept = join(folder, 'kept-elsewhere');
    await host.execute('workbench.view.extension.test');
    await rows.first().waitFor();
    await rename(join(folder, '.vscode'), kept);
    await rows.first().waitFor({ state: 'detached' });
    await rename(kept, join(folder, '.vscode'));
    await until(async () => {
      await host.execute('workbench.view.extension.test');
      await rows.first().waitFor({ timeout: 2000 });
    }, 30_000);
  });
});
