/** A stretch of a text. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** A text as its receiver reads it. */
export interface View {
  readonly text: string;
  /** Where what stands between two of its places stands as it is written: by line, where that has several. */
  readonly placesOf: (start: number, end: number) => readonly Run[];
}

/** A text in which some of it is read in another way than it is written. */
export interface Rewritten extends View {
  /** Where in it each of that ends. */
  readonly ats: Int32Array;
}

/** What is written in one way and read in another: an escape and its character, or a sign that says nothing. */
export interface Meant {
  readonly from: number;
  readonly to: number;
  readonly char: string;
}

/** Read around what is meant in another way: no secret of one line is longer. In characters. */
const longestSecret = 600;

/**
 * The stretches of a text around what is meant in another way, with all of that read.
 * @param meant in order, none within another.
 * @param reach is read before and behind each, in characters.
 */
export function rewritten(text: string, meant: readonly Meant[], reach = longestSecret): readonly Rewritten[] {
  const views: Rewritten[] = [];
  let group: Meant[] = [];
  let last = -Infinity;
  const add = (): void => {
    if (group.length > 0) views.push(readWith(text, group, reach));
  };
  for (const one of meant) {
    if (one.from - last > 2 * reach) {
      add();
      group = [];
    }
    group.push(one);
    last = one.to;
  }
  add();
  return views;
}

/** A character that is meant in another way costs what any other one costs. */
function readWith(text: string, meant: readonly Meant[], reach: number): Rewritten {
  const from = Math.max(0, (meant[0]?.from ?? 0) - reach);
  const to = Math.min(text.length, (meant.at(-1)?.to ?? 0) + reach);
  const parts: string[] = [];
  /** Behind each of them: its place in what is read, and by how much that lies before its place in the text. */
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
  parts.push(text.slice(read, to));
  const placesOf = (start: number, end: number): readonly Run[] => {
    const first = countUpTo(ats, start);
    let ended = countUpTo(ats, end);
    // What says nothing and stands behind the last character belongs to what follows.
    while (ended > first && ats[ended - 1] === end && meant[ended - 1]?.char === '') ended--;
    return [{ start: from + start + (skips[first - 1] ?? 0), end: from + end + (skips[ended - 1] ?? 0) }];
  };
  return { text: parts.join(''), placesOf, ats };
}

/** How many of some places, in order, are at most as large as another one. */
export function countUpTo(places: ArrayLike<number>, place: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? Infinity) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Nothing that is shorter is a secret. In characters. */
export const leastReadable = 6;
export const readable = /[\x20-\x7e]{6}/;

/** One for each of these characters, by its code below 256. */
export function tableOf(chars: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}

const hexDigits = tableOf('0123456789abcdefABCDEF');
export const isHex = (code: number): boolean => code < 256 && hexDigits[code] === 1;

/** White space of ASCII. */
export const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
