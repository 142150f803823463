import { trimmedEnd } from '../base/text';
/** A value that stands behind a name, and what leads to it. */
interface NamedValue {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The text before the value, from somewhat before the name on. */
  readonly lead: string;
}

/** What may stand around a name or a value: quotes, escaped so many times, emphasis, colours of a terminal. */
const quote = String.raw`(?:\\{0,7}["'\x60]|[“”‘’„«»]|\x1b\[[\d;]{0,8}m|\*{1,2})`;
/** What ends a name: quotes, the end of an index, further indexes; the blanks behind it are read once, as a whole. */
const closing = String.raw`(?:\s{0,3}(?:${quote}|\]|\[\\{0,3}["'][\w.-]{1,40})){0,6}(?=(?<blanks>\s{0,40}))\k<blanks>`;
/** What begins a value: quotes with their prefixes, brackets, the marks of a list, of a folded text and of lines. */
const prefix = String.raw`(?:@|\$|#{1,3}|[bfruBFRUL]{1,2})(?=["'])`;
const mark = String.raw`[=[({>]|[|>][+-]?(?=\s)|-(?=\s)|\\(?=\s)|qq?\{|base64:`;
const opening = String.raw`(?:\s{0,60}(?:${quote}|${mark}|${prefix})){0,6}\s{0,60}`;
const operator = String.raw`(?:=>|<-|:{1,3}=|\?\?=?|\?=|\|\|=?|==|[=>:,：|])`;
/** The type of a variable, between its name and what is assigned. */
const type = String.raw`(?::\s{0,3}&?[\w.<>?'[\] ]{1,30}|\{[^{}\n"']{0,30}\}\s{0,3}|\[\d{0,4}\]\s{0,3})=(?![=>])`;
const word = String.raw`[\w.$]{1,60}`;
const secretName = String.raw`[\w-]{0,24}(?:key|token|secret|passwo?r?d|pat)`;

const way = (source: string): RegExp => new RegExp(source, 'iy');

const plainWay = way(`${closing}${operator}${opening}`);
/** The ways from the end of a name to its value, the most common first. */
const ways: readonly RegExp[] = [
  plainWay,
  way(`${closing}${type}${opening}`),
  // `{ "name": …, "value": … }`, and the same in YAML and in attributes.
  way(String.raw`${closing},?\s{0,40}${quote}?values?${quote}?\s{0,3}[:=]${opening}`),
  // `variable "…" { default = … }`
  way(String.raw`${closing}\{[^{}]{0,120}?\b(?:default|value)\s{0,20}[=:]${opening}`),
  // What is taken where there is no other value: `x ? "…"`, `x or "…"`.
  way(String.raw`${closing}${operator}\s{0,3}${word}\s{1,3}(?:\?\??|\|\||or)\s{1,3}${quote}`),
  // A section by the name of the service, and in it the name of a secret.
  way(
    String.raw`${closing}[:={]{0,2}\s{0,3}\{?\s{0,20}${quote}?${secretName}${quote}?\s{0,20}(?:${type}|[:=])${opening}`,
  ),
];
/** `new Client({ key: "…" })` */
const called = [way(String.raw`\(\{?\s{0,8}(?:\w{1,20}\s{0,2}:\s{0,2})?(?:["'][^"'\n]{0,60}["'],\s{0,3})?["'\x60]`)];
/** `<key>…</key><string>…` */
const elements = [plainWay, way(String.raw`</(?:key|name|string)>\s{0,40}<(?:string|value|data)>\s{0,9}`)];
const none: readonly RegExp[] = [];

/** Those that may begin with a character. */
function waysFrom(char: string | undefined): readonly RegExp[] {
  if (char === '(') return called;
  if (char === '<') return elements;
  return char !== undefined && (leading.has(char) || char.trim() === '') ? ways : none;
}

/** What stands behind most names in code, such as `)` and `;`, leads to no value. */
const leading: ReadonlySet<string> = new Set('"\'`\\“”‘’„«»\u001b*][=:?|>,：{');

/** `The key is …` */
const spoken = way(`${quote}{1,2}`);
const isSpoken = /\b(?:is|ist|lautet)[ \t]$/i;
/** A blank is enough behind the word that sets a variable, and behind the name of an option. */
const spaced = way(String.raw`${quote}?[ \t]{1,9}${quote}{0,2}`);
const setting =
  /(?:^|[\s"'(])(?:--?[\w-]{0,40}|(?:env|arg|setx|setenv|export|#define|set(?: -\w{1,4})?)[ \t]{1,8}["']?[\w.-]{0,40})$/i;

const value = /[\w+/=.~%:|-]{8,220}/y;
/** What may stand behind a value. */
const valueEnd = /[`'"\s;,)}\]<&*|\\“”‘’»\u001b。）]|$/y;

/** Before a name it is read so far, in characters. */
const before = 60;
/** A name with what belongs to it is no longer. */
const longestName = 96;

/**
 * The value of a name that begins at an index, if one stands there that fits. Each way is bounded, so that a name costs
 * the same whatever stands behind it.
 */
export function namedValue(text: string, at: number, fits: (value: string) => boolean): NamedValue | undefined {
  const wordEnd = endOf(text, at, isNamePart);
  const phraseEnd = endOf(text, wordEnd, isPhrasePart, at + longestName);
  const read = (start: number): NamedValue | undefined => valueAt(text, at, start, fits);
  for (const one of waysFrom(text[phraseEnd])) {
    const start = leadEnd(one, text, phraseEnd);
    const found = start < 0 ? undefined : read(start);
    if (found) return found;
  }
  if (phraseEnd === wordEnd && text[wordEnd] !== '"' && text[wordEnd] !== "'") return undefined;
  const said = isSpoken.test(text.slice(Math.max(at, phraseEnd - 8), phraseEnd))
    ? leadEnd(spoken, text, phraseEnd)
    : -1;
  const told = said < 0 ? undefined : read(said);
  if (told) return told;
  const start = leadEnd(spaced, text, wordEnd);
  return start >= 0 && setting.test(text.slice(Math.max(0, at - before), at)) ? read(start) : undefined;
}

function leadEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function valueAt(text: string, at: number, start: number, fits: (value: string) => boolean): NamedValue | undefined {
  value.lastIndex = start;
  const whole = value.exec(text)?.[0];
  if (whole === undefined) return undefined;
  // Signs that a value may hold end a sentence, or the cell of a table.
  for (const held of [whole, trimmedEnd(whole, '.:|'), whole.replace(/\|.*$/s, '')]) {
    const end = start + held.length;
    valueEnd.lastIndex = end;
    const isWhole = held.length < whole.length || valueEnd.test(text);
    if (isWhole && held.length >= 8 && fits(held))
      return { text: held, start, end, lead: text.slice(Math.max(0, at - before), start) };
  }
  return undefined;
}

function endOf(text: string, from: number, belongs: (code: number) => boolean, until = from + longestName): number {
  let at = from;
  while (at < until && at < text.length && belongs(text.charCodeAt(at))) at++;
  return at;
}

/** Letters, digits, `_`, `.`, `-`. */
const isNamePart = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 46 ||
  code === 45;

/** The same, blanks, and letters of other scripts. */
const isPhrasePart = (code: number): boolean =>
  isNamePart(code) || code === 32 || code === 9 || (code >= 0xc0 && code < 0x2000) || (code >= 0x3040 && code < 0xd800);

/** No value stands further behind its name than this, in characters. */
const reach = 240;
const leastRun = 8;

/**
 * Tells whether a value may stand near: a run of letters with a digit in it. Most names of code have none behind them,
 * and each character is looked at once however many names there are.
 */
export class NearValues {
  readonly #text: string;
  #scanned = 0;
  /** The run that was found last. */
  #start = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param from never lies before that of the call before. */
  isNear(from: number): boolean {
    const text = this.#text;
    const until = Math.min(text.length, from + reach);
    if (this.#end > from + leastRun) return this.#start < until;
    let at = Math.max(this.#scanned, from);
    for (; at < until; at++) {
      const code = text.charCodeAt(at);
      if (code < 48 || code > 57) continue;
      let [start, end] = [at, at + 1];
      while (start > from && isValuePart(text.charCodeAt(start - 1))) start--;
      while (end < text.length && isValuePart(text.charCodeAt(end))) end++;
      at = end;
      if (end - start < leastRun) continue;
      this.#scanned = end;
      [this.#start, this.#end] = [start, end];
      return true;
    }
    this.#scanned = Math.max(this.#scanned, at);
    return false;
  }
}

/** Letters, digits, `_`, `-`, `+`, `/`, `=`, `%`, `~`. */
const isValuePart = (code: number): boolean =>
  (isNamePart(code) && code !== 46) || code === 43 || code === 47 || code === 61 || code === 37 || code === 126;
