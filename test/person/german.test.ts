import assert from 'node:assert/strict';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

/**
 * The window tells extensions the language that this says, as it does with a language pack; the pack of the editor
 * itself is not in the registry that tests install from, so the editor's own words stay English.
 */
const inGerman = `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value: 'de', writable: false, configurable: false })`;

describe('in German', () => {
  const editor = useEditor({ script: inGerman });

  afterEach(() => editor.page.keyboard.press('Escape'));

  it('D.settings: the view, the commands and the modal speak German', async () => {
    const { workbench, host, page } = editor;
    assert.equal(await host.evaluate((vscode) => vscode.env.language), 'de');
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow('Fähigkeiten', 'genaue Rechnungen').waitFor();
    await workbench.treeRow('Fähigkeiten', 'Tools der Erweiterung GitHub.copilot-chat').waitFor();
    await until(async () => assert.match(await page.locator('.part.sidebar').innerText(), /· 23 Tools · ~/));
    await workbench.withoutHover();
    await workbench.picture('german-view');
    const palette = await workbench.openPalette('Audit exportieren');
    await palette.locator('.monaco-list-row').filter({ hasText: 'Audit exportieren…' }).first().waitFor();
    await page.keyboard.press('Escape');
    await host.script([
      { tool: 'cap_write_file', input: { path: 'neu.txt', content: 'Hallo\n' } },
      { text: 'Fertig.' },
    ]);
    const turn = host.runAgentTurn({ query: 'schreibe' });
    const text = await workbench.modalText();
    assert.match(text, /Darf „write_file“ neu\.txt anlegen\?/);
    assert.match(text, /Der Agent \(Profil Standard\) möchte neu\.txt anlegen \(mittleres Risiko, umkehrbar\)\./);
    assert.match(text, /Warum Sie gefragt werden: das Tool braucht bei Agenten eine Bestätigung\./);
    await workbench.picture('german-modal');
    await workbench.modal.getByRole('button', { name: 'Einmal zulassen', exact: true }).waitFor();
    await workbench.pressModalButton('Cancel');
    await turn;
  });
});
