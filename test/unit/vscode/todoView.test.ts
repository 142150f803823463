import { strict as assert } from 'node:assert';
import type { DataTransfer } from 'vscode';
import { TodoStore } from '../../../src/core/todos/store';
import { ContextKeys } from '../../../src/vscode/settings/contextKeys';
import { TodoView } from '../../../src/vscode/todos/todoView';
import { EventEmitter } from '../../support/fakeTree';
import { until } from '../../support/editor/until';
import { shownWindow } from '../../support/fakeVscode';
import { FakeClock, MemoryStore } from '../../support/toolContext';

const P = 'default';

function open(names: readonly string[]) {
  const log = { warn: assert.fail, error: assert.fail };
  const todos = new TodoStore({ storage: new MemoryStore(), clock: new FakeClock(), log });
  for (const name of names) todos.add(P, name);
  let active = P;
  const switched = new EventEmitter<void>();
  const commands = new Map<string, (...args: unknown[]) => unknown>();
  const view = new TodoView({
    todos,
    profile: () => ({ id: active, name: 'Default' }),
    onDidChangeProfile: switched.event,
    commands: {
      add: (runs: Readonly<Record<string, (...args: unknown[]) => unknown>>) => {
        for (const [id, run] of Object.entries(runs)) commands.set(id, run);
        return { dispose: () => undefined };
      },
    },
    keys: new ContextKeys(),
    texts: {},
  } as never);
  return {
    view,
    run: (id: string, ...args: readonly unknown[]) => commands.get(id)?.(...args),
    switchTo(profile: string, names: readonly string[]): void {
      for (const name of names) todos.add(profile, name);
      active = profile;
      switched.fire();
    },
    add: (name: string) => void todos.add(P, name),
    named: (profile = P) => todos.items(profile).map(({ content }) => content),
    done: () =>
      todos
        .items(P)
        .filter(({ status }) => status === 'completed')
        .map(({ content }) => content),
    dispose(): void {
      view.dispose();
      todos.dispose();
    },
  };
}

describe('the Todos view', () => {
  it('S3.todo: several tasks that are dragged stay together, in their order, wherever they are dropped', () => {
    const all = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const cases: readonly (readonly [dragged: string, target: string | undefined, left: string])[] = [
      ['ABC', 'E', 'DEABCFG'],
      ['AB', 'D', 'CDABEFG'],
      ['EF', 'B', 'AEFBCDG'],
      ['A', 'C', 'BCADEFG'],
      ['AC', undefined, 'BDEFGAC'],
      ['AG', 'D', 'BCDAGEF'],
    ];
    for (const [dragged, target, left] of cases) {
      const { view, named, dispose } = open(all);
      const rows = view.rows();
      const held = new Map<string, unknown>();
      view.handleDrag(
        rows.filter((_row, at) => dragged.includes(all[at] ?? '')),
        held as unknown as DataTransfer,
      );
      view.handleDrop(target === undefined ? undefined : rows[all.indexOf(target)], held as unknown as DataTransfer);
      assert.equal(named().join(''), left, `${dragged} on ${target}`);
      dispose();
    }
  });

  it('S3.todo: a key is about the selection; a click on a row that the editor no longer knows is about none', async () => {
    const { view, run, named, dispose } = open(['A', 'B']);
    const tree = shownWindow.trees.get('agentCapabilities.todos');
    const [, second] = view.rows();
    assert.ok(tree && second);
    tree.select([second]);
    shownWindow.told = [];
    await run('todo.delete', undefined, undefined);
    await run('todo.moveUp', undefined);
    assert.deepEqual([named(), shownWindow.told.length], [['A', 'B'], 2]);
    await run('todo.moveUp');
    assert.deepEqual(named(), ['B', 'A']);
    await run('todo.delete', second, [second]);
    assert.deepEqual(named(), ['A']);
    dispose();
  });

  it('S3.todo: a tick draws its row alone, so that the editor forgets no other; a task that comes draws all', async () => {
    const { view, run, add, dispose } = open(['A', 'B']);
    const [first] = view.getChildren();
    assert.ok(first);
    const told: unknown[] = [];
    const listening = view.onDidChangeTreeData((rows) => told.push(rows));
    await run('todo.toggle', first, [first]);
    // Once the editor has taken over the rows that it asked for.
    await until(() => assert.deepEqual(told, [[first]]));
    assert.equal(Array.isArray(told[0]) && told[0][0], first, 'the editor knows a row by its object');
    const { checkboxState } = view.getTreeItem(first);
    assert.deepEqual(
      [checkboxState && Object(checkboxState).state, view.getTreeItem(first).contextValue],
      [1, 'todo.completed'],
    );
    add('C');
    await until(() => assert.deepEqual(told.slice(1), [undefined]));
    listening.dispose();
    dispose();
  });

  it('S3.todo: what is selected in one profile is none of the tasks of another, which have the same ids', async () => {
    const { view, run, named, switchTo, dispose } = open(['A', 'B']);
    const tree = shownWindow.trees.get('agentCapabilities.todos');
    const [first] = view.getChildren();
    assert.ok(tree && first);
    tree.select([first]);
    switchTo('other', ['X']);
    await run('todo.delete');
    assert.deepEqual(named('other'), ['X']);
    assert.deepEqual(named(), ['A', 'B']);
    dispose();
  });

  it('S3.todo: keys that meet rows being drawn anew are about their task; a box that does says that nothing happened', async () => {
    const { view, run, named, done, dispose } = open(['A', 'B', 'C']);
    const tree = shownWindow.trees.get('agentCapabilities.todos');
    const [first, second] = view.getChildren();
    assert.ok(tree && first && second);
    tree.select([first]);
    await run('todo.toggle');
    // The editor fetches the rows and knows of none: the next key is about the same one.
    tree.selection = [];
    await run('todo.toggle');
    await run('todo.toggle');
    assert.deepEqual(done(), ['A']);
    // One goes down meanwhile, and the editor does not say where to until it has the rows.
    tree.select([]);
    const deleted = run('todo.delete');
    view.getChildren();
    tree.selection = [second];
    await deleted;
    assert.deepEqual(named(), ['A', 'C']);
    // Two keys wait for two rows: which the first was about nobody can say, and it is done to neither.
    shownWindow.told = [];
    tree.select([]);
    const unknown = run('todo.toggle');
    tree.select([]);
    const known = run('todo.toggle');
    const [only, last] = view.getChildren();
    assert.ok(only && last);
    tree.selection = [last];
    await Promise.all([unknown, known]);
    assert.deepEqual([done(), shownWindow.told.length], [['A', 'C'], 1]);
    shownWindow.told = [];
    tree.click('no such task');
    assert.equal(shownWindow.told.length, 1);
    dispose();
  });
});
