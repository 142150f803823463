import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { ContextKeys } from '../../../src/vscode/settings/contextKeys';
import { ChangesView } from '../../../src/vscode/changes/changesView';
import type { PastCall } from '../../../src/core/audit/recentCalls';
import type { ChangeRow } from '../../../src/core/present/changeRows';
import { nodeCrypto } from '../../../src/node/system';
import { makeChanges } from '../../support/changes';
import { EventEmitter } from '../../support/fakeTree';
import { shownWindow, Uri, workspace as editor } from '../../support/fakeVscode';
import { until } from '../../support/editor/until';
import { MemoryStore } from '../../support/toolContext';

const never = () => ({ dispose: () => undefined });

/** The view over a workspace whose changes are kept. */
function open(more: { readonly faults?: number; readonly past?: Partial<PastCall> } = {}) {
  const kept = makeChanges();
  const { workspace, gate, store } = kept;
  editor.workspaceFolders = [{ uri: Uri.from({ scheme: 'file', path: workspace.root }), name: 'w', index: 0 }];
  let reads = 0;
  let drawn = 0;
  let faults = more.faults ?? 0;
  const counted = {
    ...store,
    read: async () => {
      reads++;
      if (faults-- > 0) throw new Error('the disk is away');
      return store.read();
    },
    image: (hash: string) => store.image(hash),
  };
  const problems: string[] = [];
  const selected = new EventEmitter<unknown>();
  const tree = {
    visible: true,
    selection: [] as readonly ChangeRow[],
    badge: undefined,
    onDidChangeVisibility: never,
    onDidCollapseElement: never,
    onDidChangeSelection: selected.event,
    select(rows: readonly ChangeRow[]): void {
      tree.selection = rows;
      selected.fire({ selection: rows });
    },
  };
  const settings = new EventEmitter<unknown>();
  const make = () =>
    new ChangesView(
      {
        changes: { store: async () => counted, reverting: (_id, work) => work() },
        files: workspace.files,
        crypto: nodeCrypto,
        router: gate.router,
        storage: new MemoryStore(),
        keys: new ContextKeys(),
        profileName: (id) => id,
        toolTitle: (id) => id,
        decorates: () => true,
        // reason: the test says what the view reads of it
        pastCall: () => more.past as PastCall | undefined,
        onDidChange: never,
        onDidChangeSettings: settings.event,
        onProblem: (message) => problems.push(message),
      },
      { view: tree as unknown as vscode.TreeView<ChangeRow>, rows: new WeakSet(), redraw: () => void drawn++ },
    );
  return {
    ...kept,
    make,
    tree,
    settings,
    problems,
    reads: () => reads,
    drawn: () => drawn,
    close(view: ChangesView) {
      view.dispose();
      editor.workspaceFolders = [];
      kept.dispose();
    },
  };
}

/** Longer than the view waits for more that happens. */
const rest = (): Promise<void> => new Promise((done) => setTimeout(done, 250));

describe('the view Changes by Agents', () => {
  it('D.undo: its first look reads what was kept once, for rows, files, badge and marks', async () => {
    const window = open();
    await window.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const view = window.make();
    const [burst] = await view.children();
    assert.ok(burst);
    const item = await view.item(burst);
    assert.equal(item.tooltip, undefined, 'a tooltip is made when somebody points at the row');
    assert.deepEqual(
      (await view.children(burst)).map(({ label }) => label),
      ['a.txt'],
    );
    await rest();
    assert.equal(window.reads(), 1);
    assert.deepEqual(window.tree.badge, { value: 1, tooltip: '1 change by agents was not looked at yet' });
    window.close(view);
  });

  it('D.undo: a row follows its file, whoever changes it, and other files do not count', async () => {
    const window = open();
    await window.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const view = window.make();
    const [burst] = await view.children();
    assert.ok(burst);
    const said = async () => (await view.children(burst)).map((row) => row.description);
    assert.match(String(await said()), /as the agent left it/);
    await rest();
    window.workspace.put({ 'a.txt': 'by a terminal', 'b.txt': 'something else' });
    shownWindow.changedFiles.fire(Uri.file(`${window.workspace.root}/b.txt`));
    await rest();
    assert.equal(window.drawn(), 0);
    shownWindow.changedFiles.fire(Uri.file(`${window.workspace.root}/a.txt`));
    await until(() => assert.equal(window.drawn(), 1));
    assert.match(String(await said()), /changed since/);
    window.close(view);
  });

  it('D.undo: a click on a row that the editor no longer knows is about no other row', async () => {
    const window = open();
    await window.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const view = window.make();
    window.tree.select(await view.children());
    shownWindow.told = [];
    for (const id of ['undo', 'undoSince', 'redo', 'markSeen', 'open'] as const)
      await view.run(id, undefined, undefined);
    assert.deepEqual(
      [readFileSync(window.workspace.at('a.txt'), 'utf8'), new Set(shownWindow.told)],
      ['by the agent', new Set(['The view was being redrawn, so that did nothing: do it again.'])],
    );
    window.close(view);
  });

  it('D.undo: a key pressed twice takes back once, and says then that nothing is left', async () => {
    const window = open();
    await window.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const view = window.make();
    const rows = await view.children();
    shownWindow.told = [];
    await Promise.all([view.run('undo', rows[0], rows), view.run('undo', rows[0], rows)]);
    await view.run('undoSince', rows[0], rows);
    await view.run('redo', rows[0], rows);
    await view.run('redo', rows[0], rows);
    assert.deepEqual(shownWindow.told, [
      'The change of a.txt was taken back.',
      'There is nothing to undo.',
      'There is nothing to undo.',
      'The change of a.txt was made again.',
      'There is nothing to redo.',
    ]);
    window.close(view);
  });

  it('D.undo: from the palette, where no row is selected, the person picks which changes are meant', async () => {
    const window = open();
    await window.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const view = window.make();
    const offered: unknown[] = [];
    const picks = (take: boolean) => (items: readonly { label: string; description?: string }[]) => {
      offered.push(items.map(({ description }) => description));
      return take ? items[0] : undefined;
    };
    shownWindow.told = [];
    shownWindow.answer = picks(false) as typeof shownWindow.answer;
    await view.run('undo');
    assert.equal(readFileSync(window.workspace.at('a.txt'), 'utf8'), 'by the agent', 'who leaves changes nothing');
    shownWindow.answer = picks(true) as typeof shownWindow.answer;
    await view.run('undo');
    await view.run('undo');
    await view.run('redo');
    await view.run('undoSince');
    assert.deepEqual(shownWindow.told, [
      'The change of a.txt was taken back.',
      'There is nothing to undo.',
      'The change of a.txt was made again.',
      'The change of a.txt was taken back.',
    ]);
    shownWindow.answer = () => undefined;
    assert.equal(offered.length, 4);
    assert.match(String(offered[0]), /1 file/);
    window.close(view);
  });

  it('D.undo: the way back of a call that changed nothing says why: declined, denied, or nothing to take back', async () => {
    const told = async (past?: Partial<PastCall>) => {
      const window = open(past ? { past } : {});
      const view = window.make();
      shownWindow.told = [];
      await view.calls.takeBack('c', 'undo');
      await view.calls.tellOutcome('c');
      window.close(view);
      return shownWindow.told;
    };
    const declined = 'You declined this call: nothing was changed.';
    const denied = 'This call was denied: nothing was changed.';
    assert.deepEqual(await told({ outcome: 'denied', code: 'declined' }), [declined, declined]);
    assert.deepEqual(await told({ outcome: 'denied', code: 'denied_by_policy' }), [denied, denied]);
    assert.deepEqual(await told({ outcome: 'failed', code: 'no_match', message: 'm', toolName: 'edit_file' }), [
      'This call changed nothing that can be taken back.',
      'edit_file did not succeed: no match.',
    ]);
    assert.deepEqual(await told(), [
      'This call changed nothing that can be taken back.',
      'This call has not ended, or many came after it. The audit view has every call that ended.',
    ]);
  });

  it('D.undo: the outcome of a call that ran says what it changed, and taking it back that it is done', async () => {
    const window = open({ past: { outcome: 'ran' } });
    await window.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const call = (await window.history()).changes[0]?.call;
    const view = window.make();
    shownWindow.told = [];
    await view.calls.tellOutcome(call);
    await view.calls.takeBack(call, 'undo');
    await view.calls.tellOutcome(call);
    assert.deepEqual(shownWindow.told, [
      'This call ran and made 1 change.',
      'The change of a.txt was taken back.',
      'What this call changed was taken back already.',
    ]);
    window.close(view);
  });

  it('a record that cannot be read is told in the log, and read again with the next look', async () => {
    const window = open({ faults: 2 });
    await window.ok('write_file', { path: 'a.txt', content: 'by the agent' });
    const view = window.make();
    await until(() => assert.equal(window.problems.length, 1));
    window.settings.fire(undefined);
    await until(() => assert.equal(window.problems.length, 2));
    assert.match(window.problems[1] ?? '', /the disk is away/);
    assert.equal((await view.children()).length, 1);
    window.close(view);
  });

  it('D.undo: a key that meets the rows being drawn anew is about its row, and not about nothing', async () => {
    const window = open();
    const { tree, ok, workspace } = window;
    workspace.put({ 'a.txt': 'before\n' });
    await ok('write_file', { path: 'a.txt', content: 'after\n' });
    const view = window.make();
    const [row] = await view.children();
    assert.ok(row);
    tree.select([row]);
    shownWindow.told.length = 0;
    await view.run('refresh');
    await until(() => assert.equal(window.drawn(), 1));
    // The editor has forgotten its rows, and with them what is selected.
    tree.selection = [];
    await view.run('undo');
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'before\n');
    // Another one is selected meanwhile, and the editor does not say which until it has the rows.
    tree.select([]);
    const again = view.run('redo');
    const [same] = await view.children();
    assert.ok(same);
    await view.item(same);
    tree.selection = [same];
    await again;
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'after\n');
    // A file below an open row is known only once the rows there are, long after those at the top.
    await view.children(same);
    const drawn = window.drawn();
    await view.run('refresh');
    await until(() => assert.ok(window.drawn() > drawn));
    tree.select([]);
    const below = view.run('undo');
    await view.children();
    await rest();
    const [file] = await view.children(same);
    assert.ok(file?.file);
    tree.selection = [file];
    await below;
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'before\n');
    assert.doesNotMatch(shownWindow.told.join(), /nothing to undo/);
    window.close(view);
  });
});
