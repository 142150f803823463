import type * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import { tellClickMetRedraw } from '../goneRow';
import { heard } from '../heard';

/**
 * How long a key waits at most for the editor to have all rows again; then nothing happens, because it would be about
 * another row.
 */
const settleMs = 10_000;
/** An editor that asked for nothing for so long asks for nothing more. */
const askedMs = 2000;
/** The editor registers rows so long after they were answered, at most. */
const registeredMs = 20;

interface SelectionParts<Row> {
  readonly view: Pick<
    vscode.TreeView<Row>,
    'selection' | 'visible' | 'onDidChangeSelection' | 'onDidChangeVisibility' | 'onDidCollapseElement'
  >;
  /** True while the editor has forgotten rows and has not asked for them again. */
  isAwaited(): boolean;
  /** The editor asks for nothing more of what is awaited. */
  giveUp(): void;
  /** A row as it is now; undefined for one that a key is not to be about any more. */
  current(row: Row): Row | undefined;
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
  /** How often the editor told of a selection without saying which. */
  #untold = 0;
  /** How many answers with rows the editor may not have taken over yet. */
  #answered = 0;
  readonly #fetched = this.add(new Emitter<void>());
  #isDisposed = false;
  /** The redraw whose turn has not come. */
  #redraw: (() => void) | undefined;

  constructor(parts: SelectionParts<Row>) {
    super();
    this.#parts = parts;
    const { view } = parts;
    this.add(
      view.onDidChangeSelection(() => {
        this.#look();
        if (this.#isUnknown) this.#untold++;
      }),
    );
    // What is closed or hidden is not fetched.
    this.add(view.onDidCollapseElement(() => this.#wake()));
    this.add(view.onDidChangeVisibility(() => this.#wake()));
  }

  /** As far as is known. */
  get rows(): readonly Row[] {
    return this.#rows.flatMap((row) => this.#parts.current(row) ?? []);
  }

  /**
   * What was selected when a key was pressed. Undefined, and told, where the editor does not say in time, or where the
   * person went on to another row meanwhile, which the key was not about.
   */
  async settled(): Promise<readonly Row[] | undefined> {
    const { view } = this.#parts;
    const untold = this.#untold;
    for (const deadline = Date.now() + settleMs; this.#isUnknown && view.visible && Date.now() < deadline;)
      await this.nextFetch(deadline - Date.now());
    if (!this.#isUnknown && this.#untold === untold) return this.rows;
    tellClickMetRedraw();
    return undefined;
  }

  /** To be called with each answer of rows. */
  answers(): void {
    this.#answered++;
    setTimeout(() => {
      this.#answered--;
      this.#wake();
    }, registeredMs);
  }

  /**
   * Draws at once, or, while the editor still fetches what it was told of before, after that; of several that wait the
   * last is done. Told of two at once the editor fetches for the first, and forgets the rows again for the second when
   * nobody expects it: a key that comes then would be lost, and nobody could say so.
   */
  async drawInTurn(redraw: () => void): Promise<void> {
    if (this.#isDisposed) return;
    const isWaiting = this.#redraw !== undefined;
    this.#redraw = redraw;
    if (isWaiting) return;
    while (this.#redraw !== undefined && this.isFetching && this.#parts.view.visible)
      if (!(await this.nextFetch(askedMs))) {
        this.#parts.giveUp();
        this.#wake();
      }
    const next = this.#redraw;
    this.#redraw = undefined;
    next?.();
  }

  override dispose(): void {
    this.#isDisposed = true;
    this.#redraw = undefined;
    this.#fetched.fire();
    super.dispose();
  }

  /** True once the editor may know more rows; false where it does not in time. */
  nextFetch(atMostMs: number): Promise<boolean> {
    return heard(this.#fetched.event, atMostMs);
  }

  #wake(): void {
    if (this.#isDisposed) return;
    if (!this.isFetching) this.#look();
    this.#fetched.fire();
  }

  /** True while the editor fetches rows, or does not know yet those that it has fetched. */
  get isFetching(): boolean {
    return this.#parts.isAwaited() || this.#answered > 0;
  }

  #look(): void {
    const rows = this.#parts.view.selection;
    this.#isUnknown = rows.length === 0 && this.isFetching;
    if (this.#isUnknown) return;
    this.#rows = rows;
    this.#parts.changed(rows);
  }
}
