import type { TreeRow } from '../../core/present/treeRow';

/**
 * How rows stand open: as the person left them, all of those that a filter found, or none of those because they are too
 * many.
 */
export type Standing = 'all' | 'found' | 'filtered';

/** Groups that nobody needs to see at the start. */
const closedGroups: ReadonlySet<string> = new Set(['group.grants', 'group.rules']);

/**
 * Rows that a filter leaves are opened where there are at most this many below them: nobody reads more, and the editor
 * fetches them all.
 */
const mostOpened = 200;

/** Remembers how rows stand without a filter: the editor forgets it of those that a filter hides. */
export class RowStanding {
  /** How the rows that are drawn stand. */
  drawn: Standing = 'all';
  readonly #opened = new Set<string>();
  readonly #closedGroups = new Set<string>();

  /** The person opened or closed a row. */
  changed(row: TreeRow, isOpen: boolean): void {
    if (this.drawn !== 'all') return;
    // A group is open until somebody closes it, all else the other way round.
    const [changed, isOtherwise] = opensItself(row) ? [this.#closedGroups, !isOpen] : [this.#opened, isOpen];
    if (isOtherwise) changed.add(row.id);
    else changed.delete(row.id);
  }

  isOpen(row: TreeRow): boolean {
    if (this.drawn === 'found') return true;
    if (opensItself(row)) return !this.#closedGroups.has(row.id);
    return this.drawn === 'all' && this.#opened.has(row.id);
  }

  /**
   * The id by which the editor remembers whether a row is open: a filtered tree opens its rows without changing how
   * they stand without the filter.
   */
  idOf(row: TreeRow): string {
    return this.drawn === 'all' ? row.id : `${this.drawn}:${row.id}`;
  }
}

/** How the rows that a filter left are to stand. */
export function standingOfFound(rows: readonly TreeRow[]): Standing {
  let count = 0;
  for (const row of rows) {
    for (const child of row.children()) count += 1 + (child.kind === 'capability' ? child.children().length : 0);
    if (count > mostOpened) return 'filtered';
  }
  return 'found';
}

/** An agent has dozens of tools, and its own row counts them. */
const isAgent = (row: TreeRow): boolean => row.contextValue.startsWith('protection.');

const opensItself = (row: TreeRow): boolean =>
  row.kind === 'group' && !closedGroups.has(row.contextValue) && !isAgent(row);
