import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { builtinCapabilities } from '../../../src/capabilities/index';
import { shownTitle } from '../../../src/core/present/words';
import { manifestWords } from '../../../src/vscode/tools/manifestWords';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const german: Readonly<Record<string, string>> = read('package.nls.de.json');
const tools = builtinCapabilities.flatMap((capability) => capability.tools.map(({ definition }) => definition));

describe('what built-in tools say to people in the editor', () => {
  /** The manifest as the editor gives it, with each text in its place. */
  const manifest = (texts: Readonly<Record<string, string>>): unknown =>
    JSON.parse(readFileSync('package.json', 'utf8'), (_key, value: unknown) =>
      typeof value === 'string' ? (texts[/^%(.*)%$/.exec(value)?.[1] ?? ''] ?? value) : value,
    );

  it('D.settings: is German in a German editor, for every tool, and models read the same as before', () => {
    const words = manifestWords(manifest(german));
    for (const definition of tools) {
      const shown = { ...definition, ...words(definition.name) };
      assert.equal(shownTitle(shown), german[`tool.${definition.name}.title`], definition.name);
      assert.equal(shown.userDescription, german[`tool.${definition.name}.description`]);
      assert.equal(shown.title, definition.title);
      assert.equal(shown.modelDescription, definition.modelDescription);
    }
  });

  it('stays as it is where the editor has no text, or gives another manifest', () => {
    for (const odd of [manifest({}), undefined, {}, { contributes: { languageModelTools: [1, null, {}] } }]) {
      const shown = { title: 'Read file', ...manifestWords(odd)('read_file') };
      assert.deepEqual(shown, { title: 'Read file' });
      assert.equal(shownTitle(shown), 'Read file');
    }
  });
});
