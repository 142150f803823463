import { base64Text } from '../base/base64';

/** A text as its receiver reads it. */
interface View {
  readonly text: string;
  /** Where what stands between two of its places stands as it is written: by line, where that has several. */
  readonly placesOf: (start: number, end: number) => readonly Run[];
}

/**
 * The parts of a text that a receiver reads in another way than they are written: escapes of URLs, JSON and HTML,
 * base64, and text of two bytes a character that was read as one of one byte, or the other way round.
 */
export function viewsOf(text: string): readonly View[] {
  return [...withoutEscapes(text), ...decoded(text), ...narrowed(text)];
}

const escape =
  /%[0-9A-Fa-f]{2}|\\{1,3}u00[0-7][0-9A-Fa-f]|\\x[2-7][0-9A-Fa-f]|\\{1,3}\/|&(?:amp|quot|lt|gt|apos|#x[0-9a-fA-F]{2}|#\d{2,3});|\0+/g;
const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'" };

/** Read around an escape: no secret of one line is longer. In characters. */
const reach = 600;

/** An escape, and the character that it stands for. */
interface Meant {
  readonly from: number;
  readonly to: number;
  readonly char: string;
}

/** What stands around escapes, with the characters that they stand for. */
function withoutEscapes(text: string): readonly View[] {
  if (!(text.includes('%') || text.includes('\\') || text.includes('&') || text.includes('\0'))) return [];
  const views: View[] = [];
  let [from, to] = [0, -1];
  let meant: Meant[] = [];
  const add = (): void => {
    if (to >= 0) views.push(unescaped(text, from, to, meant));
  };
  escape.lastIndex = 0;
  for (let match = escape.exec(text); match; match = escape.exec(text)) {
    const [{ index }, end] = [match, escape.lastIndex];
    if (index - reach > to || to < 0) {
      add();
      [from, meant] = [Math.max(0, index - reach), []];
    }
    to = Math.min(text.length, index + reach);
    const char = meaning(match[0]);
    if (char !== undefined) meant.push({ from: index, to: end, char });
  }
  add();
  return views;
}

/** A stretch of a text with its escapes read: a character of one costs what any other one costs. */
function unescaped(text: string, from: number, to: number, meant: readonly Meant[]): View {
  const parts: string[] = [];
  /** Behind each escape: its place in what is read, and by how much that lies before its place in the text. */
  const ats = new Int32Array(meant.length);
  const skips = new Int32Array(meant.length);
  let [read, length] = [from, 0];
  meant.forEach((one, index) => {
    if (one.from > read) parts.push(text.slice(read, one.from));
    parts.push(one.char);
    length += one.from - read + one.char.length;
    read = one.to;
    ats[index] = length;
    skips[index] = read - from - length;
  });
  parts.push(text.slice(read, Math.max(read, to)));
  const placeOf = (index: number): number => {
    let [low, high] = [0, ats.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ats[middle] ?? Infinity) <= index) low = middle + 1;
      else high = middle;
    }
    return from + index + (skips[low - 1] ?? 0);
  };
  return { text: parts.join(''), placesOf: (start, end) => [{ start: placeOf(start), end: placeOf(end) }] };
}

/** The character that an escape stands for; undefined for those that no secret is made of. */
function meaning(written: string): string | undefined {
  if (written.startsWith('\0')) return '';
  if (written.endsWith('/')) return '/';
  if (!written.startsWith('&')) return printable(Number.parseInt(written.slice(-2), 16));
  const name = written.slice(1, -1);
  if (!name.startsWith('#')) return named[name];
  return printable(name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

const printable = (code: number): string | undefined =>
  code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined;

const shortest = 24;
const isBase64 = (() => {
  const table = new Uint8Array(128);
  for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
    table[char.charCodeAt(0)] = 1;
  return (code: number): boolean => code < 128 && table[code] === 1;
})();

/** Runs of base64, each as what it holds: a finding in one is the whole run, or of one in lines what it stands in. */
function decoded(text: string): readonly View[] {
  const views: View[] = [];
  let last = 0;
  for (const run of runsOf(text, shortest, isBase64)) {
    if (run.start < last) continue;
    const lines = linesFrom(text, run);
    last = lines.at(-1)?.end ?? run.end;
    const held = decode(lines.map(({ start, end }) => text.slice(start, end)).join(''));
    if (held === undefined) continue;
    const placesOf = lines.length === 1 ? () => lines : (from: number, to: number) => partsOf(lines, held, from, to);
    views.push({ text: held.text, placesOf });
  }
  return views;
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

/** Nothing that is shorter is a secret. */
const readable = /[\x20-\x7e]{6}/;

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

const leastWide = 12;
const isWide = (code: number): boolean => code >= 0x2020 && code <= 0x7e7e;

/** Runs of characters each of which is two of another text. */
function narrowed(text: string): readonly View[] {
  const views: View[] = [];
  for (const { start, end } of runsOf(text, leastWide, isWide))
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

/** The runs of so many characters or more that are all of a kind. */
function* runsOf(text: string, least: number, isOne: (code: number) => boolean): Generator<Run> {
  // A run holds one of the places that are that far apart: all others are skipped.
  for (let at = least - 1; at < text.length; at += least) {
    if (!isOne(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isOne(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isOne(text.charCodeAt(end))) end++;
    at = end;
    if (end - start >= least) yield { start, end };
  }
}

interface Run {
  readonly start: number;
  readonly end: number;
}
