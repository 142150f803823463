import { isBlank, isHex, readable, tableOf, type View } from './view';

/** Bytes that are written one by one: lists of numbers below 256, `103, 104`, `0x67,0x68`, and digits in groups. */
export function listViews(text: string): readonly View[] {
  const views: View[] = [];
  // What is long enough holds one of the places that are that far apart, and the sign that parts two bytes behind it.
  for (let at = listStep; at < text.length; at += listStep) {
    if (!isListPart(text.charCodeAt(at))) continue;
    const most = Math.min(at + listStep, text.length);
    let sign = at;
    while (sign < most && isNumberPart(text.charCodeAt(sign))) sign++;
    const list = text.charCodeAt(sign) === 44 ? listAround(text, sign) : groupsAround(text, at);
    if (list === undefined) continue;
    if (list.text.length >= leastListed && readable.test(list.text)) views.push(list);
    at = Math.max(at, list.end);
  }
  return views;
}

const leastListed = 10;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** A list that is long enough is longer than that and five more. */
const listStep = 24;
const numberParts = tableOf('0123456789abcdefABCDEFx \t\r\n');
const isNumberPart = (code: number): boolean => code < 256 && numberParts[code] === 1;
const isListPart = (code: number): boolean => code === 44 || isNumberPart(code);

/** Bytes that are written one by one, and where the last one ends. */
type List = View & { readonly end: number };

function listAround(text: string, comma: number): List | undefined {
  if (!isHex(text.charCodeAt(comma - 1)) || !isDigit(text.charCodeAt(afterBlanks(text, comma + 1)))) return undefined;
  return numbersFrom(text, listStart(text, comma));
}

/** Where the list begins in which a comma stands. */
function listStart(text: string, comma: number): number {
  let start = comma;
  for (let at = comma; at > 0;) {
    const number = at;
    while (at > number - 4 && isHexOrX(text.charCodeAt(at - 1))) at--;
    if (at === number) return start;
    start = at;
    while (isBlank(text.charCodeAt(at - 1))) at--;
    if (text.charCodeAt(at - 1) !== 44) return start;
    at--;
    while (isBlank(text.charCodeAt(at - 1))) at--;
  }
  return start;
}

const isHexOrX = (code: number): boolean => isHex(code) || code === 120;

function afterBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next++;
  return next;
}

const byte = /(?:0x[0-9A-Fa-f]{1,2}|\d{1,3})(?![\w.])/y;

/** The numbers of a list from a place on, as the characters that they are, up to what is none. */
function numbersFrom(text: string, from: number): List {
  const chars: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = from;
  for (;;) {
    byte.lastIndex = at;
    const number = Number(byte.exec(text)?.[0]);
    if (!(number < 256)) break;
    chars.push(String.fromCharCode(number));
    starts.push(at);
    ends.push(byte.lastIndex);
    const next = afterBlanks(text, byte.lastIndex);
    if (text.charCodeAt(next) !== 44) break;
    at = afterBlanks(text, next + 1);
  }
  return {
    text: chars.join(''),
    placesOf: (start, end) => [{ start: starts[start] ?? from, end: ends[end - 1] ?? from }],
    end: ends.at(-1) ?? from,
  };
}

const isGroupPart = (code: number): boolean => isHex(code) || code === 32 || code === 58;
const isGroupSign = (code: number): boolean => code === 32 || code === 58;

/** Whether two groups of digits of one length, two, four or eight, stand between signs behind a place. */
function areGroups(text: string, at: number): boolean {
  const first = afterHex(text, at);
  if (!isGroupSign(text.charCodeAt(first))) return false;
  const second = afterHex(text, first + 1);
  const length = second - first - 1;
  if ((length !== 2 && length !== 4 && length !== 8) || !isGroupSign(text.charCodeAt(second))) return false;
  const third = afterHex(text, second + 1);
  return third - second - 1 === length;
}

/** Behind the digits at a place: of more than eight it is none of a group. */
function afterHex(text: string, at: number): number {
  let next = at;
  while (next < at + 9 && isHex(text.charCodeAt(next))) next++;
  return next;
}

/** The bytes of digits in groups, as dumps show them: `67 68 70`, `67:68:70`, `6768 705f`. */
function groupsAround(text: string, at: number): List | undefined {
  if (!areGroups(text, at)) return undefined;
  let [start, end] = [at, at];
  while (start > 0 && isGroupPart(text.charCodeAt(start - 1))) start--;
  while (end < text.length && isGroupPart(text.charCodeAt(end))) end++;
  const places: number[] = [];
  for (let digit = start; digit < end; digit++) if (isHex(text.charCodeAt(digit))) places.push(digit);
  let held = '';
  for (let byte = 0; byte + 1 < places.length; byte += 2)
    held += String.fromCharCode(
      Number.parseInt(text.charAt(places[byte] ?? 0) + text.charAt(places[byte + 1] ?? 0), 16),
    );
  const placesOf: View['placesOf'] = (from, to) => [
    { start: places[2 * from] ?? start, end: (places[2 * to - 1] ?? end - 1) + 1 },
  ];
  return { text: held, placesOf, end };
}
