import { isBlank, type Meant, rewritten, type Rewritten, type Run, tableOf, type View } from './view';

/** Tells by the pieces on both sides whether a value that is known may be cut there. */
export interface KnownCuts {
  /** A quick look at the character before the cut, and at both beside it. */
  readonly mayEnd: (last: number) => boolean;
  readonly mayJoin: (last: number, first: number) => boolean;
  /** By five characters before and behind. */
  readonly holdsAcross: (before: string, behind: string) => boolean;
}

/** Code points that show nothing, of more than a byte each, and those of a byte: by Unicode's `Default_Ignorable`. */
const unseenWide =
  /[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\ufe00-\ufe0f]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/;
/** The same as bytes of UTF-8, as what was coded holds them. */
const unseenBytes =
  /\u00e2\u0080[\u008b-\u008f\u00aa-\u00ae]|\u00e2\u0081[\u00a0-\u00af]|\u00c2\u00ad|\u00ef\u00bb\u00bf|\u00ef\u00b8[\u0080-\u008f]|\u00cd\u008f|\u00d8\u009c|\u00e1\u00a0[\u008b-\u008f]|\u00f3\u00a0[\u0080-\u0087][\u0080-\u00bf]/;
/** What a terminal does and does not show, and a character that it writes another one over. */
const ofTerminals =
  /\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|[ -/]{0,4}[0-~])|[^\n\b]\u0008|[\u0001-\u0007\u000e-\u001f\u007f\u0080-\u009f]/;
const unseen = new RegExp(`(?:${unseenBytes.source}|${unseenWide.source}|\\u00ad|${ofTerminals.source})+`, 'g');
/** Where none of these stands, none of those does but signs of control that nobody writes: each costs a quick look. */
const signs = ['\u001b', '\b', '\u00ad', '\u007f', '\u009b', '\u00e2\u0080', '\u00e2\u0081', '\u00ef\u00bb', '\u00ef\u00b8', '\u00cd\u008f', '\u00d8\u009c', '\u00e1\u00a0', '\u00f3\u00a0']; // prettier-ignore

/** Whether a code point shows nothing. */
export const isUnseen = (code: number): boolean =>
  code === 0xad || (code > 0xff && code <= 0x10ffff && unseenWide.test(String.fromCodePoint(code)));

/** What stands around signs that show nothing, without them. */
export function bareViews(text: string): readonly View[] {
  if (!signs.some((sign) => text.includes(sign)) && !unseenWide.test(text)) return [];
  const meant: Meant[] = [];
  for (const { 0: sign, index } of text.matchAll(unseen)) {
    const to = index + sign.length;
    const isWithin = index > 0 && to < text.length;
    if (isWithin && !isBlank(text.charCodeAt(index - 1)) && !isBlank(text.charCodeAt(to)))
      meant.push({ from: index, to, char: '' });
  }
  return rewritten(text, meant);
}

/** Where a word may be cut: what stands between its pieces, and how far they reach. */
interface Cut extends Meant {
  readonly begin: number;
  readonly end: number;
  readonly isKnown: boolean;
}

/** A name that stands before a value is no further from it. In characters. */
const nameReach = 300;

/** No word of fewer characters is a token that is known by its form; of more it is none, but a list or a blob. */
const [leastWord, longestWord] = [20, 4000];

/** What stands around cuts within words, without them: line breaks, and the quotes of texts that a program joins. */
export function joinedViews(text: string, known?: KnownCuts): readonly Rewritten[] {
  const all: Cut[] = [];
  const add = (from: number, to: number): void => {
    const cut = cutAt(text, from, to, known);
    if (cut !== undefined) all.push(cut);
  };
  lineBreaks(text, add, known);
  writtenBreaks(text, add);
  quotes(text, add);
  if (all.length === 0) return [];
  all.sort((a, b) => a.from - b.from || b.to - a.to);
  return rewritten(text, cutsOfWords(text, all), nameReach);
}

/** Those that are cuts of a known value, and those of a word that looks drawn once it is whole. */
function cutsOfWords(text: string, all: readonly Cut[]): readonly Cut[] {
  const kept: Cut[] = [];
  let word: Cut[] = [];
  const close = (): void => {
    const isDrawn = looksDrawn(text, word);
    for (const cut of word) if (isDrawn || cut.isKnown) kept.push(cut);
    word = [];
  };
  let last = 0;
  for (const cut of all) {
    if (cut.from < last) continue;
    if (word.length > 0 && cut.begin > last) close();
    word.push(cut);
    last = cut.to;
  }
  close();
  return kept;
}

/** A digit or a capital here and there: what words that stand below each other do not have. */
function looksDrawn(text: string, cuts: readonly Cut[]): boolean {
  const [first, last] = [cuts[0], cuts.at(-1)];
  if (first === undefined || last === undefined || last.end - first.begin > longestWord) return false;
  let word = '';
  let from = first.begin;
  for (const cut of cuts) {
    word += text.slice(from, cut.from);
    from = cut.to;
  }
  word += text.slice(from, last.end);
  return word.length >= leastWord && (word.match(/[A-Z\d]/g)?.length ?? 0) >= 3;
}

const pieces = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.~%\\-&#$!*^@;');
const isPiece = (code: number): boolean => code < 256 && pieces[code] === 1;
/** What may stand behind a piece that another cut ends: a line break, a quote. */
const endsPiece = (code: number): boolean => code === 10 || code === 13 || code === 34 || code === 39 || code === 96;

/** A piece is looked at so far: a line break that is written looks like a part of one. In characters. */
const longestPiece = 256;

/** A cut between two places, if what stands beside them may be pieces of one word. */
function cutAt(text: string, from: number, to: number, known?: KnownCuts): Cut | undefined {
  const [last, first] = [text.charCodeAt(from - 1), text.charCodeAt(to)];
  const isKnown =
    known !== undefined &&
    known.mayJoin(last, first) &&
    known.holdsAcross(
      text
        .slice(Math.max(0, from - 60), from)
        .replace(anyCut, '')
        .slice(-5),
      text
        .slice(to, to + 60)
        .replace(anyCut, '')
        .slice(0, 5),
    );
  let [begin, end] = [from, to];
  if (isPiece(last) && isPiece(first) && (last !== 59 || entityEnd.test(text.slice(Math.max(0, from - 12), from)))) {
    while (begin > Math.max(0, from - longestPiece) && isPiece(text.charCodeAt(begin - 1))) begin--;
    while (end < Math.min(text.length, to + longestPiece) && isPiece(text.charCodeAt(end))) end++;
  }
  const isLong = from - begin + (end - to) >= leastWord;
  const mayGoOn =
    begin < from && end > to && (endsPiece(text.charCodeAt(begin - 1)) || endsPiece(text.charCodeAt(end)));
  if (!isKnown && !isLong && !mayGoOn) return undefined;
  return { from, to, char: '', begin, end, isKnown };
}

const entityEnd = /&#\w{2,8};$/;

type Add = (from: number, to: number) => void;

const isSpace = (code: number): boolean => code === 32 || code === 9;

/** Line breaks, behind a backslash and the sign of quoted-printable too, with what indents the next line. */
function lineBreaks(text: string, add: Add, known: KnownCuts | undefined): void {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    let [from, to] = [at, at + 1];
    if (text.charCodeAt(from - 1) === 13) from--;
    const last = text.charCodeAt(from - 1);
    if (!isPiece(last) && !isQuote(last) && known?.mayEnd(last) !== true) continue;
    while (isSpace(text.charCodeAt(to))) to++;
    if (isOfJoin(last) || isQuote(last)) {
      if (joinsQuotes(text, from, add)) continue;
    } else if (last === 92 || last === 61) from = beforeSigns(text, from);
    add(from, to);
  }
}

/** Where the signs begin that say that a word goes on in the next line: a backslash, an equals sign. */
function beforeSigns(text: string, at: number): number {
  let from = at;
  while (text.charCodeAt(from - 1) === 92) from--;
  return from === at && text.charCodeAt(from - 1) === 61 ? from - 1 : from;
}

/** Line breaks that are written: `\n` in JSON. */
function writtenBreaks(text: string, add: Add): void {
  for (let at = text.indexOf('\\n'); at >= 0; at = text.indexOf('\\n', at + 2)) {
    let [from, to] = [at, at + 2];
    while (text.charCodeAt(from - 1) === 92) from--;
    if (text.charCodeAt(from - 1) === 114 && text.charCodeAt(from - 2) === 92) from -= 2;
    from = beforeSigns(text, from);
    while (isSpace(text.charCodeAt(to))) to++;
    add(from, to);
  }
}

const gap = String.raw`(?:\s|\\{1,3}[nrt]){0,60}`;
const joinOfQuotes = String.raw`\\{0,3}["'\x60]${gap}(?:(?:\+|\.{1,2}|&|~|<>|\|\|)${gap})?(?:[bfruBFRUL]{1,2}(?=\\{0,3}["'\x60]))?\\{0,3}["'\x60]`;
const quoteJoin = new RegExp(joinOfQuotes, 'y');
/** Any of them, between the pieces around a cut. */
const anyCut = new RegExp(String.raw`${joinOfQuotes}|(?:=|\\+)?(?:\r?\n|\\{1,3}n)[ \t]{0,60}`, 'g');
/** Those in which a line ends; the numbers of a list are no pieces of a word. */
const lineCut = new RegExp(
  String.raw`(?=[^\n]{0,60}\n)${joinOfQuotes}|(?<!,[ \t]{0,9})(?:=|\\+)?\r?\n[ \t]{0,60}`,
  'g',
);

/** A word that is cut by the ends of lines, line by line, which leaves their numbers as they are. */
export function byLine(text: string, { start, end }: Run): readonly Run[] {
  const word = text.slice(start, end);
  if (!word.includes('\n')) return [{ start, end }];
  const lines: Run[] = [];
  let from = start;
  for (const { 0: cut, index } of word.matchAll(lineCut)) {
    if (!cut.includes('\n')) continue;
    if (start + index > from) lines.push({ start: from, end: start + index });
    from = start + index + cut.length;
  }
  if (from < end) lines.push({ start: from, end });
  return lines;
}

/** The quotes that end one text and begin the one that is joined to it, by a sign or by standing beside it. */
function quotes(text: string, add: Add): void {
  for (const [quote, starts] of quoteStarts)
    if (text.includes(quote))
      for (const start of starts)
        for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) addQuotes(text, at, add);
  for (let at = text.indexOf('+'); at >= 0; at = text.indexOf('+', at + 1)) joinsQuotes(text, at, add);
}

/** Quotes with what tells that another text follows; before a plus sign they are looked for from there. */
const quoteStarts = [
  ['" ', ['" "', '" .', '" \\']],
  ["' ", ["' '", "' ."]],
] as const;

function addQuotes(text: string, quote: number, add: Add): boolean {
  let from = quote;
  while (text.charCodeAt(from - 1) === 92) from--;
  quoteJoin.lastIndex = from;
  const isJoin = quoteJoin.test(text);
  if (isJoin) add(from, quoteJoin.lastIndex);
  return isJoin;
}

/** The same where a line ends between them, behind the quote or behind the sign. */
function joinsQuotes(text: string, end: number, add: Add): boolean {
  let at = end;
  while (at > end - 6 && isOfJoin(text.charCodeAt(at - 1))) at--;
  return isQuote(text.charCodeAt(at - 1)) && addQuotes(text, at - 1, add);
}

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;
/** A blank and the signs that join two texts. */
const isOfJoin = (code: number): boolean => isSpace(code) || code === 43 || code === 46 || code === 38 || code === 126;
