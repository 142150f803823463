import { join } from 'node:path';
import type { PersonEditor } from '../editor/person';
import { until } from '../editor/until';
import { frameWith } from '../axe';

interface Look {
  readonly name: string;
  readonly theme: string;
  readonly size: { readonly width: number; readonly height: number };
  /** True for a side bar as narrow as the editor lets it be. */
  readonly isNarrow?: boolean;
}

const usual = { width: 1280, height: 800 };

/** The ways in which people look at the same surface. */
const looks: readonly Look[] = [
  { name: 'light', theme: 'Light 2026', size: usual },
  { name: 'dark', theme: 'Dark 2026', size: usual },
  { name: 'contrast', theme: 'Default High Contrast', size: usual },
  { name: '150', theme: 'Light 2026', size: { width: 853, height: 533 } },
  { name: 'narrow', theme: 'Light 2026', size: usual, isNarrow: true },
];

/**
 * Pictures of the surfaces that people decide at, in every look, for somebody to look at: the rules in the tree, the
 * audit view, the modal and the diff editor. One window shows them one after the other.
 */
export async function takeLooks(editor: PersonEditor, folder: string): Promise<void> {
  const { host, workbench, page } = editor;
  const each = async (surface: string): Promise<void> => {
    for (const look of looks) {
      await wear(editor, look);
      await workbench.screenshot(join(folder, `${surface}-${look.name}.png`));
    }
    await wear(editor, looks[0] ?? { name: '', theme: 'Light 2026', size: usual });
  };
  await host.script([
    { tool: 'cap_read_file', input: { path: 'README.md', head: 5 } },
    { tool: 'cap_read_file', input: { path: '.env' } },
    { tool: 'cap_grep_files', input: { pattern: 'ferry' } },
    { tool: 'cap_read_file', input: { path: 'missing.md' } },
    { text: 'The secrets file is closed to me; its example would do.' },
  ]);
  await host.runAgentTurn({ query: 'Which settings does the project need?' });
  await workbench.openContainer('Agent Capabilities');
  await workbench.treeRow('Capabilities', 'File System').waitFor();
  await workbench.expand('Capabilities', 'File System');
  await each('tree');
  await workbench.runCommand('Agent Capabilities: Show Rules in Force');
  await workbench.treeRow('Capabilities', 'preset.secrets').waitFor();
  await each('rules');
  await workbench.runCommand('Agent Capabilities: Open Audit View');
  const frame = await until(() => frameWith(page, '[role="treegrid"]'), 30_000);
  await frame.locator('.row:not(.head):not(.burst)').filter({ visible: true }).first().click();
  await each('audit');
  await host.execute('workbench.action.closeAllEditors');
  const path = 'src/winter.ts';
  const content = Array.from({ length: 30 }, (_, at) => `export const ferry${at} = '${8 + at}:00';\n`).join('');
  await host.script([{ tool: 'cap_write_file', input: { path, content } }, { text: 'Done.' }]);
  void host.runAgentTurn({ query: 'Write the winter timetable.' }).catch(() => undefined);
  await workbench.modalText();
  await each('modal-long');
  await workbench.pressModalButton('Show in Editor');
  await page.locator('.editor-instance .monaco-diff-editor').waitFor();
  await each('diff');
  await host.execute('agentCapabilities.denyDecision');
  await workbench.modalText();
  await workbench.pressModalButton('Cancel');
  await host.script([
    { tool: 'cap_write_file', input: { path: 'notes/winter.md', content: '# Winter\n\n- first ferry 08:00\n' } },
    { text: 'Done.' },
  ]);
  void host.runAgentTurn({ query: 'Note it.' }).catch(() => undefined);
  await workbench.modalText();
  await each('modal');
  await page.keyboard.press('Escape');
}

async function wear({ host, page }: PersonEditor, { theme, size, isNarrow }: Look): Promise<void> {
  await host.evaluate(async (vscode, name) => {
    await vscode.workspace.getConfiguration('workbench').update('colorTheme', name, 1);
  }, theme);
  await page.setViewportSize(size);
  await page.waitForTimeout(1500);
  const bar = await page.locator('.part.sidebar').boundingBox();
  if (bar) {
    await page.mouse.move(bar.x + bar.width, 400);
    await page.mouse.down();
    await page.mouse.move(bar.x + (isNarrow ? 175 : 320), 400, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(700, 780);
  }
  await page.waitForTimeout(700);
}
