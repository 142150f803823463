import type { Finding } from './finding';
import { isRandom } from './shape';

const header = /-{4,5} ?BEGIN[ A-Z0-9_-]{0,60}PRIVATE[ ]KEY(?: BLOCK)? ?-{4,5}/iy;
const longestBody = 20_000;
/** What a line of a key holds, behind the number, quote or mark that stands before it. */
const lineBody = /^(?:\s*\d+[\t|:])?[\s"'`+>#*/]*([A-Za-z0-9+/=:,.-](?:[^\r\n]*[A-Za-z0-9+/=])?)/;
/**
 * What ends a line of a key: a line break as it is or as URLs, JSON, HTML and programs write it, escaped so many times,
 * and the colours of a terminal.
 */
const lineBreak =
  /\r\n?|\n|(?:\\{1,9}(?:[nr]|u000[ad]|x0[ad]))+|(?:%0[ad])+|(?:&#(?:x0?[ad]|0?1[03]);)+|<br ?\/?>|(?:\u001b|\\{1,3}(?:u001b|x1b|e|033))\[[\d;]{0,8}m|$/gi;

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
    const until = this.#endOf(from, begun[0].startsWith('-----') ? '-----END' : '---- END');
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
  const part = text.slice(from, until);
  let at = 0;
  for (const { 0: ended, index } of part.matchAll(lineBreak)) {
    const line = part.slice(at, index);
    const held = lineBody.exec(line);
    const body = held?.[1] ?? '';
    if (held && /[A-Za-z0-9+/=]{4}/.test(body)) {
      const start = from + at + held[0].length - body.length;
      found.push({ start, end: start + body.length, rule: 'private-key', sure: true });
    }
    at = index + ended.length;
  }
}

/** The private numbers of a key in JSON: `"d": "…"` of an object that has a `kty`. */
const ofJson = /\\{0,7}"(?:d|k|p|q|dp|dq|qi)\\{0,7}"\s{0,9}:\s{0,9}\\{0,7}"([\w-]{20,2000})/g;
/** And in XML. */
const ofXml = /<(?:d|p|q|dp|dq|inverseq)>\s{0,9}([A-Za-z0-9+/=]{20,2000})/gi;
const longestObject = 6000;

/** Adds the private numbers of keys that are written as fields. */
export class KeyFields {
  readonly #text: string;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Those of the object in which an index lies, if none of the places before lay in it. */
  inJson(at: number, found: Finding[]): void {
    if (at < this.#end) return;
    const least = Math.max(this.#end, at - longestObject);
    const begun = this.#text.slice(least, at).lastIndexOf('{');
    this.#add(ofJson, begun < 0 ? at : least + begun, '}', at, found);
  }

  /** Those of the element that begins at an index. */
  inXml(at: number, found: Finding[]): void {
    if (at >= this.#end) this.#add(ofXml, at, '</RSAKeyValue', at, found);
  }

  #add(fields: RegExp, start: number, ending: string, at: number, found: Finding[]): void {
    const part = this.#text.slice(start, at + longestObject);
    const ended = part.indexOf(ending, at - start);
    const held = ended < 0 ? part : part.slice(0, ended);
    this.#end = start + held.length;
    for (const { 0: whole, 1: number = '', index } of held.matchAll(fields)) {
      const from = start + index + whole.length - number.length;
      if (isRandom(number, 3)) found.push({ start: from, end: from + number.length, rule: 'private-key', sure: true });
    }
  }
}
