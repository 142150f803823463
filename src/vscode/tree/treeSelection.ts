import type * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import { heard } from '../heard';

/**
 * How long a key waits at most for the editor to have all rows again; then nothing happens, because it would be about
 * another row.
 */
const settleMs = 10_000;
/** The editor registers rows so long after they were answered, at most. */
const registeredMs = 20;

interface SelectionParts<Row> {
  readonly view: Pick<vscode.TreeView<Row>, 'selection' | 'visible' | 'onDidChangeSelection'>;
  /** True while the editor has forgotten rows and has not asked for them again. */
  isAwaited(): boolean;
  /** A row as it is now. */
  current(row: Row): Row;
  /** Something else is selected, as far as is known. */
  changed(rows: readonly Row[]): void;
}

/**
 * What is selected in a view. While the editor fetches rows anew it tells that something was selected, but not what: a
 * key that comes then waits, and any other is about the rows that were selected before.
 */
export class TreeSelection<Row> extends DisposableStore {
  readonly #parts: SelectionParts<Row>;
  #rows: readonly Row[] = [];
  #isUnknown = false;
  /** How many answers with rows the editor may not have taken over yet. */
  #answered = 0;
  readonly #fetched = this.add(new Emitter<void>());

  constructor(parts: SelectionParts<Row>) {
    super();
    this.#parts = parts;
    this.add(parts.view.onDidChangeSelection(() => this.#changed()));
  }

  /** As far as is known. */
  get rows(): readonly Row[] {
    return this.#rows.map((row) => this.#parts.current(row));
  }

  /** What was selected when a key was pressed; nothing where the editor does not tell in time. */
  async settled(): Promise<readonly Row[]> {
    const { view } = this.#parts;
    for (const deadline = Date.now() + settleMs; this.#isUnknown && view.visible && Date.now() < deadline;)
      await this.nextFetch(deadline - Date.now());
    return this.#isUnknown ? [] : this.rows;
  }

  /** To be called with each answer of rows. */
  answers(): void {
    this.#answered++;
    setTimeout(() => {
      this.#answered--;
      if (this.#isUnknown && !this.#isFetching) this.#changed();
      this.fetched();
    }, registeredMs);
  }

  /** To be called where the editor may know more rows for another reason than an answer. */
  fetched(): void {
    this.#fetched.fire();
  }

  /** True once the editor may know more rows; false where it does not in time. */
  nextFetch(atMostMs: number): Promise<boolean> {
    return heard(this.#fetched.event, atMostMs);
  }

  get #isFetching(): boolean {
    return this.#parts.isAwaited() || this.#answered > 0;
  }

  #changed(): void {
    const rows = this.#parts.view.selection;
    this.#isUnknown = rows.length === 0 && this.#isFetching;
    if (this.#isUnknown) return;
    this.#rows = rows;
    this.#parts.changed(rows);
  }
}
