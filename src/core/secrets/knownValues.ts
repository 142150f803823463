import { entryOf } from '../base/maps';
import { nextHash, otherMark } from './anchors';
import type { Finding } from './finding';

/** Less of a value than this tells too little to be hidden, or to be known as one. */
const leastPart = 6;

type AddPart = (from: number, to: number, rule: string) => void;

/** Values that are secrets because of where they stand: found literally, whatever they look like. */
export class KnownValues {
  readonly marks: Uint8Array;
  readonly #kinds = new Map<string, string>();
  /** The values that share their first characters, by length, so that each place is compared a few times at most. */
  readonly #byStart = new Map<string, Map<number, Set<string>>>();
  /** Forms of values, which stand within longer words. */
  readonly #forms = new Set<string>();
  #cutsLeft = mostCuts;
  /** Which parts of the least length stand in any value, by their hash. */
  readonly #parts = new Uint8Array(partTableSize);
  /** Which two characters stand side by side in any value, by their hash. */
  readonly #pairs = new Uint8Array(pairTableSize);
  readonly #firsts = new Uint8Array(128);

  /** @param marks by the hash of three characters: where those of a value stand, `otherMark` is added. */
  constructor(marks: Uint8Array) {
    this.marks = marks;
  }

  /** How many values and forms of values are known; they only become more. */
  get size(): number {
    return this.#kinds.size;
  }

  /** Remembers a value that was found in what was read; of those, so many, because a page may be full of them. */
  add(value: string, kind: string): void {
    if (this.#kinds.size < mostFound) this.#add(value, kind);
  }

  #add(value: string, kind: string): void {
    if (value.length < leastPart || this.#kinds.has(value)) return;
    this.#kinds.set(value, kind);
    for (let at = 0; at + leastPart <= value.length; at++) this.#parts[partHash(value, at)] = 1;
    for (let at = 1; at < value.length; at++) {
      const last = value.charCodeAt(at - 1);
      this.#pairs[pairHash(last, value.charCodeAt(at))] = 1;
      if (last < 128) this.#firsts[last] = 1;
    }
    let hash = 0;
    for (let at = 0; at < 3; at++) hash = nextHash(hash, value.charCodeAt(at));
    this.marks[hash] = (this.marks[hash] ?? 0) | otherMark;
    const start = value.slice(0, leastPart);
    const lengths = entryOf(this.#byStart, start, new Map<number, Set<string>>());
    entryOf(lengths, value.length, new Set()).add(value);
  }

  /** The same, and the forms in which programs hand a value on: base64 at each place of its rhythm, and hexadecimal. */
  addWithForms(value: string, kind: string): void {
    if (this.#kinds.has(value)) return;
    this.#add(value, kind);
    if (value.length < 8) return;
    const bytes = new TextEncoder().encode(value);
    const binary = String.fromCharCode(...bytes.subarray(0, 4000));
    // As what was coded holds it, byte by byte.
    if (binary !== value) this.#addForm(binary, kind);
    for (const before of ['', '\0', '\0\0']) {
      const whole = btoa(before + binary).replace(/={1,2}$/, '');
      // The characters at both ends hold bits of what stands beside the value.
      const first = before === '' ? 0 : before.length + 1;
      const last = (before.length + binary.length) % 3 === 0 ? whole.length : whole.length - 1;
      const own = whole.slice(first, last);
      this.#addForm(own, kind);
      this.#addForm(own.replace(/\+/g, '-').replace(/\//g, '_'), kind);
    }
    const hexadecimal = Array.from(bytes.subarray(0, 4000), (byte) => byte.toString(16).padStart(2, '0')).join('');
    this.#addForm(hexadecimal, kind);
    this.#addForm(hexadecimal.toUpperCase(), kind);
  }

  #addForm(form: string, kind: string): void {
    if (form.length < 8 || this.#kinds.has(form)) return;
    this.#add(form, kind);
    this.#forms.add(form);
  }

  /** Adds the values that begin at a place. */
  findAt(text: string, start: number, found: Finding[]): void {
    const lengths = this.#byStart.get(text.slice(start, start + leastPart));
    if (!lengths) return;
    for (const [length, values] of lengths) {
      const value = text.slice(start, start + length);
      if (values.has(value) && (this.#forms.has(value) || !isWithinWord(text, start, value)))
        found.push({ start, end: start + length, rule: this.#kinds.get(value) ?? 'value', sure: true });
    }
  }

  /** Whether a character stands in a value before another one. */
  readonly mayEnd = (last: number): boolean => last > 127 || this.#firsts[last] === 1;

  /** Whether two characters that are cut from each other may stand side by side in a value. */
  readonly mayJoin = (last: number, first: number): boolean => this.#pairs[pairHash(last, first)] === 1;

  /** Whether a value may go on from the end of one piece to the beginning of another. */
  readonly holdsAcross = (before: string, behind: string): boolean => {
    const joined = before + behind;
    const last = Math.min(before.length - 1, joined.length - leastPart);
    for (let at = Math.max(0, before.length - leastPart + 1); at <= last; at++)
      if (this.#parts[partHash(joined, at)] === 1) return true;
    return false;
  };

  /** Where known values stand in a text, for one that is looked through for nothing else. */
  find(text: string): readonly Finding[] {
    const found: Finding[] = [];
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = nextHash(hash, text.charCodeAt(at));
      if (at >= 2 && ((this.marks[hash] ?? 0) & otherMark) !== 0) this.findAt(text, at - 2, found);
    }
    return found;
  }

  /** From here on so many comparisons of `findCut` are made, so that many values and many texts cost no minutes. */
  startCut(): void {
    this.#cutsLeft = mostCuts;
  }

  /** False where `findCut` had to take words for parts of values since. */
  get hasCutsLeft(): boolean {
    return this.#cutsLeft >= 0;
  }

  /**
   * What of a value stands at the beginning or the end of a part of a file that was cut within it. Where there is no
   * time left to compare them, the words there count as such.
   */
  findCut(text: string, found: Finding[]): void {
    if (text.length < leastPart) return;
    const lead = text.startsWith('…') ? 1 : 0;
    const whole = text.replace(cutMark, '').slice(lead);
    if (whole.length < leastPart) return;
    if (this.#parts[partHash(whole, 0)] !== 1 && this.#parts[partHash(whole, whole.length - leastPart)] !== 1) return;
    const add: AddPart = (from, to, rule) => void found.push({ start: lead + from, end: lead + to, rule, sure: true });
    this.#cutsLeft -= this.#kinds.size;
    if (this.#cutsLeft < 0) this.#addOuterWords(whole, add);
    else this.#addParts(whole, add);
  }

  #addOuterWords(whole: string, add: AddPart): void {
    const [first] = /^\S*/.exec(whole) ?? [''];
    let last = whole.length;
    while (last > 0 && whole.length - last < longestWord && !/\s/.test(whole[last - 1] ?? '')) last--;
    if (first.length >= leastPart) add(0, first.length, 'value');
    if (whole.length - last >= leastPart) add(last, whole.length, 'value');
  }

  #addParts(whole: string, add: AddPart): void {
    const [head, tail] = [whole.slice(0, leastPart), whole.slice(-leastPart)];
    for (const [value, rule] of this.#kinds) {
      const most = Math.min(value.length - 1, whole.length);
      if (value.includes(head))
        for (let length = most; length >= leastPart; length--)
          if (whole.startsWith(value.slice(-length))) {
            add(0, length, rule);
            break;
          }
      if (!value.includes(tail)) continue;
      for (let length = most; length >= leastPart; length--)
        if (whole.endsWith(value.slice(0, length))) {
          add(whole.length - length, whole.length, rule);
          break;
        }
      // The part lies within the value.
      if (whole.length < value.length && value.includes(whole)) add(0, whole.length, rule);
    }
  }
}

const mostCuts = 300_000;
const mostFound = 20_000;
const longestWord = 4000;
const partTableSize = 1 << 18;
const pairTableSize = 1 << 16;
const pairHash = (last: number, first: number): number => ((last << 7) ^ first) & (pairTableSize - 1);

/** Of so many characters as tell that a part may be one of a value. */
function partHash(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + leastPart; next++) hash = (Math.imul(hash, 31) + text.charCodeAt(next)) | 0;
  return (hash ^ (hash >>> 15)) & (partTableSize - 1);
}

/** What a tool writes behind a part that it cut. */
const cutMark = /…$|\n\[cut: [^\]\n]{0,300}\]$/;

/** Letters go on before and behind: a longer word that happens to hold the value. */
function isWithinWord(text: string, start: number, value: string): boolean {
  if (value.length >= 12) return false;
  return /\w/.test(text[start - 1] ?? '') || /\w/.test(text[start + value.length] ?? '');
}
