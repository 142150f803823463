import { AwaitedRows } from '../../core/present/awaitedRows';
import type { ChangeRow } from '../../core/present/changeRows';

/** The rows as the editor got them last, and whether it will ask for some again. */
export class AnsweredRows extends AwaitedRows {
  readonly #rows = new Map<string, ChangeRow>();

  /** The row of the same id as it was answered last; itself where it is gone. */
  current(row: ChangeRow): ChangeRow {
    return this.#rows.get(row.id) ?? row;
  }

  /** The editor gets the rows at the top, or those below one. */
  give(of: ChangeRow | undefined, rows: readonly ChangeRow[]): void {
    this.answered(
      of?.id,
      rows.map(({ id }) => id),
    );
    const there = new Set(rows.map(({ burst }) => burst));
    if (!of) for (const [id, { burst }] of this.#rows) if (!there.has(burst)) this.#rows.delete(id);
    for (const row of rows) this.#rows.set(row.id, row);
  }
}
