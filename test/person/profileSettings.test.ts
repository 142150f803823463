// @window quiet
import assert from 'node:assert/strict';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { meant } from '../support/editor/meant';
import { useEditor } from '../support/editor/person';
import { chooseProfile, forgetFailed, profileInForce } from '../support/editor/chooseProfile';
import { until } from '../support/editor/until';

const commented = (mode: string): string => `{
  // written by hand
  "agentCapabilities.profiles": {
    "mine": {
      "name": "Mine", // seen in the status bar
      "mode": "${mode}",
      "capabilities": [
        "file_system", // always first
        // sums
        "math",
      ]
    }
  }
}
`;

/** In one step: the editor would take a file that is half written for its settings, and ask to be loaded anew. */
async function put(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

describe('profiles in the settings files, as a person', () => {
  // A browser's editor saves by itself after a second, which a desktop's does not.
  const editor = useEditor({ settings: { 'files.autoSave': 'off' }, withoutChat: true });

  const file = (): string => join(editor.folder, '.vscode', 'settings.json');

  forgetFailed(editor);

  const profile = (): Promise<any> => profileInForce(editor);

  for (const [scope, isOpen] of [
    ['workspace', false],
    ['workspace', true],
    ['user', false],
  ] as const)
    it(`D.settings: comments in the profiles of the ${scope} settings${isOpen ? ', open in an editor,' : ''} stay when the tree changes them, also by undo`, async () => {
      const { workbench, host } = editor;
      const path = scope === 'workspace' ? file() : join(editor.server.folder, 'user', 'User', 'settings.json');
      await mkdir(dirname(path), { recursive: true });
      const old = await readFile(path, 'utf8').catch(() => '{}');
      // The file's other settings stay beside the commented one.
      const others = Object.entries(parse(old) as object).filter(
        ([key]) => !/agentCapabilities\.(profiles|activeProfile)/.test(key),
      );
      const head = others.map(([key, value]) => `\n  ${JSON.stringify(key)}: ${JSON.stringify(value)},`).join('');
      const text = (mode: string): string => commented(mode).replace('{', `{${head}`);
      await put(path, text('plan'));
      // The editor refuses to write into a file that is newer than it knows, until it has seen the change.
      if (scope === 'user')
        await until(
          () =>
            host.evaluate(async (vscode) =>
              vscode.workspace.getConfiguration('agentCapabilities').update('saveTo', 'user', 1),
            ),
          20_000,
        );
      const start = await readFile(path, 'utf8');
      await until(async () =>
        assert.equal(
          await host.evaluate(
            (vscode) => (vscode.workspace.getConfiguration('agentCapabilities').get('profiles') as any)?.mine?.name,
          ),
          'Mine',
        ),
      );
      if (isOpen)
        await host.evaluate(
          async (vscode, open) => void (await vscode.window.showTextDocument(vscode.Uri.file(open))),
          path,
        );
      await chooseProfile(editor, 'mine');
      await (
        await meant(editor, 'setMode', 'execute')
      ).result;
      await until(async () => assert.equal(await readFile(path, 'utf8'), start.replace(/\n *"mode": "plan",/, '')));
      // What another window writes into the user's file this one hears nothing of; it stays all the same.
      const besides = (now: string): string =>
        scope === 'user'
          ? now.replace('"mine": {', '"theirs": { "name": "Theirs", "capabilities": [] },\n    $&')
          : now;
      if (scope === 'user') await put(path, besides(await readFile(path, 'utf8')));
      await workbench.openContainer('Agent Capabilities');
      await workbench.setCheckbox('Capabilities', 'Math', false);
      await until(async () => {
        const now = await readFile(path, 'utf8');
        assert.match(now, /\/\/ always first\n\s*\/\/ sums\n\s*\{\s*"ref": "math",\s*"enabled": false\s*\}/);
      });
      await host.execute('agentCapabilities.undo');
      await host.execute('agentCapabilities.undo');
      await until(async () => assert.equal(await readFile(path, 'utf8'), besides(start)));
      assert.equal((await profile()).mode, 'plan');
      if (isOpen) {
        // What the person sees is what the file holds, and nothing waits to be saved.
        const seen = (): Promise<unknown> =>
          host.evaluate((vscode, open) => {
            const document = vscode.workspace.textDocuments.find(({ uri }) => uri.path === open);
            return [document?.getText(), document?.isDirty];
          }, path);
        await until(async () => assert.deepEqual(await seen(), [start, false]));
        await host.execute('workbench.action.closeActiveEditor');
      }
      await chooseProfile(editor, 'default');
      await host.evaluate(async (vscode) =>
        vscode.workspace.getConfiguration('agentCapabilities').update('saveTo', undefined, 1),
      );
      if (scope !== 'user') return put(path, old);
      // By the editor itself: it can take a change of the file for its own where it wrote a moment ago.
      const wanted = parse(old) as Record<string, unknown>;
      const now = parse(await readFile(path, 'utf8')) as Record<string, unknown>;
      for (const name of Object.keys({ ...now, ...wanted }))
        if (JSON.stringify(now[name]) !== JSON.stringify(wanted[name]))
          await host.evaluate(
            async (vscode, key, value) => vscode.workspace.getConfiguration().update(key, value ?? undefined, 1),
            name,
            wanted[name],
          );
      // What the editor knows takes effect at once, and must not do so in the middle of the next test.
      if (wanted['agentCapabilities.activeProfile'] === 'careful')
        await workbench.statusBarItem(/Careful · plan/).waitFor();
    });

  it('D.settings: the tree writes into a file without comments as it is indented, and changes nothing else in it', async () => {
    const { workbench } = editor;
    const text = (mode: string, math: string): string => `{
  "editor.rulers": [80, 120],
  "agentCapabilities.profiles": {
    "mine": { "name": "Mine", ${mode}"capabilities": ["file_system", ${math}] }
  }
}
`;
    await mkdir(dirname(file()), { recursive: true });
    await writeFile(file(), text('"mode": "plan", ', '"math"'));
    await until(async () =>
      assert.equal(
        await editor.host.evaluate(
          (vscode) => (vscode.workspace.getConfiguration('agentCapabilities').get('profiles') as any)?.mine?.name,
        ),
        'Mine',
      ),
    );
    await chooseProfile(editor, 'mine');
    await (
      await meant(editor, 'setMode', 'execute')
    ).result;
    await until(async () => assert.equal(await readFile(file(), 'utf8'), text('', '"math"')));
    await workbench.openContainer('Agent Capabilities');
    await workbench.setCheckbox('Capabilities', 'Math', false);
    const off = '{ "ref": "math", "enabled": false }';
    await until(async () => assert.equal(await readFile(file(), 'utf8'), text('', off)));
    await chooseProfile(editor, 'default');
    await writeFile(file(), '{}');
  });

  it('settings that are not saved are never saved by a change in the tree, but by the person; then comments stay', async () => {
    const { workbench, host } = editor;
    await mkdir(dirname(file()), { recursive: true });
    await writeFile(file(), commented('plan'));
    await until(async () =>
      assert.equal(
        await host.evaluate(
          (vscode) => (vscode.workspace.getConfiguration('agentCapabilities').get('profiles') as any)?.mine?.name,
        ),
        'Mine',
      ),
    );
    await chooseProfile(editor, 'mine');
    // The editor may hold the file from before, until it has seen that it changed.
    await until(async () =>
      assert.equal(
        await host.evaluate(async (vscode, path) => (await vscode.workspace.openTextDocument(path)).getText(), file()),
        commented('plan'),
      ),
    );
    await host.evaluate(async (vscode, path) => {
      const document = await vscode.workspace.openTextDocument(path);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(1, 0), '  // half a thought\n');
      await vscode.workspace.applyEdit(edit);
    }, file());
    const setting = (await meant(editor, 'setMode', 'execute')).result.then(
      () => '',
      (error: Error) => error.message,
    );
    assert.match(await workbench.modalText(), /Save the settings file first\?/);
    await workbench.pressModalButton('Cancel');
    const failed = await setting;
    assert.equal(await readFile(file(), 'utf8'), commented('plan'), failed);
    // Saved by the person's own word, what they wrote and the comments stay beside the change.
    const again = (await meant(editor, 'setMode', 'execute')).result;
    assert.match(await workbench.modalText(), /Save the settings file first\?/);
    await workbench.pressModalButton('Save and Go On');
    await again;
    const saved = commented('plan').replace('\n', '\n  // half a thought\n');
    await until(async () => assert.equal(await readFile(file(), 'utf8'), saved.replace(/\n *"mode": "plan",/, '')));
    await host.execute('workbench.action.closeAllEditors');
    await workbench.page.keyboard.press('Escape');
    await writeFile(file(), '{}');
  });
});
