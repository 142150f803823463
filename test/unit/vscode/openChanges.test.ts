import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { KeptContent } from '../../../src/vscode/changes/keptContent';
import { openConflict } from '../../../src/vscode/changes/openChanges';
import { makeChanges } from '../../support/changes';
import { shownWindow, Uri, workspace as editor } from '../../support/fakeVscode';

describe('a conflict in Changes by Agents', () => {
  it('D.undo: names its sides by what stands on them, of an undo and of a redo', async () => {
    const kept = makeChanges();
    const { workspace, history } = kept;
    editor.workspaceFolders = [{ uri: Uri.from({ scheme: 'file', path: workspace.root }), name: 'w', index: 0 }];
    workspace.put({ 'a.txt': 'from before' });
    await kept.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const side = async (isRedo: boolean) => {
      const past = await history();
      const change = past.changes.find((one) => (one.reverts !== undefined) === isRedo);
      assert.ok(change);
      const content = new KeptContent(async () => kept.store);
      const now = Uri.from({ scheme: 'now', path: '/a.txt' }) as unknown as vscode.Uri;
      const parts = { kept: content, files: workspace.files, history: past };
      await openConflict(change, { ...parts, readNow: async () => now });
      const [merge] = shownWindow.called.at(-1)?.args ?? [];
      const { input1 } = merge as { input1: { uri: vscode.Uri; title: string } };
      return { title: input1.title, text: Buffer.from(await content.readFile(input1.uri)).toString() };
    };
    assert.deepEqual(await side(false), { title: 'Without the agent’s change', text: 'from before' });
    await kept.undo({ file: 'a.txt' });
    assert.deepEqual(await side(true), { title: 'With the agent’s change again', text: 'by the agent' });
    editor.workspaceFolders = [];
    kept.dispose();
  });
});
