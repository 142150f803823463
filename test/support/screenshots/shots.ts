import type { PersonEditor } from '../editor/person';

export interface Shot {
  /** The file's name in media/screenshots, without ".png". */
  name: string;
  /** What a reader should see in it; the alternative text in the README says the same. */
  shows: string;
  size?: { width: number; height: number };
  settings?: Record<string, unknown>;
  /** Brings the window into the state to be shown; what it returns, if anything, is the selector of the part to show. */
  steps: (editor: PersonEditor) => Promise<string | undefined>;
}

/** Every picture of the README. Each gets a fresh window on the sample project. */
export const SHOTS: Shot[] = [
  {
    name: 'overview',
    shows: 'The sample project with the chat in agent mode',
    steps: async ({ host, workbench }) => {
      await host.script([{ text: 'The next ferry from Northquay leaves at 08:00.' }]);
      await host.runAgentTurn({ query: 'When does the next ferry leave?' });
      await host.evaluate(async (vscode) => {
        const folder = vscode.workspace.workspaceFolders?.[0];
        if (folder) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'src', 'timetable.ts'));
      });
      await workbench.page.locator('.monaco-editor .view-line').first().waitFor();
      return undefined;
    },
  },
];
