import { AwaitedRows } from './awaitedRows';
import type { RowBase } from './treeRow';

/** A row of a view, with those below it; `state` changes whenever one of them looks different. */
type DrawnRow<Row> = Omit<RowBase, 'children' | 'tooltip'> & { children(): readonly Row[]; readonly state?: string };

/** What to tell the editor after the rows changed. */
export type Redraw<Row> =
  | { readonly type: 'nothing' }
  /** Fetch everything anew: rows came, went or moved, or boxes changed that the editor cannot draw one by one. */
  | { readonly type: 'all' }
  /** Draw these rows anew, now; `later` tells whether open rows wait for a quiet moment (`takeLater`). */
  | { readonly type: 'rows'; readonly rows: readonly Row[]; readonly later: boolean };

const root = '';

/**
 * Knows which rows the editor has and how they look there, so that a change draws as little anew as possible.
 *
 * While the editor fetches rows anew it forgets them, and a click on one of them is lost. A row without open children
 * is drawn anew without being forgotten; an open one forgets its children, so it waits until the person pauses;
 * everything is fetched only where nothing less would do. The editor checks and unchecks the boxes around a row whose
 * own box changes, even where the extension manages them: such a change is drawn alone only where nothing is around, or
 * where the person's click has drawn it already.
 *
 * The rows that `children` answers stand for their id for good, as the editor knows elements by identity; `current`
 * gives what they are now.
 */
export class DrawnTree<Row extends DrawnRow<Row>> {
  #roots: readonly Row[] = [];
  /** Every row that the editor was given, as it is now. */
  #now = new Map<string, Row>();
  #handles = new Map<string, Row>();
  #parents = new Map<string, Row>();
  /** The ids below each row whose children the editor has. */
  #children = new Map<string, readonly string[]>();
  /** Boxes that the person clicked since they were drawn: the editor shows them changed already. */
  readonly #clicked = new Map<string, boolean>();
  readonly #later = new Set<string>();
  readonly #awaited = new AwaitedRows();

  /** The top rows as they are now. */
  get roots(): readonly Row[] {
    return this.#roots;
  }

  /** True while the editor has forgotten rows and has not asked for them again. */
  get isAwaited(): boolean {
    return this.#awaited.isAwaited;
  }

  /** The row as it is now; itself where it is gone. */
  current(row: Row): Row {
    return this.#now.get(row.id) ?? row;
  }

  /** A row of the top as the editor knows it, by its id. */
  top(id: string): Row | undefined {
    return this.#handles.get(id) ?? this.#roots.find((row) => row.id === id);
  }

  parent(row: Row): Row | undefined {
    return this.#parents.get(row.id);
  }

  /** Answers the editor, and notes what it now has. */
  children(of?: Row): readonly Row[] {
    const key = of?.id ?? root;
    if (of === undefined) this.#children.clear();
    const rows = of === undefined ? this.#roots : this.current(of).children();
    this.#awaited.answered(
      of?.id,
      rows.flatMap((row) => (row.expandable ? [row.id] : [])),
    );
    const ids = rows.map((row) => row.id);
    this.#children.set(key, ids);
    return rows.map((row) => {
      const handle = this.#handles.get(row.id) ?? row;
      this.#handles.set(row.id, handle);
      this.#now.set(row.id, row);
      this.#clicked.delete(row.id);
      // The editor draws these rows now, and not the one above them: that may have been drawn before it changed.
      this.#later.delete(row.id);
      if (of) this.#parents.set(row.id, this.#handles.get(key) ?? of);
      else this.#parents.delete(row.id);
      return handle;
    });
  }

  /** The person closed a row. */
  close(row: Row): void {
    this.#awaited.closed(row.id);
  }

  /** The editor asks for nothing more of what is awaited. */
  giveUp(): void {
    this.#awaited.giveUp();
  }

  /** The person clicked a box, which the editor has drawn. */
  clicked(row: Row, checked: boolean): void {
    this.#clicked.set(row.id, checked);
  }

  /** Takes new rows and tells what has to be drawn. */
  update(roots: readonly Row[]): Redraw<Row> {
    const fresh = new Map<string, Row>();
    const isSame = this.#walk(root, roots, fresh);
    const before = this.#now;
    this.#roots = roots;
    this.#now = fresh;
    for (const id of [...this.#handles.keys()]) if (!fresh.has(id)) this.#handles.delete(id);
    this.#awaited.keepOpen((id) => fresh.has(id));
    if (!isSame) return this.#all();
    const rows: Row[] = [];
    for (const [id, row] of fresh) {
      const old = before.get(id);
      const handle = this.#handles.get(id);
      const parent = this.#parents.get(id);
      // Below a closed row that is drawn anew the editor has nothing any more.
      if (!old || !handle || (parent && !this.#children.has(parent.id))) continue;
      const boxChanged = (this.#clicked.get(id) ?? old.checkbox?.checked) !== row.checkbox?.checked;
      this.#clicked.delete(id);
      if (!boxChanged && look(old) === look(row)) continue;
      const isOpen = row.expandable && this.#awaited.isOpen(id);
      if (boxChanged && (isOpen || parent)) return this.#all();
      if (isOpen) this.#later.add(id);
      else {
        // Drawing a closed row makes the editor forget what was below it.
        this.#children.delete(id);
        rows.push(handle);
      }
    }
    return rows.length === 0 && this.#later.size === 0
      ? { type: 'nothing' }
      : { type: 'rows', rows, later: this.#later.size > 0 };
  }

  /** To be asked where rows stand open otherwise than before, as with a filter: everything is fetched anew. */
  reopen(): Redraw<Row> {
    this.#awaited.allClosed();
    return this.#all();
  }

  #all(): Redraw<Row> {
    this.#later.clear();
    this.#clicked.clear();
    this.#awaited.redrawn();
    return { type: 'all' };
  }

  /**
   * The open rows that look different since a while; to be drawn now, which makes the editor fetch their children
   * again.
   */
  takeLater(): readonly Row[] {
    const rows = [...this.#later].flatMap((id) => this.#handles.get(id) ?? []);
    this.#later.clear();
    for (const row of rows) this.#awaited.openRedrawn(row.id);
    return rows;
  }

  /** Collects the rows that the editor has; false where rows came, went or moved. */
  #walk(key: string, rows: readonly Row[], fresh: Map<string, Row>): boolean {
    const known = this.#children.get(key);
    if (known === undefined) return true;
    let isSame = known.length === rows.length;
    rows.forEach((row, index) => {
      isSame &&= known[index] === row.id;
      fresh.set(row.id, row);
      if (!this.#children.has(row.id)) return;
      if (!this.#walk(row.id, row.children(), fresh)) isSame = false;
    });
    return isSame;
  }
}

/** Everything of a row that can be seen or heard, but for the state of its box. */
function look<Row>(row: DrawnRow<Row>): string {
  const { label, description, icon, warns, accessibleLabel, contextValue, checkbox, expandable, state = '' } = row;
  const own = [label, description, icon, warns, accessibleLabel, contextValue, checkbox?.label, expandable];
  return [...own, state].join('\u0000');
}
