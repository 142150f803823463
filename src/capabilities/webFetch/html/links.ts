/** Makes references absolute, and leaves out those that lead nowhere for a reader of text. */
export class LinkBase {
  readonly #base: URL | undefined;
  readonly #seen = new Map<string, string>();

  constructor(base: string | undefined) {
    this.#base = base !== undefined && URL.canParse(base) ? new URL(base) : undefined;
  }

  /** The absolute form of a reference; a fragment of the page itself and what is no URL stay as they are. */
  absolute(reference: string): string {
    const trimmed = reference.trim();
    if (!this.#base || trimmed === '' || trimmed.startsWith('#')) return trimmed;
    if (/^https?:\/\/[^\s]+$/i.test(trimmed)) return trimmed;
    const known = this.#seen.get(trimmed);
    if (known !== undefined) return known;
    let result = trimmed;
    try {
      result = new URL(trimmed, this.#base).href;
    } catch {
      // Not a URL: shown as the page spells it.
    }
    if (this.#seen.size < 10_000) this.#seen.set(trimmed, result);
    return result;
  }

  /** A link that a model cannot follow or must not: a script, a document inside the link. */
  isDead(reference: string): boolean {
    // What a browser leaves out of a URL before it reads the scheme.
    const read = reference.replace(/^[\u0000-\u0020]+|[\t\n\r]/g, '');
    return /^(?:javascript|vbscript|data|blob):/i.test(read);
  }
}
