/** What a script of `sed` does beside editing what it is given. */
interface SedScript {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Lines that it hands to a shell, perhaps with what it read around them; an empty one where all of it was read. */
  readonly runs: readonly string[];
  /** False where a part of it is not understood: what stands behind may be anything. */
  readonly isWhole: boolean;
}

/**
 * Takes a script apart by the grammar of GNU and BSD. Whether a bracket of a pattern hides the sign that ends it hangs
 * on the version; so what either reading finds counts.
 */
export function readSedScript(text: string): SedScript {
  const readings = (text.includes('[') ? [true, false] : [true]).map((hides) => new SedParser(text, hides).read());
  return {
    reads: readings.flatMap(({ reads }) => reads),
    writes: readings.flatMap(({ writes }) => writes),
    runs: readings.flatMap(({ runs }) => runs),
    // One that its version refuses does nothing there.
    isWhole: readings.some(({ isWhole }) => isWhole),
  };
}

/** The end of a command that nothing belongs to any more. */
const ending = /[ \t]*(?=[;\n}#]|$)/y;
/** A label ends at a semicolon or at the line, as the version has it: no text may begin between the two. */
const label = /[ \t]*[^\s;}]*[ \t]*(?=\n|$|[;}](?![^\n]*\\\n))/y;
const bracket = /\[\^?\]?(?:\[([:.=])(?:(?!\1\]).)*\1\]|[^\]\n])*\]/y;

class SedParser {
  readonly #text: string;
  readonly #bracketsHide: boolean;
  readonly #reads: string[] = [];
  readonly #writes: string[] = [];
  readonly #runs: string[] = [];
  #at = 0;

  constructor(text: string, bracketsHide: boolean) {
    this.#text = text;
    this.#bracketsHide = bracketsHide;
  }

  read(): SedScript {
    let isWhole = true;
    while (isWhole) {
      this.#take(/[\s;]*/y);
      if (this.#at >= this.#text.length) break;
      isWhole = this.#addresses() && this.#command();
    }
    return { reads: this.#reads, writes: this.#writes, runs: this.#runs, isWhole };
  }

  /** What a pattern finds right here, and steps over it; undefined where it finds nothing. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #addresses(): boolean {
    if (!this.#address()) return false;
    if (this.#take(/[ \t]*,[ \t]*/y) !== undefined && this.#take(/[+~][ \t]*\d+/y) === undefined && !this.#address())
      return false;
    this.#take(/[ \t]*!*[ \t]*/y);
    return true;
  }

  /** Steps over one address, where there is one; false where its pattern does not end. */
  #address(): boolean {
    if (this.#take(/\d+(?:[ \t]*~[ \t]*\d+)?|\$/y) !== undefined) return true;
    const sign = this.#take(/\/|\\[^\n\\]/y)?.at(-1);
    if (sign === undefined) return true;
    const isEnded = this.#upTo(sign, true) !== undefined;
    this.#take(/(?:[ \t]*[IM])*/y);
    return isEnded;
  }

  /** The text up to a sign that no backslash stands before, and steps over both; undefined where it does not come. */
  #upTo(sign: string, isPattern: boolean): string | undefined {
    if (!/^[\x20-\x7e\t]$/.test(sign) || sign === '\\') return undefined;
    const start = this.#at;
    while (this.#at < this.#text.length) {
      if (isPattern && this.#bracketsHide && sign !== '[' && this.#take(bracket) !== undefined) continue;
      const char = this.#text[this.#at++];
      if (char === '\n') return undefined;
      if (char === sign) return this.#text.slice(start, this.#at - 1);
      if (char === '\\') this.#at++;
    }
    return undefined;
  }

  /** The rest of the line, without the space before it. */
  #line(): string {
    this.#take(/[ \t]*/y);
    return this.#take(/[^\n]*/y) ?? '';
  }

  /** The text behind `a`, `i`, `c` and `e`: it ends with a line that no backslash ends. */
  #words(): string {
    this.#take(/[ \t]*/y);
    return this.#take(/(?:\\[^]|[^\\\n])*\\?/y) ?? '';
  }

  #command(): boolean {
    const name = this.#text[this.#at++] ?? '';
    switch (name) {
      case '{':
        return true;
      case '#':
        this.#line();
        return true;
      case 'a':
      case 'i':
      case 'c':
        // Whether the text stands on this line or on the next hangs on the version.
        if (/^[ \t]*\\[ \t]+\n/.test(this.#text.slice(this.#at))) return false;
        this.#words();
        return true;
      case 'e':
        this.#runs.push(this.#words().replace(/\\([^])/g, '$1'));
        return true;
      case 'r':
      case 'R':
        this.#reads.push(this.#line());
        return true;
      case 'w':
      case 'W':
        this.#writes.push(this.#line());
        return true;
      case 's':
        return this.#substitute();
      case 'y': {
        const sign = this.#text[this.#at++] ?? '';
        return this.#upTo(sign, false) !== undefined && this.#upTo(sign, false) !== undefined && this.#ends();
      }
      case ':':
      case 'b':
      case 't':
      case 'T':
      case 'v':
        return this.#take(label) !== undefined;
      case 'l':
      case 'L':
      case 'q':
      case 'Q':
        this.#take(/[ \t]*\d*/y);
        return this.#ends();
      default:
        return /^[=dDgGhHnNpPxzF}]$/.test(name) && this.#ends();
    }
  }

  #substitute(): boolean {
    const sign = this.#text[this.#at++] ?? '';
    if (this.#upTo(sign, true) === undefined) return false;
    const put = this.#upTo(sign, false);
    if (put === undefined) return false;
    const flags = this.#take(/[giImMpe\d \t]*/y) ?? '';
    if (flags.includes('e')) this.#runs.push(put);
    if (this.#take(/w/y) === undefined) return this.#ends();
    this.#writes.push(this.#line());
    return true;
  }

  #ends(): boolean {
    return this.#take(ending) !== undefined;
  }
}
