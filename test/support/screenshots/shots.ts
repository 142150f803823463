import { auditFolder, writeSample } from '../auditSample';
import type { PersonEditor } from '../editor/person';
import { until } from '../editor/until';

/** The agent asks to write a file; the modal stays open for the picture. */
export async function askToWrite({ host, workbench }: PersonEditor): Promise<void> {
  await host.script([
    { tool: 'cap_read_file', input: { path: 'src/timetable.ts' } },
    {
      tool: 'cap_write_file',
      input: { path: 'notes/winter.md', content: '# Winter timetable\n\n- first ferry 08:00\n- last ferry 17:30\n' },
    },
    { text: 'Done.' },
  ]);
  void host.runAgentTurn({ query: 'Note the winter timetable.' }).catch(() => undefined);
  await workbench.modalText();
}

export interface Shot {
  /** The file's name in its folder of media, without ".png". */
  name: string;
  /** What a reader should see in it; the alternative text in the README says the same. */
  shows: string;
  size?: { width: number; height: number };
  settings?: Record<string, unknown>;
  /**
   * Brings the window into the state to be shown; what it returns, if anything, is the selector of the part to show.
   */
  steps: (editor: PersonEditor) => Promise<string | undefined>;
}

/** Every picture of the README. Each gets a fresh window on the sample project. */
export const SHOTS: Shot[] = [
  {
    name: 'overview',
    shows: 'The tools of the profile beside the chat in agent mode: a file was read, .env stayed closed',
    settings: { 'editor.minimap.enabled': false },
    steps: async ({ host, workbench, page }) => {
      await host.script([
        { tool: 'cap_read_file', input: { path: 'src/timetable.ts' } },
        { tool: 'cap_read_file', input: { path: '.env' } },
        {
          text: 'The next ferry from Northquay leaves at 08:00. The operator’s token is in `.env`, which is closed to me.',
        },
      ]);
      await host.runAgentTurn({ query: 'When does the next ferry leave, and with which token do we ask?' });
      await host.evaluate(async (vscode) => {
        const folder = vscode.workspace.workspaceFolders?.[0];
        if (folder) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'src', 'timetable.ts'));
      });
      await page.locator('.monaco-editor .view-line').first().waitFor();
      await workbench.openContainer('Agent Capabilities');
      await workbench.treeRow('Capabilities', 'File System').waitFor();
      await workbench.expand('Capabilities', 'File System');
      await workbench.treeRow('Capabilities', 'write_file').waitFor();
      return undefined;
    },
  },
  {
    name: 'tree',
    shows:
      'The Capabilities view: the active profile with its capabilities in order, each tool with its risk and permission',
    steps: async ({ workbench }) => {
      await workbench.openContainer('Agent Capabilities');
      await workbench.treeRow('Capabilities', 'File System').waitFor();
      await workbench.expand('Capabilities', 'File System');
      await workbench.treeRow('Capabilities', 'write_file').waitFor();
      return undefined;
    },
  },
  {
    name: 'modal',
    shows: 'The modal over the chat: which tool wants to change which file, why it is asked, and what would change',
    steps: async (editor) => {
      await askToWrite(editor);
      return undefined;
    },
  },
  {
    name: 'audit-view',
    shows:
      'The audit view: calls, denials and durations over time, and every record with its actor, tool, outcome and what it touched',
    size: { width: 1400, height: 900 },
    steps: async ({ host, workbench, server, page }) => {
      await host.script([
        { tool: 'cap_read_file', input: { path: 'README.md', head: 5 } },
        { tool: 'cap_read_file', input: { path: '.env' } },
        { tool: 'cap_grep_files', input: { pattern: 'ferry' } },
        { tool: 'cap_get_current_time', input: {} },
        { text: 'The secrets file is closed to me; its example would do.' },
      ]);
      await host.runAgentTurn({ query: 'Which settings does the project need?' });
      writeSample(await auditFolder(server.folder), 100_000);
      await workbench.runCommand('Agent Capabilities: Open Audit View');
      const frame = await until(async () => {
        for (const one of page.frames())
          if (
            /100,000/.test(
              await one
                .locator('[role=status]')
                .innerText({ timeout: 200 })
                .catch(() => ''),
            )
          )
            return one;
        throw new Error('the records are not there yet');
      }, 60_000);
      await frame.getByRole('button', { name: 'Charts' }).click();
      await frame.locator('#row-1').click();
      await page.waitForTimeout(1500);
      return undefined;
    },
  },
  {
    name: 'runtime-agent',
    shows: 'The runtime agent: the merged prompt part by part with its origin, and the tools in order',
    steps: async ({ workbench }) => {
      await workbench.openContainer('Agent Capabilities');
      await workbench.runCommand('Agent Capabilities: Show Runtime Agent');
      await workbench.page.waitForTimeout(4000);
      return undefined;
    },
  },
];
