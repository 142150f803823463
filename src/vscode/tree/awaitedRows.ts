const root = '';

/** Which rows the editor has forgotten and will ask for: all of them after a redraw, and then those below open rows. */
export class AwaitedRows {
  readonly #awaited = new Set<string>();
  /** The rows whose children the editor has asked for. */
  readonly #open = new Set<string>();

  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** The editor is told to fetch everything anew. */
  redrawn(): void {
    this.#awaited.add(root);
  }

  /** It has asked for the rows at the top, or for those below a row, and gets these. */
  answered(of: string | undefined, ids: readonly string[]): void {
    if (of !== undefined) {
      this.#open.add(of);
      this.#awaited.delete(of);
      return;
    }
    this.#awaited.clear();
    for (const id of ids) if (this.#open.has(id)) this.#awaited.add(id);
  }

  /** The person closed a row. */
  closed(id: string): void {
    this.#open.delete(id);
    this.#awaited.delete(id);
  }
}
