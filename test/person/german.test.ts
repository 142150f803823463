import assert from 'node:assert/strict';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';

const shot = (name: string): string => join(projectRoot(), '.build', 'person', `${name}.png`);

/** Registers a language pack as the editor does when one is installed, and starts in its language. */
const german = {
  'argv.json': JSON.stringify({ locale: 'de' }),
  '../languagepacks.json': JSON.stringify({
    de: {
      hash: 'test',
      label: 'Deutsch',
      extensions: [{ extensionIdentifier: { id: 'agent-capabilities-test.german' }, version: '1.0.0' }],
      translations: { vscode: join(projectRoot(), 'test', 'fixtures', 'languagePack', 'main.i18n.json') },
    },
  }),
};

describe('in German, as a person', () => {
  const editor = useEditor({ userFiles: german });

  it('says commands, views, messages and the runtime agent in German', async () => {
    const { workbench, host, page } = editor;
    assert.equal(await host.evaluate((vscode) => vscode.env.language), 'de');
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow('Fähigkeiten', 'File System').waitFor();
    const labels = await workbench.tree('Fähigkeiten').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    assert.match(labels[0] ?? '', /eingeschaltet, Position 1 von \d+/);
    await workbench.runCommand('Agent Capabilities: Profil wechseln…');
    await workbench.quickInput.getByText('lockert').or(workbench.quickInput.getByText('Read only')).first().waitFor();
    await workbench.screenshot(shot('german-switch'));
    await page.keyboard.press('Escape');
    await workbench.runCommand('Agent Capabilities: Laufzeit-Agenten anzeigen');
    await until(async () => {
      const texts = await Promise.all(
        page.frames().map((frame) =>
          frame
            .locator('main')
            .innerText({ timeout: 500 })
            .catch(() => ''),
        ),
      );
      assert.match(texts.join('\n'), /Risiko und Berechtigung/);
    }, 20_000);
    await workbench.screenshot(shot('german'));
  });
});
