/**
 * Collects markdown. Line breaks at the seams are held back and merged: two neighbours ask for at most one empty line
 * between them, however many each wanted (turndown's `join`).
 */
export class MarkdownPieces {
  #text = '';
  #breaks = 0;
  /** Hard breaks that count only if text follows on the next line. */
  #hard = 0;
  #hardBefore = 0;
  #mark = '';
  readonly #inline: boolean;

  /** `inline`: what is collected will follow a marker on the same line, so that its start is no line's start. */
  constructor(inline: boolean) {
    this.#inline = inline;
  }

  /** Adds a piece; its own breaks at both ends are merged with those that are waiting. */
  add(piece: string): void {
    let start = 0;
    const { length } = piece;
    while (start < length && piece.charCodeAt(start) === 10) start++;
    if (start > this.#breaks) this.#breaks = start;
    if (start === length) return;
    this.#flushHard();
    let end = length;
    while (piece.charCodeAt(end - 1) === 10) end--;
    this.#flush();
    this.#text += end - start === length ? piece : piece.slice(start, end);
    this.#breaks = length - end;
  }

  /** Asks for line breaks before whatever comes next; two make an empty line. */
  breaks(count: number): void {
    if (count > this.#breaks) this.#breaks = count;
  }

  /**
   * Asks for hard breaks, written as this mark before a line's end. They are forgotten at either end of a block: a
   * browser shows none there.
   */
  hardBreaks(count: number, mark: string): void {
    if (this.#breaks > 0) return;
    this.#mark = mark;
    if (this.#text === '') this.#hardBefore += count;
    else this.#hard += count;
  }

  /** The hard breaks at both ends, which stand outside of the markers that the text is put into. */
  outerBreaks(): readonly [before: number, after: number] {
    return [this.#hardBefore, this.#breaks > 0 ? 0 : this.#hard];
  }

  #flushHard(): void {
    if (this.#breaks === 0 && this.#hard > 0) this.#text += `${this.#mark}\n`.repeat(this.#hard);
    this.#hard = 0;
  }

  #flush(): void {
    if (this.#breaks === 0) return;
    this.#text += this.#breaks === 1 ? '\n' : '\n\n';
    this.#breaks = 0;
  }

  /** The text with the breaks that are still waiting. */
  end(): string {
    this.#flush();
    return this.#text;
  }

  isInline(): boolean {
    return this.#inline;
  }

  /** Whether the next text begins a line. */
  atLineStart(): boolean {
    return this.#breaks > 0 || this.#hard > 0 || (this.#text === '' && !this.#inline);
  }
}
