import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';

const shot = (name: string): string => join(projectRoot(), '.build', 'person', `${name}.png`);

describe('tools of other extensions', () => {
  const editor = useEditor({ fixtureExtension: true, viewport: { width: 1280, height: 1000 } });
  const row = (label: string): Locator => editor.page.locator(`.monaco-list-row[aria-label^="${label}"]`).first();
  const add = (): Promise<any> =>
    editor.host.evaluate(async (vscode) => {
      const api: any = await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
      return api.invokeTool('test.person', 'fixture_add', { a: 20, b: 22 });
    });

  it('S1.unified: stand in the tree with the extension that brings them, judged by what they say, and pass the gate', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Agent Capabilities');
    await row('Fixture, disabled').waitFor();
    await workbench.setCheckbox('Capabilities', 'Fixture', true);
    await row('Fixture, enabled').waitFor();
    await workbench.expand('Capabilities', 'Fixture');
    await row('fixture_add, enabled').waitFor();
    assert.match((await row('fixture_add').textContent()) ?? '', /medium · asks/);
    const running = add();
    const text = await workbench.modalText();
    assert.match(text, /Allow "Fixture: fixture_add" to change what it does not name\?/);
    await workbench.screenshot(shot('extension-modal'));
    await workbench.pressModalButton('Allow Once');
    const result = await running;
    assert.equal(result.success, true, JSON.stringify(result));
    assert.match(JSON.stringify(result), /the sum is 42/);
  });
});
