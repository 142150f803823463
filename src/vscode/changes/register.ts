import { lazy } from '../../core/base/lazy';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { ChangeRow } from '../../core/present/changeRows';
import type { ByCommand, CommandRun } from '../manifest/commands/commandRun';
import { withTooltip } from '../tree/rowItem';
import { viewIds } from '../manifest/commands/viewIds';
import type { CommandRuns } from '../commands/commandRuns';
import type { CallChanges } from './callChanges';
import type { ChangesView } from './changesView';
import { type ChangeCommand, changeCommands, keptScheme, unseenKey } from './names';
import type { ShownChanges } from './shownChanges';

/** A view whose code is loaded when it is first looked at, or when an agent changes something. */
export interface LazyChanges extends Disposable {
  readonly calls: Pick<CallChanges, 'undoOf' | 'takeBack'>;
  isOwnRow(value: unknown): boolean;
}

/**
 * Registers the view "Changes by Agents" and its commands.
 * @param callOf the invocation id of the call that a link of the chat leads to.
 */
export function registerChanges(
  commands: CommandRuns,
  shown: ShownChanges,
  callOf: (token: string) => string | undefined,
  guard: (own: ByCommand<CommandRun>) => ByCommand<CommandRun>,
): LazyChanges {
  const store = new DisposableStore();
  const rows = new WeakSet<object>();
  const changed = store.add(new vscode.EventEmitter<void>());
  const loaded = lazy(async (): Promise<ChangesView> => {
    const { ChangesView: View } = await import('./changesView');
    return store.add(new View(shown, { view, rows, redraw: () => changed.fire() }));
  });
  const view: vscode.TreeView<ChangeRow> = store.add(
    vscode.window.createTreeView<ChangeRow>(viewIds.changes, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: async (row) => (await loaded()).item(row),
        getChildren: async (row) => [...(await (await loaded()).children(row))],
        resolveTreeItem: withTooltip,
      },
      canSelectMany: true,
    }),
  );
  const noted = (error: unknown): void => shown.onProblem(`the changes of agents cannot be shown: ${String(error)}`);
  const unseen = shown.storage.get(unseenKey);
  if (typeof unseen === 'number' && unseen > 0)
    import('./unseenBadge').then(({ unseenBadge }) => (view.badge ??= unseenBadge(unseen)), noted);
  store.add(
    shown.onDidChange(() => {
      loaded().then((opened) => opened.refresh(), noted);
    }),
  );
  const kept = async (): Promise<ChangesView['kept']> => (await loaded()).kept;
  store.add(
    vscode.workspace.registerFileSystemProvider(keptScheme, keptFiles(kept), {
      isReadonly: true,
      isCaseSensitive: true,
    }),
  );
  const run =
    (id: ChangeCommand): CommandRun =>
    async (...args: readonly unknown[]) =>
      (await loaded()).run(id, ...args);
  const undoCall: CommandRun = async (token?: unknown, ask?: unknown) => {
    const call = typeof token === 'string' ? callOf(token) : undefined;
    const { calls } = await loaded();
    return ask ? calls.tellOutcome(call) : calls.takeBack(call, 'undo');
  };
  const entries = changeCommands.map((id) => [`changes.${id}`, run(id)]);
  store.add(commands.add(guard({ ...Object.fromEntries(entries), 'changes.undoCall': undoCall })));
  return {
    isOwnRow: (value) => typeof value === 'object' && value !== null && rows.has(value),
    calls: {
      undoOf: async (calls) => (await loaded()).calls.undoOf(calls),
      takeBack: async (call, action) => (await loaded()).calls.takeBack(call, action),
    },
    dispose: () => store.dispose(),
  };
}

/** What files were before a change, to be read alone. */
function keptFiles(kept: () => Promise<ChangesView['kept']>): vscode.FileSystemProvider {
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  return {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => (await kept()).stat(uri),
    readFile: async (uri) => (await kept()).readFile(uri),
    readDirectory: refuse,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
}
