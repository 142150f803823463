/** What stands behind a placeholder. */
interface Held {
  readonly placeholder: string;
  readonly value: string;
  readonly kind: string;
  /** Where the value was read: there it may go again. */
  readonly places: Set<string>;
}

/** At most so many values are remembered; what comes later than that is hidden and cannot be put back. */
const most = 20_000;

/**
 * The placeholders of one session. The part that tells two apart is drawn, not computed, so no bit of a value is in it;
 * the same value has the same one until the session ends. Values are kept in memory and nowhere else.
 */
export class Placeholders {
  readonly #byValue = new Map<string, Held>();
  readonly #byPlaceholder = new Map<string, Held>();
  /** What looked like a placeholder in a text that was read, and stands for itself. */
  readonly #literal = new Set<string>();
  readonly #draw: () => string;

  /** @param draw gives eight random hexadecimal digits. */
  constructor(draw: () => string) {
    this.#draw = draw;
  }

  /** @param isMixed leaves a value that is known where it was read first. */
  of(value: string, kind: string, places: Iterable<string>, isMixed = false): string {
    let held = this.#byValue.get(value);
    if (held && isMixed) return held.placeholder;
    if (!held) {
      held = { placeholder: this.#name(kind), value, kind, places: new Set() };
      if (this.#byValue.size >= most) return held.placeholder;
      this.#byValue.set(value, held);
      this.#byPlaceholder.set(held.placeholder, held);
    }
    for (const place of places) held.places.add(place);
    return held.placeholder;
  }

  get(placeholder: string): (Omit<Held, 'places'> & { readonly places: ReadonlySet<string> }) | undefined {
    return this.#byPlaceholder.get(placeholder);
  }

  /** Remembers that a file or page holds the text of a placeholder that is none of this session. */
  notice(text: string): void {
    if (!this.#byPlaceholder.has(text) && this.#literal.size < most) this.#literal.add(text);
  }

  isLiteral(text: string): boolean {
    return this.#literal.has(text) && !this.#byPlaceholder.has(text);
  }

  #name(kind: string): string {
    const drawn = this.#draw();
    for (let length = 4; length <= 8; length++) {
      const placeholder = `{{secret:${kind}:${drawn.slice(0, length)}}}`;
      if (!this.#byPlaceholder.has(placeholder) && !this.#literal.has(placeholder)) return placeholder;
    }
    return this.#name(kind);
  }
}
