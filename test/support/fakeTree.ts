import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 } as const;

interface Item<T> {
  readonly handle: T;
  readonly parent: Item<T> | undefined;
  drawn: vscode.TreeItem;
  box: boolean | undefined;
  /** Undefined where the editor has not fetched them. */
  children: Item<T>[] | undefined;
}

/**
 * A tree view of the editor as VS Code 1.139 draws one. It gathers changes for a while; then it forgets the rows that
 * it is to fetch anew, asks for them a while later, level by level, and a click on a forgotten row reaches nobody. It
 * remembers by id which rows stand open, and it sets the boxes around a row whose own box changed when that was drawn
 * alone, even where the extension manages them.
 */
export class FakeTree<T> {
  readonly #provider: vscode.TreeDataProvider<T>;
  readonly #delay: () => number;
  readonly #open = new Map<string, boolean>();
  readonly #checked = new EventEmitter<{ items: [T, number][] }>();
  readonly #collapsed = new EventEmitter<{ element: T }>();
  readonly #expanded = new EventEmitter<{ element: T }>();
  readonly #never = new EventEmitter<never>();
  readonly #following: { dispose(): void } | undefined;
  #roots: Item<T>[] = [];
  #fetch = 0;
  /** What was told and is not drawn yet. */
  #told: Set<T> | 'all' | undefined;
  #disposed = false;
  readonly onDidChangeCheckboxState = this.#checked.event;
  readonly onDidCollapseElement = this.#collapsed.event;
  readonly onDidExpandElement = this.#expanded.event;
  readonly #selected = new EventEmitter<{ selection: readonly T[] }>();
  readonly onDidChangeSelection = this.#selected.event;
  readonly onDidChangeVisibility = this.#never.event;
  /** What the editor knows of the selection: while it fetches rows, nothing. */
  selection: readonly T[] = [];
  readonly visible = true;
  description: string | undefined;
  message: string | undefined;
  badge: unknown;

  constructor(provider: vscode.TreeDataProvider<T>, delay: () => number) {
    this.#provider = provider;
    this.#delay = delay;
    this.#following = provider.onDidChangeTreeData?.((changed) => this.#tell(changed));
    this.#tell(undefined);
  }

  select(rows: readonly T[]): void {
    this.selection = rows;
    this.#selected.fire({ selection: rows });
  }

  #later(work: () => void): void {
    setTimeout(() => {
      if (!this.#disposed) work();
    }, this.#delay());
  }

  #tell(changed: T | readonly T[] | undefined | null | void): void {
    const isFirst = this.#told === undefined;
    if (changed === undefined || changed === null || this.#told === 'all') this.#told = 'all';
    else this.#told = new Set([...(this.#told ?? []), ...(Array.isArray(changed) ? changed : [changed as T])]);
    if (!isFirst) return;
    this.#later(() => {
      const told = this.#told;
      this.#told = undefined;
      if (told === 'all') this.#fetchAll();
      else for (const handle of told ?? []) this.#drawOne(handle);
    });
  }

  #fetchAll(): void {
    const fetch = ++this.#fetch;
    this.#roots = [];
    this.#later(() => {
      if (fetch !== this.#fetch) return;
      this.#roots = this.#ask(undefined);
    });
  }

  #ask(parent: Item<T> | undefined): Item<T>[] {
    const handles = this.#provider.getChildren(parent?.handle) as T[];
    const items = handles.map((handle): Item<T> => {
      const drawn = this.#provider.getTreeItem(handle) as vscode.TreeItem;
      return { handle, parent, drawn, box: boxOf(drawn), children: undefined };
    });
    for (const item of items) if (this.#isOpen(item)) this.#askLater(item);
    return items;
  }

  #askLater(item: Item<T>): void {
    this.#later(() => {
      if (this.#has(item) && this.#isOpen(item)) item.children ??= this.#ask(item);
    });
  }

  #drawOne(handle: T): void {
    const item = this.#all().find((one) => one.handle === handle);
    if (!item) return;
    item.drawn = this.#provider.getTreeItem(handle) as vscode.TreeItem;
    const box = boxOf(item.drawn);
    const changed = box !== item.box;
    item.box = box;
    item.children = undefined;
    if (changed) cascadeUp(item);
    if (this.#isOpen(item)) this.#askLater(item);
  }

  #all(items = this.#roots): Item<T>[] {
    return items.flatMap((item) => [item, ...this.#all(item.children ?? [])]);
  }

  #has(item: Item<T>): boolean {
    return this.#all().includes(item);
  }

  #isOpen({ drawn }: Item<T>): boolean {
    if (drawn.collapsibleState === TreeItemCollapsibleState.None) return false;
    return this.#open.get(drawn.id ?? '') ?? drawn.collapsibleState === TreeItemCollapsibleState.Expanded;
  }

  #find(label: string): Item<T> | undefined {
    return this.#shownItems().find(({ drawn }) => drawn.label === label);
  }

  #shownItems(items = this.#roots): Item<T>[] {
    return items.flatMap((item) => [item, ...(this.#isOpen(item) ? this.#shownItems(item.children ?? []) : [])]);
  }

  /** The rows that the person sees, each with its box. */
  shown(): string[] {
    return this.#shownItems().map(({ drawn, box }) => `${box === true ? '☑' : '☐'} ${String(drawn.label)}`);
  }

  /**
   * A click on a row's box. The editor that has forgotten the row tells of a click, but not of which.
   * @returns whether the box was there.
   */
  click(label: string): boolean {
    const item = this.#find(label);
    if (item?.box === undefined) {
      this.#checked.fire({ items: [] });
      return false;
    }
    item.box = !item.box;
    const state = item.box ? TreeItemCheckboxState.Checked : TreeItemCheckboxState.Unchecked;
    this.#checked.fire({ items: [[item.handle, state]] });
    return true;
  }

  expand(label: string): void {
    const item = this.#find(label);
    assert.ok(item, `the row ${label} is there`);
    if (this.#isOpen(item)) return;
    this.#open.set(item.drawn.id ?? '', true);
    this.#expanded.fire({ element: item.handle });
    this.#askLater(item);
  }

  collapse(label: string): void {
    const item = this.#find(label);
    if (!item || !this.#isOpen(item)) return;
    this.#open.set(item.drawn.id ?? '', false);
    this.#collapsed.fire({ element: item.handle });
  }

  dispose(): void {
    this.#disposed = true;
    this.#following?.dispose();
  }
}

function boxOf({ checkboxState }: vscode.TreeItem): boolean | undefined {
  if (checkboxState === undefined) return undefined;
  const state = typeof checkboxState === 'object' ? checkboxState.state : checkboxState;
  return Number(state) === Number(TreeItemCheckboxState.Checked);
}

function cascadeUp<T>({ parent }: Item<T>): void {
  if (parent?.box === undefined || !parent.children) return;
  const boxes = parent.children.map((child) => child.box);
  if (boxes.every(Boolean)) parent.box = true;
  else if (boxes.includes(false)) parent.box = false;
}
