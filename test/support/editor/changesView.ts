import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Keyboard } from './keyboard';
import type { useEditor } from './person';
import { until } from './until';

const view = 'Changes by Agents';

/**
 * What the tests of *Changes by Agents* do: files put and read, the view focused and heard by keyboard, a theme chosen.
 */
export function useChangesView(editor: ReturnType<typeof useEditor>) {
  const keys = (): Keyboard => new Keyboard(editor.page);
  const at = (path: string): string => join(editor.folder, path);
  const text = (path: string): Promise<string> => readFile(at(path), 'utf8');
  const put = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  const list = () => editor.page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list`).first();
  /** What a screen reader reads of the row that has the focus. */
  const hear = (words: RegExp): Promise<void> =>
    until(async () => {
      const id = await list().getAttribute('aria-activedescendant', { timeout: 2000 });
      const label = await editor.page.locator(`[id="${id}"]`).getAttribute('aria-label', { timeout: 2000 });
      assert.match(label ?? '', words);
    });
  const focusView = async (): Promise<void> => {
    const focus = 'Agent Capabilities: Focus on Changes by Agents View';
    // The editor gives the focus to rows that are there.
    if ((await editor.workbench.tree(view).count()) === 0) await keys().palette(focus);
    await editor.workbench.treeRow(view, 'file').waitFor();
    await keys().palette(focus);
    await keys().focusIn(list());
  };
  /** @param look the class that the window has with it. */
  const useTheme = async (theme: string, look: string): Promise<void> => {
    await editor.host.evaluate(async (vscode, name) => {
      await vscode.workspace.getConfiguration().update('workbench.colorTheme', name, 1);
    }, theme);
    await editor.page.locator(`.monaco-workbench.${look}`).first().waitFor();
  };
  return { keys, at, text, put, hear, focusView, useTheme };
}
