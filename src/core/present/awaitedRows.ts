const root = '';

/** Which rows an editor has forgotten and will ask for: all of them after a redraw, and then those below open rows. */
export class AwaitedRows {
  readonly #awaited = new Set<string>();
  /** The rows whose children the editor has asked for. */
  readonly #open = new Set<string>();

  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** The editor is told to fetch everything anew. */
  redrawn(): void {
    this.#awaited.add(root);
  }

  /** It is told to draw an open row anew, and will ask for the rows below it. */
  openRedrawn(id: string): void {
    if (this.#open.has(id)) this.#awaited.add(id);
  }

  /**
   * It has asked for the rows at the top, or for those below a row, and gets these.
   * @param expandable the ids of those that can have rows below them.
   */
  answered(of: string | undefined, expandable: readonly string[]): void {
    if (of === undefined) this.#awaited.clear();
    else {
      this.#open.add(of);
      this.#awaited.delete(of);
    }
    for (const id of expandable) this.openRedrawn(id);
  }

  /** The person closed a row. */
  closed(id: string): void {
    this.#open.delete(id);
    this.#awaited.delete(id);
  }

  /** The editor asks for nothing more: what it was to ask for was closed while it had forgotten the row. */
  giveUp(): void {
    for (const id of this.#awaited) this.#open.delete(id);
    this.#awaited.clear();
  }

  /** No row counts as open any more. */
  allClosed(): void {
    this.#open.clear();
  }

  /** Only these rows are there. */
  keepOpen(isThere: (id: string) => boolean): void {
    for (const id of [...this.#open]) if (!isThere(id)) this.#open.delete(id);
  }
}
