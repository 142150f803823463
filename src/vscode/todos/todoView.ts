import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import type { TodoStore } from '../../core/todos/store';
import { isTodoRow, type TodoRow, todoProgress, todoRows } from '../../core/present/todoRows';
import type { ContextKeys } from '../settings/contextKeys';
import type { CommandRuns } from '../commands/commandRuns';
import type { CommandRun } from '../manifest/commands/commandRun';
import type { todoCommandTable } from '../manifest/commands/todoCommandTable';
import { viewIds } from '../manifest/commands/viewIds';
import { draggedRows, rowItem, withTooltip } from '../tree/rowItem';
import type { ReadOnlyText } from '../files/readOnlyText';
import { DrawnTree, type Redraw } from '../../core/present/drawnTree';
import { TreeSelection } from '../tree/treeSelection';
import { isGoneRow, tellClickMetRedraw } from '../goneRow';

const viewId = viewIds.todos;
const dragged = draggedRows(viewId);

/** What the view shows and changes. */
interface ShownTodos {
  readonly todos: TodoStore;
  /** The profile whose list is shown. */
  readonly profile: () => { readonly id: string; readonly name: string };
  readonly onDidChangeProfile: Event<void>;
  readonly commands: CommandRuns;
  readonly keys: ContextKeys;
  readonly texts: ReadOnlyText;
}

/**
 * The view "Todos": the active profile's task list, in which the user ticks, edits, orders, adds and deletes beside the
 * agent. Every change goes to the store, which tells the agent at its next call. Also shows the progress in the status
 * bar.
 */
export class TodoView
  extends DisposableStore
  implements vscode.TreeDataProvider<TodoRow>, vscode.TreeDragAndDropController<TodoRow>
{
  readonly dropMimeTypes = [dragged.type];
  readonly dragMimeTypes = [dragged.type];
  readonly #shown: ShownTodos;
  readonly #changed = this.add(new vscode.EventEmitter<TodoRow[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #status: vscode.StatusBarItem;
  readonly view: vscode.TreeView<TodoRow>;
  readonly #selection: TreeSelection<TodoRow>;
  readonly #tree = new DrawnTree<TodoRow>();
  /** The profile whose list was drawn last. */
  #drawnOf = '';
  /** The profile whose task was selected: another one's may have its id. */
  #selectedOf = '';

  constructor(shown: ShownTodos) {
    super();
    this.#shown = shown;
    this.view = this.add(
      vscode.window.createTreeView(viewId, {
        treeDataProvider: this,
        dragAndDropController: this,
        canSelectMany: true,
        manageCheckboxStateManually: true,
      }),
    );
    this.#selection = this.add(
      new TreeSelection<TodoRow>({
        view: this.view,
        isAwaited: () => this.#tree.isAwaited,
        giveUp: () => this.#tree.giveUp(),
        current: (row) =>
          this.#selectedOf === this.#profileId && this.#tree.top(row.id) ? this.#tree.current(row) : undefined,
        changed: () => {
          this.#selectedOf = this.#profileId;
          this.#describeSelection();
        },
      }),
    );
    this.#status = this.add(
      vscode.window.createStatusBarItem('agentCapabilities.todos', vscode.StatusBarAlignment.Left, 9),
    );
    this.#status.name = vscode.l10n.t('Agent todos');
    this.#status.command = `${viewId}.focus`;
    this.add(this.view.onDidChangeCheckboxState(({ items }) => this.#checked(items)));
    this.add(shown.todos.onDidChange(({ profileId }) => void (profileId === this.#profileId && this.#draw())));
    this.add(shown.onDidChangeProfile(() => this.#draw()));
    this.add(shown.commands.add(this.#commands()));
    this.#draw();
  }

  getTreeItem(handle: TodoRow): vscode.TreeItem {
    return rowItem(this.#tree.current(handle), `${this.#drawnOf}/${handle.id}`);
  }

  resolveTreeItem(item: vscode.TreeItem, row: TodoRow): vscode.TreeItem {
    return withTooltip(item, this.#tree.current(row));
  }

  getChildren(row?: TodoRow): TodoRow[] {
    if (row) return [];
    const rows = [...this.#tree.children()];
    this.#selection.answers();
    return rows;
  }

  getParent(): undefined {
    return undefined;
  }

  /** The rows as they stand. */
  rows(): readonly TodoRow[] {
    return todoRows(this.#shown.todos.items(this.#profileId), vscode.l10n.t);
  }

  handleDrag(rows: readonly TodoRow[], data: vscode.DataTransfer): void {
    dragged.put(
      rows.map((row) => row.id),
      data,
    );
  }

  handleDrop(target: TodoRow | undefined, data: vscode.DataTransfer): void {
    const { todos } = this.#shown;
    const profileId = this.#profileId;
    let last: string | undefined;
    for (const id of dragged.take(data)) {
      const items = todos.items(profileId);
      const at = (wanted: string): number => items.findIndex((item) => item.id === wanted);
      if (at(id) < 0) continue;
      // What goes down leaves a place behind, into which those between move up.
      const afterLast = (before: string): number => at(before) + (at(id) > at(before) ? 1 : 0);
      const to = last !== undefined ? afterLast(last) : target ? at(target.id) : items.length - 1;
      todos.moveTo(profileId, id, to);
      last = id;
    }
  }

  get #profileId(): string {
    return this.#shown.profile().id;
  }

  #commands(): Readonly<Record<keyof typeof todoCommandTable, CommandRun>> {
    const { todos } = this.#shown;
    const each =
      (change: (id: string) => unknown) =>
      async (...args: readonly unknown[]) => {
        for (const one of await this.#about(args)) change(one.id);
      };
    const first =
      (change: (row: TodoRow) => unknown) =>
      async (...args: readonly unknown[]) => {
        const [one] = await this.#about(args);
        return one && change(one);
      };
    return {
      'todo.add': async () => {
        const [profileId, after] = [this.#profileId, this.#selection.rows[0]?.id];
        await (await this.#editing()).addTodo(todos, profileId, after);
      },
      'todo.edit': first(async (row) => {
        const profileId = this.#profileId;
        await (await this.#editing()).editTodo(todos, profileId, row.id);
      }),
      // In one step, so that one undo brings all of them back.
      'todo.delete': async (...args) =>
        todos.remove(this.#profileId, ...(await this.#about(args)).map((one) => one.id)),
      'todo.toggle': each((id) => this.#toggle(id)),
      'todo.start': first((row) => todos.setStatus(this.#profileId, row.id, 'in_progress')),
      'todo.setPriority': first(async (row) => {
        const profileId = this.#profileId;
        await (await this.#editing()).pickPriority(todos, profileId, row);
      }),
      'todo.moveUp': first((row) => todos.move(this.#profileId, row.id, -1)),
      'todo.moveDown': first((row) => todos.move(this.#profileId, row.id, 1)),
      'todo.undo': async () => (await this.#editing()).undoTodos(todos, this.#profileId),
      'todo.redo': async () => (await this.#editing()).redoTodos(todos, this.#profileId),
      'todo.clearCompleted': () => todos.clearCompleted(this.#profileId),
      'todo.export': async () => (await this.#editing()).exportTodos(todos, this.#shown.profile()),
      'todo.history': async () => (await this.#editing()).showHistory(todos, this.#profileId, this.#shown.texts),
    };
  }

  /** What a command works on: the rows that the editor passes; for a key, which passes none, the selection. */
  async #about(args: readonly unknown[]): Promise<readonly TodoRow[]> {
    if (args.length === 0) return (await this.#selection.settled()) ?? [];
    if (isGoneRow(args)) return [];
    const [clicked, selected] = args;
    return (Array.isArray(selected) && selected.length > 0 ? selected : [clicked].flat()).filter(isTodoRow);
  }

  #checked(items: readonly [TodoRow, vscode.TreeItemCheckboxState][]): void {
    // The editor was fetching rows anew and no longer knows which box it was.
    if (items.length === 0 || this.#drawnOf !== this.#profileId) return tellClickMetRedraw();
    for (const [row, state] of items) {
      this.#tree.clicked(row, state === vscode.TreeItemCheckboxState.Checked);
      this.#shown.todos.setStatus(
        this.#profileId,
        row.id,
        state === vscode.TreeItemCheckboxState.Checked ? 'completed' : 'pending',
      );
    }
  }

  #toggle(id: string): void {
    const item = this.#shown.todos.items(this.#profileId).find((one) => one.id === id);
    if (item) this.#shown.todos.setStatus(this.#profileId, id, item.status === 'completed' ? 'pending' : 'completed');
  }

  /** What asks or shows something is loaded with its first use. */
  async #editing() {
    return await import('./editTodos');
  }

  #draw(): void {
    const { todos, keys } = this.#shown;
    const items = todos.items(this.#profileId);
    keys.set('todo.canUndo', todos.canUndo(this.#profileId));
    keys.set('todo.canRedo', todos.canRedo(this.#profileId));
    keys.set('todo.hasItems', items.length > 0);
    keys.set(
      'todo.hasCompleted',
      items.some((item) => item.status === 'completed'),
    );
    const progress = todoProgress(items, vscode.l10n.t);
    if (progress) {
      this.#status.text = progress.text;
      this.#status.tooltip = vscode.l10n.t('Show the tasks of the agent');
      this.#status.accessibilityInformation = { label: progress.label, role: 'button' };
      this.#status.show();
    } else this.#status.hide();
    this.view.description = this.#shown.profile().name;
    void this.#selection.drawInTurn(() => this.#drawRows());
  }

  #drawRows(): void {
    const redraw = this.#tree.update(this.rows());
    const isAnother = this.#drawnOf !== this.#profileId;
    this.#drawnOf = this.#profileId;
    this.#describeSelection();
    this.#tell(isAnother ? this.#tree.reopen() : redraw);
  }

  /** Draws as little as possible: a row that the editor fetches anew is forgotten meanwhile. */
  #tell(redraw: Redraw<TodoRow>): void {
    if (redraw.type === 'all') this.#changed.fire(undefined);
    else if (redraw.type === 'rows' && redraw.rows.length > 0) this.#changed.fire([...redraw.rows]);
  }

  #describeSelection(): void {
    this.#shown.keys.set('todo.hasSelection', this.#selection.rows.length > 0);
  }
}
