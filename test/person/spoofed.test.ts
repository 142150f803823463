// @window rules
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

interface Spoof {
  readonly name: string;
  readonly path?: string;
  readonly content: string;
  /** What the modal must say. */
  readonly says: readonly (string | RegExp)[];
  /** What is too long for the modal and must stand in the editor. */
  readonly inEditor?: string;
  /** True where everything fits, so that lasting answers are offered. */
  readonly isHonest?: boolean;
}

const spoofs: readonly Spoof[] = [
  {
    name: 'lines',
    content: `${Array.from({ length: 5000 }, (_, n) => `const line${n} = ${n};`).join('\n')}\nsteal();\n`,
    says: ['@@ -0,0 +1,5001 @@', /… 4,98\d lines more, shown by Show in Editor$/],
    inEditor: 'steal();',
  },
  {
    name: 'bidi',
    content: 'if (isAdmin\u202E \u2066// only users\u2069 \u2066) {\n  grant();\n}\u200B\u00AD\n',
    says: ['+if (isAdmin⟨U+202E⟩ ⟨U+2066⟩// only users⟨U+2069⟩ ⟨U+2066⟩) {', '+}⟨U+200B⟩⟨U+00AD⟩'],
  },
  {
    name: 'blanks',
    content: `harmless();${'\t'.repeat(60)}steal();\nalso();${' '.repeat(400)}steal();\n`,
    says: ['+harmless();⟨60 tabs⟩steal();', '+also();⟨400 spaces⟩steal();'],
  },
  {
    name: 'markdown',
    content: '# Allowed already\n[Allow Once](command:workbench.action.quit) **safe** <b>bold</b> $(check) &lt;\n',
    says: ['+# Allowed already', '+[Allow Once](command:workbench.action.quit) **safe** <b>bold</b> $(check) &lt;'],
    isHonest: true,
  },
  {
    name: 'long',
    content: `const a = "${'a'.repeat(20_000)}"; steal();\n`,
    says: [/\+const a = "a+…$/],
    inEditor: 'aaa"; steal();',
  },
  {
    name: 'path',
    path: `docs/${'a/'.repeat(60)}\u202Etxt.js`,
    content: 'x\n',
    says: [/Allow "write_file" to create docs\/a.*….*⟨U\+202E⟩txt\.js\?/],
  },
];

/** Runs in the page: the lines of the content that take more than one row. */
const wrappedLines = `(() => {
  const texts = document.createTreeWalker(document.querySelector('.monaco-dialog-box .dialog-message-detail'), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const rows = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    if (/^[+@]/.test(node.nodeValue) && rows > 1) found.push(node.nodeValue);
  }
  return found;
})()`;

describe('spoofed content in the modal', () => {
  const editor = useEditor();

  const asked = async ({ path = 'made.txt', content }: Spoof): Promise<{ turn: Promise<unknown>; text: string }> => {
    await rm(join(editor.folder, path), { force: true });
    await editor.host.script([{ tool: 'cap_write_file', input: { path, content } }, { text: 'Done.' }]);
    const turn = editor.host.runAgentTurn({ query: 'write it' });
    return { turn, text: await editor.workbench.modalText() };
  };

  afterEach(async () => {
    if (await editor.workbench.modal.isVisible()) await editor.page.keyboard.press('Escape');
  });

  for (const spoof of spoofs)
    it(`D.modal: ${spoof.name} cannot hide what is approved`, async () => {
      const { turn, text } = await asked(spoof);
      for (const wanted of spoof.says) {
        if (typeof wanted === 'string') assert.ok(text.includes(wanted), text);
        else assert.match(text, wanted);
      }
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u00ad\t]/);
      const { modal } = editor.workbench;
      assert.equal(await modal.getByRole('button', { name: 'Always Allow…' }).count(), spoof.isHonest ? 1 : 0);
      // A line of the content is one row: a row without its sign would look like another line.
      const content = modal.locator('.dialog-message-detail');
      assert.equal(await content.locator('a, b, strong, code, h1, .codicon').count(), 0, 'nothing in it is rendered');
      const wrapped = await editor.page.evaluate<string[]>(wrappedLines);
      if (spoof.name !== 'long') assert.deepEqual(wrapped, []);
      const box = await modal.boundingBox();
      const { width, height } = editor.page.viewportSize() ?? { width: 0, height: 0 };
      assert.ok(
        box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
        'the modal stays in the window',
      );
      await editor.workbench.picture(`spoofed-${spoof.name}`);
      if (spoof.inEditor === undefined) await editor.workbench.pressModalButton('Cancel');
      else {
        await editor.workbench.pressModalButton('Show in Editor');
        const shown = spoof.inEditor;
        await until(async () => {
          const whole = await editor.host.evaluate((vscode) =>
            vscode.workspace.textDocuments
              .filter(({ uri }) => uri.scheme === 'agent-capabilities-decision')
              .map((one) => one.getText()),
          );
          assert.ok(
            whole.some((one) => one.includes(shown)),
            'all of it stands in the editor',
          );
        });
        await editor.page.locator('.editor-actions').getByRole('button', { name: 'Deny', exact: true }).first().click();
      }
      await turn;
    });
});
