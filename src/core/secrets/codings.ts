import { base64Text } from '../base/base64';
import { listViews } from './lists';
import { isHex, leastReadable, readable, type Run, type View } from './view';

/** Runs of a text that hold another one: base64, hexadecimal, lists of bytes, and characters of two bytes each. */
export function codedViews(text: string): readonly View[] {
  return [...decoded(text), ...listViews(text), ...narrowed(text)];
}

/** What holds less is no secret, or known in this form. */
const shortest = 20;
/** The six bits of each letter, and one; 0 for what is none. */
const sixBits = (() => {
  const table = new Uint8Array(256);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let at = 0; at < letters.length; at++) table[letters.charCodeAt(at)] = at + 1;
  table[45] = 63;
  table[95] = 64;
  return table;
})();
const isBase64 = (code: number): boolean => code < 256 && sixBits[code] !== 0;
/** Runs of base64 and of hexadecimal digits, each as what it holds. */
function decoded(text: string): readonly View[] {
  const views: View[] = [];
  let last = 0;
  for (const run of base64Runs(text)) {
    if (run.start < last) continue;
    const digits = digitsOf(text, run);
    if (digits !== undefined) {
      const held = hexadecimal(text, digits);
      if (held !== undefined) views.push(held);
      continue;
    }
    const lines = linesFrom(text, run);
    last = lines.at(-1)?.end ?? run.end;
    if (lines.length === 1 && !isReadable(text, run)) continue;
    const held = decode(lines.map(({ start, end }) => text.slice(start, end)).join(''));
    if (held !== undefined) views.push({ text: held.text, placesOf: (from, to) => partsOf(lines, held, from, to) });
  }
  return views;
}

/** The runs of base64 that are long enough. */
function base64Runs(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (let start = 0; start + shortest <= text.length;) {
    // From behind: where a run of that length cannot be, most of its characters need no look.
    let at = start + shortest - 1;
    while (at >= start && isBase64(text.charCodeAt(at))) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + shortest;
    while (end < text.length && isBase64(text.charCodeAt(end))) end++;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}

/** Whether so many readable characters stand side by side in what a run holds: most runs are names. */
function isReadable(text: string, { start, end }: Run): boolean {
  let count = 0;
  let bits = 0;
  for (let at = start; at < end; at++) {
    bits = (bits << 6) | ((sixBits[text.charCodeAt(at)] ?? 1) - 1);
    const place = (at - start) & 3;
    if (place === 0) continue;
    const byte = (bits >> (6 - 2 * place)) & 0xff;
    if (byte >= 0x20 && byte < 0x7f) count++;
    else if (byte !== 0) count = 0;
    if (count === leastReadable) return true;
  }
  return false;
}

const leastWidth = 40;
/** What stands between two lines of one run. */
const nextLine = /(?:\r?\n|\\r\\n|\\n)[ \t]{0,40}/y;

/** A run and the lines behind it that go on with it: all of one width, but the last, which may be shorter. */
function linesFrom(text: string, first: Run): readonly Run[] {
  const width = first.end - first.start;
  const lines = [first];
  if (width < leastWidth || width % 4 !== 0) return lines;
  for (let at = first.end; ;) {
    nextLine.lastIndex = at;
    if (!nextLine.test(text)) return lines;
    const start = nextLine.lastIndex;
    let end = start;
    while (end - start <= width && isBase64(text.charCodeAt(end))) end++;
    if (end === start || end - start > width) return lines;
    lines.push({ start, end });
    if (end - start < width) return lines;
    at = end;
  }
}

/** The parts of lines that hold what stands between two places of what was decoded: three bytes are four letters. */
function partsOf(lines: readonly Run[], { places }: Decoded, from: number, to: number): readonly Run[] {
  const [first, last] = [places?.[from] ?? from, places?.[to - 1] ?? to - 1];
  const [least, most] = [Math.floor(first / 3) * 4, (Math.floor(last / 3) + 1) * 4];
  const parts: Run[] = [];
  let before = 0;
  for (const { start, end } of lines) {
    const [begins, ends] = [Math.max(least - before, 0), Math.min(most - before, end - start)];
    if (begins < ends) parts.push({ start: start + begins, end: start + ends });
    before += end - start;
  }
  return parts;
}

/** What a run holds; of one that had bytes of nothing in it, the place of each character that is left. */
interface Decoded {
  readonly text: string;
  readonly places?: Uint32Array;
}

function decode(run: string): Decoded | undefined {
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return undefined;
  const held = base64Text(run);
  // Bytes by chance, such as what an identifier would be, are looked through no further.
  if (!held.includes('\0')) return readable.test(held) ? { text: held } : undefined;
  const text = held.replace(/\0/g, '');
  return readable.test(text) ? { text, places: placesWithout(held, text.length) } : undefined;
}

function placesWithout(held: string, left: number): Uint32Array {
  const places = new Uint32Array(left);
  for (let at = 0, next = 0; at < held.length; at++) if (held.charCodeAt(at) !== 0) places[next++] = at;
  return places;
}

/** What of a run is nothing but hexadecimal digits: all of it, or what stands behind `0x` or `x`. */
function digitsOf(text: string, { start, end }: Run): Run | undefined {
  const lead = text.charCodeAt(start + 1) === 120 ? 2 : text.charCodeAt(start) === 120 ? 1 : 0;
  for (let at = start + lead; at < end; at++) if (!isHex(text.charCodeAt(at))) return undefined;
  return { start: start + lead, end };
}

function hexadecimal(text: string, { start, end }: Run): View | undefined {
  let held = '';
  for (let at = start; at + 2 <= end; at += 2) held += String.fromCharCode(Number.parseInt(text.slice(at, at + 2), 16));
  if (!readable.test(held)) return undefined;
  return { text: held, placesOf: (from, to) => [{ start: start + 2 * from, end: start + 2 * to }] };
}

/** The engine tells at once of a text that it keeps as bytes. */
const beyondBytes = /[^\0-\xff]/;
const leastWide = 12;
const isWide = (code: number): boolean => code >= 0x2020 && code <= 0x7e7e;

/** Runs of characters each of which is two of another text. */
function narrowed(text: string): readonly View[] {
  const views: View[] = [];
  for (const { start, end } of wideRuns(text))
    for (const isLittle of [true, false]) {
      const halves = Array.from(text.slice(start, end), (char) => {
        const code = char.charCodeAt(0);
        const [low, high] = [String.fromCharCode(code & 0xff), String.fromCharCode(code >> 8)];
        return isLittle ? low + high : high + low;
      });
      const placesOf = (from: number, to: number): readonly Run[] => [
        { start: start + Math.floor(from / 2), end: start + Math.ceil(to / 2) },
      ];
      views.push({ text: halves.join(''), placesOf });
    }
  return views;
}

/** By one of so many places: a run that is long enough holds one. */
function wideRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  if (!beyondBytes.test(text)) return runs;
  for (let at = leastWide - 1; at < text.length; at += leastWide) {
    if (!isWide(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isWide(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isWide(text.charCodeAt(end))) end++;
    at = end;
    if (end - start >= leastWide) runs.push({ start, end });
  }
  return runs;
}
