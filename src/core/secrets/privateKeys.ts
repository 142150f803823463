import type { Finding } from './finding';

const header = /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE[ ]KEY(?: BLOCK)?-----/iy;
const longestBody = 20_000;
/** What a line of a key holds, behind the number, quote, mark or escaped line break that stands before it. */
const lineBody = /^(?:\s*\d+[\t|:])?(?:[\s"'`+>#*/]|\\{1,3}[nr])*([A-Za-z0-9+/=:,.-](?:[^\r\n]*[A-Za-z0-9+/=])?)/;

/**
 * The bodies of private keys in PEM form, line by line: the lines that say what begins and ends stay, and a placeholder
 * for each line leaves the numbers of the lines as they are.
 */
export class PrivateKeys {
  readonly #text: string;
  /** Where each mark was found last, so that many beginnings are no reason to search again; Infinity for nowhere. */
  readonly #marks = new Map<string, { readonly from: number; readonly at: number }>();
  /** Where the last key ended. */
  end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Adds the lines of a key whose header stands at an index. */
  at(start: number, found: Finding[]): void {
    if (start < this.end) return;
    header.lastIndex = start;
    const begun = header.exec(this.#text);
    if (!begun) return;
    const from = start + begun[0].length;
    const until = this.#endOf(from, '-----END');
    const body = this.#text.slice(from, until);
    if ((body.match(/[A-Za-z0-9+/=]{16,}/g) ?? []).join('').length < 48) return;
    this.end = until;
    addKeyLines(this.#text, from, until, found);
  }

  /** The same for the private lines of a key of PuTTY. */
  putty(start: number, found: Finding[]): void {
    if (start < this.end) return;
    const lines = this.#next('Private-Lines:', start);
    if (lines - start > longestBody) return;
    const from = this.#next('\n', lines);
    if (from - lines > 40 || !/^[A-Za-z0-9+/]{16}/.test(this.#text.slice(from + 1, from + 17))) return;
    this.end = this.#endOf(from, 'Private-MAC');
    addKeyLines(this.#text, from, this.end, found);
  }

  #next(mark: string, from: number): number {
    const known = this.#marks.get(mark);
    if (known && known.from <= from && from <= known.at) return known.at;
    const found = this.#text.indexOf(mark, from);
    const at = found < 0 ? Infinity : found;
    this.#marks.set(mark, { from, at });
    return at;
  }

  #endOf(from: number, mark: string): number {
    const text = this.#text;
    const end = this.#next(mark, from);
    if (end <= from + longestBody) return end;
    // Cut off, or never ended: the lines that look like a key.
    const body = /[\sA-Za-z0-9+/=\\"',]{0,20000}/y;
    body.lastIndex = from;
    return from + (body.exec(text)?.[0].length ?? 0);
  }
}

/** Adds each line between two places that holds something of a key. */
export function addKeyLines(text: string, from: number, until: number, found: Finding[]): void {
  for (let at = from; at < until;) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 || feed >= until ? until : feed;
    const line = text.slice(at, next);
    const held = lineBody.exec(line);
    const body = held?.[1]?.replace(/(?:\\{1,3}[nr]){1,9}["',+;\s]*$/, '') ?? '';
    if (held && /[A-Za-z0-9+/=]{4}/.test(body)) {
      const start = at + line.indexOf(body, held[0].length - (held[1]?.length ?? 0));
      const skip = /^(?:\\[nr])+/.exec(body)?.[0].length ?? 0;
      found.push({ start: start + skip, end: start + body.length, rule: 'private-key', sure: true });
    }
    at = next + 1;
  }
}
