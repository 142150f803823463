import { unicodeProperty } from './unicodeProperty';

const escapes = String.raw`\\x(?:\{([\dA-Fa-f]+)\}|([\dA-Fa-f]{2}))|\\u(?:\{([\dA-Fa-f]+)\}|([\dA-Fa-f]{4}))|\\c([A-Za-z])|\\(0[0-7]{0,2}|[1-7][0-7]{1,2})|\\[pP](?:\{([^{}\\]*)\}|([^]?))|\\([^]?)`;
const escape = new RegExp(escapes, 'uy');
const quoted = /\\Q([^]*?)(?:\\E|$)/uy;
const group = /\((?:\?(?:P?<([^>]*)>|[imsU]*(?:-[imsU]+)?([:)])|())|)/uy;
const repetition = /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}|[*+?]/uy;
/** RE2 writes repetitions out, those within one another too, and takes no more; nor groups in more groups. */
const mostRepetitions = 1000;
const deepest = 999;
const classes = /^(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit)$/;

/** Whether RE2, as it is used for schemas, compiles a pattern: letters that have no meaning behind `\` lose it. */
export function isRe2(pattern: string): boolean {
  return new Syntax(pattern).isSound();
}

/** How often the parts of a group are repeated at most, as far as it is read. */
interface Group {
  most: number;
  /** Of what stood last and can be repeated; 0 for nothing. */
  last: number;
}

class Syntax {
  readonly #pattern: string;
  readonly #names = new Set<string>();
  readonly #groups: Group[] = [{ most: 1, last: 0 }];
  /** Where the last end of a named class stands. */
  readonly #lastNamed: number;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#lastNamed = pattern.lastIndexOf(':]');
  }

  isSound(): boolean {
    let isRepeated = false;
    while (this.#at < this.#pattern.length) {
      const inner = this.#groups.at(-1);
      if (!inner) return false;
      const repeats = this.#take(repetition);
      if (repeats) {
        if (isRepeated || !this.#isRepeatable(inner, repeats)) return false;
        if (this.#pattern[this.#at] === '?') this.#at++;
      } else if (!this.#part(inner)) return false;
      isRepeated = repeats !== null;
    }
    return this.#groups.length === 1;
  }

  #take(what: RegExp): RegExpExecArray | null {
    what.lastIndex = this.#at;
    const taken = what.exec(this.#pattern);
    if (taken) this.#at = what.lastIndex;
    return taken;
  }

  #isRepeatable(inner: Group, [, least, comma, upper]: RegExpExecArray): boolean {
    if (inner.last === 0) return false;
    if (least === undefined) return true;
    const most = Number(comma === undefined || upper === undefined ? least : upper);
    if (Number(least) > mostRepetitions || most > mostRepetitions || Number(least) > most) return false;
    inner.last *= most;
    const isFew = inner.last <= mostRepetitions;
    // What is never there can be repeated all the same.
    inner.last ||= Number.MIN_VALUE;
    return isFew;
  }

  /** Whatever is no repetition. */
  #part(inner: Group): boolean {
    inner.most = Math.max(inner.most, inner.last);
    const char = this.#pattern[this.#at];
    if (char === '(') return this.#open();
    if (char === '[') {
      inner.last = 1;
      return this.#set();
    }
    const literal = char === '\\' ? this.#take(quoted) : null;
    if (literal) {
      if (literal[1] !== '') inner.last = 1;
      return true;
    }
    if (char === '\\') {
      inner.last = 1;
      return this.#escaped(false) !== undefined;
    }
    this.#at++;
    inner.last = char === '|' ? 0 : 1;
    if (char !== ')') return true;
    this.#groups.pop();
    const around = this.#groups.at(-1);
    if (around) around.last = inner.most;
    return around !== undefined;
  }

  #open(): boolean {
    const [, name, end, isOther] = this.#take(group) ?? [];
    if (isOther !== undefined) return false;
    if (name !== undefined && (!/^\w+$/.test(name) || this.#names.has(name))) return false;
    if (name !== undefined) this.#names.add(name);
    if (end !== ')') this.#groups.push({ most: 1, last: 0 });
    return this.#groups.length <= deepest;
  }

  /** The character that an escape stands for, -1 for one that stands for several or a place; undefined for none. */
  #escaped(isInSet: boolean): number | undefined {
    const [, ...groups] = this.#take(escape) ?? [];
    const [braced, two, wide, four, control, octal, property, letter, other] = groups;
    const hex = braced ?? two ?? wide ?? four;
    if (hex !== undefined) return Number.parseInt(hex, 16) <= 0x10ffff ? Number.parseInt(hex, 16) : undefined;
    if (control !== undefined) return control.charCodeAt(0) % 32;
    if (octal !== undefined) return Number.parseInt(octal, 8);
    if (other === undefined) return unicodeProperty(property ?? letter ?? '') === undefined ? undefined : -1;
    if (/^[dDsSwW]$/.test(other)) return -1;
    if (/^[bBAz]$/.test(other)) return isInSet ? undefined : -1;
    const plain = 'abfnrtv'.includes(other) ? { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }[other] : other.codePointAt(0);
    return /^[QE1-7]?$/.test(other) || (plain ?? 128) > 127 ? undefined : plain;
  }

  #set(): boolean {
    const empty = /\[\^?\]/y;
    if (this.#take(empty)) return true;
    this.#at += this.#pattern[this.#at + 1] === '^' ? 2 : 1;
    while (this.#pattern[this.#at] !== ']') {
      const named = this.#lastNamed > this.#at && this.#pattern.startsWith('[:', this.#at);
      if (named) {
        const end = this.#pattern.indexOf(':]', this.#at);
        if (!classes.test(this.#pattern.slice(this.#at + 2, end).replace(/^\^/, ''))) return false;
        this.#at = end + 2;
        continue;
      }
      const low = this.#one();
      if (low === undefined) return false;
      const isRange = low >= 0 && this.#pattern[this.#at] === '-' && this.#pattern[this.#at + 1] !== ']';
      if (!isRange) continue;
      this.#at++;
      const high = this.#one();
      if (high === undefined || high < low) return false;
    }
    this.#at++;
    return true;
  }

  /** A character of a set. */
  #one(): number | undefined {
    if (this.#pattern[this.#at] === '\\') return this.#escaped(true);
    const code = this.#pattern.codePointAt(this.#at);
    if (code !== undefined) this.#at += code > 0xffff ? 2 : 1;
    return code;
  }
}
