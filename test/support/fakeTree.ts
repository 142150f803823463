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

/** The editor gathers what it is told until nothing more came for so long, in milliseconds. */
const gatherMs = 200;

/**
 * A tree view of the editor as VS Code 1.139 draws one. It draws the first change at once and gathers those that
 * follow; it forgets the rows that it is to fetch anew, asks for them a while later, level by level, and a click on a
 * forgotten row reaches nobody. For what was gathered meanwhile it forgets them once more after that. It remembers by
 * id which rows stand open, and it sets the boxes around a row whose own box changed when that was drawn alone, even
 * where the extension manages them.
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
  /** What was told while others are gathered. */
  #told: Set<T> | 'all' | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #drawing: Promise<void> = Promise.resolve();
  #selectedLabel: string | undefined;
  readonly #idOf = new Map<string, string>();
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

  /** Selects the row of this label as a key does; while the editor has forgotten it, it tells of nothing. */
  selectLabel(label: string): void {
    const item = this.#find(label);
    this.select(item ? [item.handle] : []);
    this.#selectedLabel = label;
  }

  #later(): Promise<void> {
    return new Promise((done) => {
      setTimeout(() => {
        if (!this.#disposed) done();
      }, this.#delay());
    });
  }

  /** The first is drawn at once, those that follow together once none came for a while; one after the other. */
  #tell(changed: T | readonly T[] | undefined | null | void): void {
    const all = changed === undefined || changed === null;
    const told = all ? 'all' : new Set(Array.isArray(changed) ? (changed as T[]) : [changed as T]);
    if (this.#gathering === undefined) this.#draw(told);
    else if (told === 'all' || this.#told === 'all') this.#told = 'all';
    else this.#told = new Set([...(this.#told ?? []), ...told]);
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(() => {
      const gathered = this.#told;
      this.#gathering = this.#told = undefined;
      if (gathered && !this.#disposed) this.#draw(gathered);
    }, gatherMs);
  }

  #draw(told: Set<T> | 'all'): void {
    this.#drawing = this.#drawing.then(async () => {
      if (told === 'all') await this.#fetchAll();
      else for (const handle of told) await this.#drawOne(handle);
    });
  }

  async #fetchAll(): Promise<void> {
    this.#roots = [];
    this.selection = [];
    await this.#later();
    this.#roots = await this.#ask(undefined, (items) => (this.#roots = items));
  }

  /** Asks level by level; what it got is there before it asks for what is below. */
  async #ask(parent: Item<T> | undefined, got: (items: Item<T>[]) => void): Promise<Item<T>[]> {
    const handles = this.#provider.getChildren(parent?.handle) as T[];
    const items = handles.map((handle): Item<T> => {
      const drawn = this.#provider.getTreeItem(handle) as vscode.TreeItem;
      this.#idOf.set(String(drawn.label), drawn.id ?? '');
      return { handle, parent, drawn, box: boxOf(drawn), children: undefined };
    });
    got(items);
    this.#reselect();
    await Promise.all(items.filter((item) => this.#isOpen(item)).map((item) => this.#askBelow(item)));
    return items;
  }

  async #askBelow(item: Item<T>): Promise<void> {
    await this.#later();
    if (this.#has(item) && this.#isOpen(item) && !item.children)
      await this.#ask(item, (children) => (item.children = children));
  }

  async #drawOne(handle: T): Promise<void> {
    const item = this.#all().find((one) => one.handle === handle);
    if (!item) return;
    item.drawn = this.#provider.getTreeItem(handle) as vscode.TreeItem;
    const box = boxOf(item.drawn);
    const changed = box !== item.box;
    item.box = box;
    item.children = undefined;
    if (changed) cascadeUp(item);
    if (this.#isOpen(item)) await this.#askBelow(item);
  }

  /** A selected row that is there again is known again, without a word. */
  #reselect(): void {
    const item = this.#selectedLabel === undefined ? undefined : this.#find(this.#selectedLabel);
    if (item) this.selection = [item.handle];
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
    void this.#askBelow(item);
  }

  /** The editor that has forgotten the row closes what it shows, and tells nobody. */
  collapse(label: string): void {
    const item = this.#find(label);
    if (!item) return void this.#open.set(this.#idOf.get(label) ?? '', false);
    if (!this.#isOpen(item)) return;
    this.#open.set(item.drawn.id ?? '', false);
    this.#collapsed.fire({ element: item.handle });
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#gathering);
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
