// @window edits
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { approveWhole } from '../support/editor/approveWhole';
import { useChangesView } from '../support/editor/changesView';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';

const view = 'Changes by Agents';
const writer = join(projectRoot(), 'test', 'support', 'mcp', 'writer.mjs');
const lines = (first: string, last = 'last'): string =>
  [first, ...Array.from({ length: 12 }, (_, at) => `line ${at}`), last, ''].join('\n');

/** What the command does to files, as a build or a generator does. */
const work = `
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
writeFileSync('src/changed.ts', readFileSync('src/changed.ts', 'utf8').replace('first', 'FIRST'));
writeFileSync('.local', readFileSync('.local', 'utf8').replace('mine', 'its own'));
rmSync('src/untracked.ts');
mkdirSync('out/deep', { recursive: true });
writeFileSync('out/deep/made.txt', 'made by a command');
renameSync('src/old-name.ts', 'src/new-name.ts');
console.log('worked');
`;

const definition = JSON.stringify({
  id: 'worker',
  version: '1.0.0',
  name: 'Worker',
  description: 'Works on files by a command',
  tools: [
    {
      name: 'run_worker',
      kind: 'action',
      riskLevel: 'medium',
      description: 'Run the worker. Use it to try a command. Returns what it prints.',
      parameters: {},
      handler: { type: 'process', command: process.execPath, args: ['work.mjs'] },
    },
  ],
});

describe('what a command and a server change, as a person sees it', () => {
  const editor = useEditor({
    viewport: { width: 1400, height: 1000 },
    settings: {
      'agentCapabilities.changes.checkpoints': true,
      'agentCapabilities.policy.boundaries': [
        {
          id: 'test.allow',
          match: { accessAny: ['fs.*', 'system.*'] },
          decision: 'allow',
          reason: 'a test works here',
        },
      ],
    },
  });
  const { keys, at, text, put, hear, focusView, useTheme } = useChangesView(editor);
  const notified = async (words: RegExp) => {
    await editor.host.execute('notifications.showList');
    const told = editor.workbench.notification(words);
    await told.waitFor();
    await editor.host.execute('notifications.clearAll');
  };
  const call = (tool: string, input: object = {}): Promise<any> =>
    editor.host.evaluate(
      async (vscode, name, value) => {
        const api: any = await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
        return api.invokeTool('test.person', name, value);
      },
      tool,
      input,
    );

  it('D.undo: a command of a definition changes, makes, moves and deletes files, an untracked and an ignored one too: seen, taken back by keyboard with a person’s edit kept, and made again', async () => {
    const { workbench } = editor;
    const keyboard = keys();
    await put('.gitignore', '.local\n');
    await put('.local', 'mine\n');
    await put('src/changed.ts', lines('first'));
    await put('src/untracked.ts', 'nobody else has this\n');
    await put('src/old-name.ts', 'export const moved = true;\n');
    await put('work.mjs', work);
    await put('.vscode/capabilities/worker.capability.json', definition);
    await until(async () => {
      const found = await editor.host.evaluate(
        (vscode, path) => vscode.languages.getDiagnostics(vscode.Uri.file(path)).map((one) => one.message),
        at('.vscode/capabilities/worker.capability.json'),
      );
      assert.match(JSON.stringify(found), /waits for your approval/);
    }, 20_000);
    await workbench.runCommand('Agent Capabilities: Approve Capability Definitions…');
    assert.match(await workbench.modalText(), /Let "Worker" act in this workspace\?/);
    await approveWhole(editor);
    let name = '';
    await until(async () => {
      await editor.host.script([{ text: 'ready' }]);
      const turn = await editor.host.runAgentTurn({ query: 'which tools do you have?' });
      name = turn.requests[0]?.tools.map((tool) => tool.name).find((one) => one.endsWith('run_worker')) ?? '';
      assert.notEqual(name, '');
    }, 60_000);
    await editor.host.script([{ tool: name, input: {} }, { text: 'Done.' }]);
    const turn = await editor.host.runAgentTurn({ query: 'work', confirm: 'accept' });
    assert.match(turn.toolResults.at(-1)?.text ?? '', /worked/);

    // A person goes on at the other end of the same file.
    await put('src/changed.ts', lines('FIRST', 'a person wrote this'));
    await focusView();
    await workbench.treeRow(view, 'untracked.ts').waitFor();
    await keyboard.press('Home');
    await hear(/, 7 files, not looked at yet/);
    for (const [theme, look] of [
      ['Light 2026', 'vs'],
      ['Dark 2026', 'vs-dark'],
      ['Default High Contrast', 'hc-black'],
    ] as const) {
      await useTheme(theme, look);
      await workbench.picture(`command-changes-${theme.replaceAll(' ', '-').toLowerCase()}`);
    }

    await focusView();
    await keyboard.press('Home');
    await hear(/, 7 files/);
    await keyboard.press('Control+Alt+z');
    await notified(/7 changes were taken back\. Kept with what was changed since: src\/changed\.ts/);
    assert.equal(await text('src/changed.ts'), lines('first', 'a person wrote this'));
    assert.equal(await text('.local'), 'mine\n');
    assert.equal(await text('src/untracked.ts'), 'nobody else has this\n');
    assert.equal(await text('src/old-name.ts'), 'export const moved = true;\n');
    assert.ok(!existsSync(at('src/new-name.ts')) && !existsSync(at('out')));

    // The rows were made anew, and the one that had the focus may be another now.
    await focusView();
    await keyboard.press('Home');
    await hear(/, 7 files, taken back$/);
    await keyboard.press('Control+Shift+z');
    await notified(/7 changes were made again/);
    assert.equal(await text('src/changed.ts'), lines('FIRST', 'a person wrote this'));
    assert.equal(await text('.local'), 'its own\n');
    assert.ok(!existsSync(at('src/untracked.ts')) && !existsSync(at('src/old-name.ts')));
    assert.equal(await text('out/deep/made.txt'), 'made by a command');
  });

  it('D.undo: two calls at once of a server’s own process are seen and taken back', async () => {
    await editor.host.evaluate(
      async (vscode, command, file) => {
        const entry = {
          command,
          args: [file, '${workspaceFolder}'],
          protocol: '2025-11-25',
          tools: { '*': { permission: 'allowed' } },
        };
        const config = vscode.workspace.getConfiguration();
        await config.update('agentCapabilities.mcp.servers', { files: entry }, vscode.ConfigurationTarget.Global);
      },
      process.execPath,
      writer,
    );
    await editor.workbench.modalText();
    await approveWhole(editor);
    await until(async () => {
      const put = await call('files_put', { path: 'by-server.txt', text: 'one' });
      assert.equal(put.success, true, JSON.stringify(put));
    }, 60_000);
    const both = await Promise.all([
      call('files_slow', { path: 'x.txt', text: 'X', ms: 1500 }),
      call('files_slow', { path: 'y.txt', text: 'Y', ms: 1500 }),
    ]);
    for (const one of both) assert.equal(one.success, true, JSON.stringify(one));
    await focusView();
    // The list keeps the row that had the focus, and draws only the rows around it.
    const first = editor.workbench.tree(view).and(editor.page.locator('[data-index="0"].focused'));
    await until(async () => {
      await keys().press('Home');
      await first.waitFor({ timeout: 1000 });
    }, 20_000);
    await editor.workbench.treeRow(view, 'by-server.txt').waitFor();
    await editor.workbench.picture('command-changes-server');
    await keys().press('Control+Alt+z');
    await until(() => {
      for (const name of ['x.txt', 'y.txt', 'begun.txt']) assert.ok(!existsSync(at(name)), name);
    });
  });
});
