import { strict as assert } from 'node:assert';
import type { DataTransfer } from 'vscode';
import { TodoStore } from '../../../src/core/todos/store';
import { ContextKeys } from '../../../src/vscode/settings/contextKeys';
import { TodoView } from '../../../src/vscode/todos/todoView';
import { shownWindow } from '../../support/fakeVscode';
import { FakeClock, MemoryStore } from '../../support/toolContext';

const P = 'default';

function open(names: readonly string[]) {
  const log = { warn: assert.fail, error: assert.fail };
  const todos = new TodoStore({ storage: new MemoryStore(), clock: new FakeClock(), log });
  for (const name of names) todos.add(P, name);
  const commands = new Map<string, (...args: unknown[]) => unknown>();
  const view = new TodoView({
    todos,
    profile: () => ({ id: P, name: 'Default' }),
    onDidChangeProfile: () => ({ dispose: () => undefined }),
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
    named: () => todos.items(P).map(({ content }) => content),
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

  it('S3.todo: a key is about the selection; a click on a row that the editor no longer knows is about none', () => {
    const { view, run, named, dispose } = open(['A', 'B']);
    const tree = shownWindow.trees.get('agentCapabilities.todos');
    const [, second] = view.rows();
    assert.ok(tree && second);
    tree.select([second]);
    shownWindow.told = [];
    run('todo.delete', undefined, undefined);
    run('todo.moveUp', undefined);
    assert.deepEqual([named(), shownWindow.told.length], [['A', 'B'], 2]);
    run('todo.moveUp');
    assert.deepEqual(named(), ['B', 'A']);
    run('todo.delete', second, [second]);
    assert.deepEqual(named(), ['A']);
    dispose();
  });
});
