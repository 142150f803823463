import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walkthroughTexts } from '../../../tools/manifest/walkthrough';
import { approveWhole } from '../editor/approveWhole';
import type { PersonEditor } from '../editor/person';
import { until } from '../editor/until';
import { askToWrite, type Shot } from './shots';

/** Small enough that its words can be read in the walkthrough, beside the step. */
const size = { width: 1000, height: 680 };

const definition = `{
  // What a ferry of the harbour costs; agents need not work it out.
  "id": "fares",
  "version": "1.0.0",
  "name": "Ferry Fares",
  "description": "Works out fares",
  "tools": [
    {
      "name": "group_fare",
      "kind": "data",
      "description": "Work out the fare of a group. Returns it in euros.",
      "parameters": {
        "people": { "type": "number", "required": true, "description": "How many travel" }
      },
      "handler": {
        "type": "tool",
        "tool": "multiply",
        "input": { "a": "\${input.people}", "b": 4.5 }
      }
    }
  ]
}
`;

/** The chat takes a third of a small window; it stays for the steps that are about it. */
const withoutChat = async ({ host }: PersonEditor): Promise<void> => {
  await host.execute('workbench.action.closeAuxiliaryBar');
};

async function ownCapability(editor: PersonEditor): Promise<void> {
  const { host, workbench, folder, page } = editor;
  const file = join(folder, '.vscode', 'capabilities', 'fares.capability.json');
  await mkdir(join(folder, '.vscode', 'capabilities'), { recursive: true });
  await writeFile(file, definition);
  await host.evaluate(async (vscode, path) => {
    await vscode.window.showTextDocument(vscode.Uri.file(path));
  }, file);
  await until(async () => {
    const found = await host.evaluate(
      (vscode, path) => vscode.languages.getDiagnostics(vscode.Uri.file(path)).map((one) => one.message),
      file,
    );
    if (!JSON.stringify(found).includes('waits for your approval')) throw new Error('the definition is not read yet');
  }, 20_000);
  await workbench.runCommand('Agent Capabilities: Approve Capability Definitions…');
  await workbench.modalText();
  await page.waitForTimeout(1_000);
  await approveWhole({ workbench, host });
  await workbench.openContainer('Agent Capabilities');
  await workbench.treeRow('Capabilities', 'Ferry Fares').waitFor();
  await host.execute('notifications.clearAll');
  await host.execute('workbench.action.closePanel');
  await workbench.expand('Capabilities', 'Ferry Fares');
  await workbench.treeRow('Capabilities', 'group_fare').waitFor();
}

const steps: Readonly<Record<string, Shot['steps']>> = {
  tour: async (editor) => {
    const { workbench, host } = editor;
    await withoutChat(editor);
    await host.execute('workbench.action.closeSidebar');
    await workbench.runCommand('Agent Capabilities: Play the Tour');
    for (const step of [
      'Search and read',
      'A page as markdown',
      'A todo list',
      'Exact math',
      'A file that is closed',
    ]) {
      const frame = await workbench.frameWith(new RegExp(`Play: ${step}`));
      await frame.getByRole('button', { name: `Play: ${step}`, exact: true }).click();
    }
    await workbench.frameWith(/Play: A change that asks/);
    return undefined;
  },
  profile: async (editor) => {
    await withoutChat(editor);
    await editor.workbench.openContainer('Agent Capabilities');
    await editor.workbench.treeRow('Capabilities', 'File System').waitFor();
    await editor.workbench.runCommand('Agent Capabilities: Switch Profile…');
    await editor.workbench.quickInput.getByText('Read only').first().waitFor();
    return undefined;
  },
  agent: async (editor) => {
    await withoutChat(editor);
    await editor.workbench.openContainer('Agent Capabilities');
    await editor.workbench.treeRow('Capabilities', 'File System').waitFor();
    await editor.workbench.expand('Capabilities', 'File System');
    await editor.workbench.runCommand('Agent Capabilities: Show Runtime Agent');
    await until(async () => {
      for (const frame of editor.page.frames()) if ((await frame.locator('main h1').count()) > 0) return;
      throw new Error('the page is not there yet');
    }, 20_000);
    return undefined;
  },
  chat: async ({ host, workbench }) => {
    await host.script([
      { text: 'I look into the timetable.', tools: [{ tool: 'cap_read_file', input: { path: 'src/timetable.ts' } }] },
      { text: 'The next ferry from Northquay leaves at 08:00.' },
    ]);
    await host.runAgentTurn({ query: 'When does the next ferry leave?' });
    // The editor folds the steps of an answer; the picture is about one of them.
    await workbench.chat.getByText(/Completed \d+ steps/).click();
    await workbench.chat.getByText('Read file').first().waitFor();
    return undefined;
  },
  no: async (editor) => {
    await askToWrite(editor);
    return undefined;
  },
  log: async (editor) => {
    const { host, workbench } = editor;
    await host.script([
      { tool: 'cap_read_file', input: { path: 'README.md', head: 5 } },
      { tool: 'cap_read_file', input: { path: '.env' } },
      { tool: 'cap_get_current_time', input: {} },
      { text: 'The secrets file is closed to me; its example would do.' },
    ]);
    await host.runAgentTurn({ query: 'Which settings does the project need?' });
    await withoutChat(editor);
    await host.execute('workbench.action.closeSidebar');
    await workbench.runCommand('Agent Capabilities: Show Audit Log');
    await workbench.page.getByText('get_current_time').first().waitFor();
    return undefined;
  },
  own: async (editor) => {
    await withoutChat(editor);
    await ownCapability(editor);
    return undefined;
  },
};

/** Every picture of the walkthrough; what each shows is the alternative text of its step. */
export const WALKTHROUGH: Shot[] = Object.entries(steps).map(([name, take]) => ({
  name,
  shows: walkthroughTexts[`walkthrough.${name}.alt`] ?? '',
  // The buttons of a question do not fit a small window.
  size: name === 'no' ? { width: 1280, height: 800 } : size,
  steps: take,
}));
