/** A text as its receiver reads it, and where each of its characters stands in the text as it is written. */
interface View {
  readonly text: string;
  /** The place in the written text of what begins at an index, or ends before it. */
  readonly startOf: (index: number) => number;
  readonly endOf: (index: number) => number;
}

/**
 * The parts of a text that a receiver reads in another way than they are written: escapes of URLs, JSON and HTML,
 * base64, and text of two bytes a character that was read as one of one byte, or the other way round.
 */
export function viewsOf(text: string): readonly View[] {
  return [...withoutEscapes(text), ...decoded(text), ...narrowed(text)];
}

const escape =
  /%[0-9A-Fa-f]{2}|\\{1,3}u00[0-7][0-9A-Fa-f]|\\x[2-7][0-9A-Fa-f]|\\{1,3}\/|&(?:amp|quot|lt|gt|apos|#x[0-9a-fA-F]{2}|#\d{2,3});|\0/g;
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
  return { text: parts.join(''), startOf: placeOf, endOf: placeOf };
}

/** The character that an escape stands for; undefined for those that no secret is made of. */
function meaning(written: string): string | undefined {
  if (written === '\0') return '';
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

/** Runs of base64, each as what it holds: a finding in one is the whole run. */
function decoded(text: string): readonly View[] {
  const views: View[] = [];
  for (const { start, end } of runsOf(text, shortest, isBase64)) {
    const held = decode(text.slice(start, end));
    if (held !== undefined) views.push({ text: held, startOf: () => start, endOf: () => end });
  }
  return views;
}

/** Nothing that is shorter is a secret. */
const readable = /[\x20-\x7e]{6}/;

function decode(run: string): string | undefined {
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return undefined;
  const plain = run.replace(/-/g, '+').replace(/_/g, '/');
  try {
    // A last character alone holds no byte.
    const held = atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain).replace(/\0/g, '');
    // Bytes by chance, such as what an identifier would be, are looked through no further.
    return readable.test(held) ? held : undefined;
  } catch {
    return undefined;
  }
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
      const startOf = (at: number): number => start + Math.floor(at / 2);
      views.push({ text: halves.join(''), startOf, endOf: (at) => start + Math.ceil(at / 2) });
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
