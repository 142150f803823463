/** Where the kind of a manifest stands in a text, and how far the manifest may reach. */
interface KindPlace {
  readonly text: string;
  readonly start: number;
  /** Where the word `kind` begins, and where its value ends. */
  readonly key: number;
  readonly end: number;
  readonly most: number;
}

/** A member of `data` or `stringData`. */
export interface Member {
  readonly name: string;
  readonly value: string;
  /** Under `data`, in base64. */
  readonly isEncoded: boolean;
  /** Where the value stands, line by line. */
  readonly parts: readonly { readonly start: number; readonly end: number }[];
}

const inObject = /[{,](?:\s|\\{1,7}[nrt]){0,80}(?:\\{0,7}["'])?$/;

/** The members of an object between braces, on however many lines; undefined where the kind stands in none. */
export function membersInBraces({ text, start, key, most }: KindPlace): readonly Member[] | undefined {
  if (!inObject.test(text.slice(Math.max(start, key - 100), key))) return undefined;
  let depth = 0;
  for (let at = key - 1; at >= start; at--) {
    if (text[at] === '}') depth++;
    if (text[at] === '{' && depth-- === 0) return membersFrom(text, at, most);
  }
  return [];
}

const token = /(\\{0,7}["'])|(?:[^\s,:{}[\]"'\\]|:(?=[^\s"'{[\\]))+|(?:\\{1,7}[nrt]|\s)+|[^]/y;

/**
 * The members of the sections in an object that begins at an index.
 * @param section where the object is one itself
 */
function membersFrom(text: string, begin: number, most: number, section = ''): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let [open, name, isValue] = [section, '', false];
  const told = (value: string, start: number): void => {
    if (!isValue) name = value;
    else if (depth === (section === '' ? 2 : 1) && open !== '')
      members.push({ name, value, isEncoded: open === 'data', parts: [{ start, end: start + value.length }] });
  };
  token.lastIndex = begin;
  for (let at = begin; at < most; at = token.lastIndex) {
    const [whole = '', quote] = token.exec(text) ?? [];
    if (quote !== undefined) {
      const [start, end] = [at + quote.length, quoteFrom(text, quote, at + quote.length, most)];
      if (end < 0) return members;
      told(text.slice(start, end), start);
      token.lastIndex = end + quote.length;
    } else if (whole === ':') isValue = true;
    else if (whole === ',') [name, isValue] = ['', false];
    else if (whole === '{' || whole === '[') {
      if (++depth === 2 && section === '') open = /^(?:data|stringData)$/.test(name) ? name : '';
      [name, isValue] = ['', false];
    } else if (whole === '}' || whole === ']') {
      if (--depth === 0) return members;
      [name, isValue] = ['', false];
    } else if (/^[^\s\\]/.test(whole)) told(whole, at);
  }
  return members;
}

/** The same quote with no backslash more before it; -1 where there is none before the end. */
function quoteFrom(text: string, quote: string, from: number, most: number): number {
  const rest = text.slice(from, most);
  let at = rest.indexOf(quote);
  while (at > 0 && rest[at - 1] === '\\') at = rest.indexOf(quote, at + 1);
  return at < 0 ? -1 : from + at;
}

interface Line {
  /** Where what is said begins: behind blanks, numbers of lines, the marks of a difference, a comment or a list. */
  readonly at: number;
  readonly said: string;
  readonly column: number;
  /** Where the mark of a list stands, or what is said. */
  readonly indent: number;
}

const lead = /^((?: {0,9}\d{1,6}[\t|→])?)((?:[+#>]|-(?=["'\w]| {2}))?[ \t]{0,200})((?:- {1,9})*)/;

function lineOf(text: string, start: number, end: number): Line {
  const whole = text.slice(start, end);
  const [head = '', number = '', blanks = '', marks = ''] = lead.exec(whole) ?? [];
  const [column, indent] = [
    head.length - number.length,
    number.length === 0 && marks === '' ? head.length : blanks.length,
  ];
  return { at: start + head.length, said: whole.slice(head.length).trimEnd(), column, indent };
}

const escapedBreak = /(?:\\{1,7}r)?(\\{1,7})n/;
const key = (name: string): RegExp =>
  new RegExp(String.raw`^(?:\\{0,7}["'])?(?:${name})(?:\\{0,7}["'])?:[ \t]{0,9}(?=$|[#{])`);
const sectionKey = key('data|stringData');
const kindKey = /^["']?kind["']?:/;
const mostLines = 400;

/** The members of a manifest in lines, which may be a text in JSON with its line breaks escaped. */
export function membersInLines(place: KindPlace): readonly Member[] {
  const { text, key: at, end } = place;
  const { start, most } = withoutOthers(place);
  const feed =
    new RegExp(`^(?:\\\\{0,7}["'])?[ \\t]{0,9}${escapedBreak.source}`).exec(text.slice(end, end + 40)) ??
    new RegExp(`${escapedBreak.source}[ -]{0,40}(?:\\\\{0,7}["'])?$`).exec(text.slice(Math.max(start, at - 60), at));
  const breaks = feed ? new RegExp(escapedBreak, 'g') : /\r?\n/g;
  // The text ends where its own quotes do, which have a backslash less than its line breaks.
  const quote = feed ? text.slice(end, most).search(new RegExp(`(?<!\\\\)\\\\{0,${(feed[1]?.length ?? 1) - 1}}"`)) : -1;
  const until = quote < 0 ? most : end + quote;
  const lines: Line[] = [];
  let [from, own] = [start, -1];
  for (const { 0: ended, index } of [...text.slice(start, until).matchAll(breaks), { 0: '', index: until - start }]) {
    if (own < 0 && start + index >= at) own = lines.length;
    const begin = own === lines.length && feed && /["']$/.test(text.slice(from, at)) ? at : from;
    lines.push(lineOf(text, begin, start + index));
    from = start + index + ended.length;
  }
  const kind = lines[own];
  if (!kind || !kindKey.test(kind.said) || kind.at > at) return [];
  const [first, last] = bounds(lines, own, kind.column);
  return lines.slice(first, last).flatMap(({ at: begin, said, column }, index) => {
    const [head] = column === kind.column ? (sectionKey.exec(said) ?? []) : [];
    if (head === undefined) return [];
    const isEncoded = !head.includes('stringData');
    if (said[head.length] === '{')
      return membersFrom(text, begin + head.length, until, isEncoded ? 'data' : 'stringData');
    return entries(lines.slice(first + index + 1, Math.min(last, first + index + mostLines)), column, isEncoded);
  });
}

/** The same place up to the kinds that stand just so at their lines: many of them cost no more than their text. */
function withoutOthers({ text, start, key: at, end, most }: KindPlace): { start: number; most: number } {
  const before = text.slice(start, at);
  const line = before.lastIndexOf('\n');
  if (line < 0) return { start, most };
  const alike = `${before.slice(line)}${text.slice(at, at + 4)}`;
  const [last, next] = [before.lastIndexOf(alike, line - 1), text.slice(end, most).indexOf(alike)];
  return { start: last < 0 || line === 0 ? start : start + last, most: next < 0 ? most : end + next };
}

const isSaid = ({ said }: Line): boolean => said !== '' && !said.startsWith('#');

/** The lines of the manifest that has its kind in one of them, by the column of its kind. */
function bounds(lines: readonly Line[], own: number, column: number): readonly [first: number, last: number] {
  const isItem = (line: Line): boolean => line.column === column && line.indent < column;
  const ends = (line: Line): boolean =>
    isSaid(line) &&
    (line.said.startsWith('---') || line.indent < column || (line.column === column && kindKey.test(line.said)));
  let first = own;
  for (let line = lines[first]; line && !isItem(line); line = lines[first]) {
    const before = lines[first - 1];
    if (!before || (ends(before) && !isItem(before)) || (isItem(before) && kindKey.test(before.said))) break;
    first--;
  }
  let last = own + 1;
  for (let line = lines[last]; line && !ends(line); line = lines[last]) last++;
  return [first, last];
}

const entry = /^(?:\\{0,7}["'])?([\w.-]{1,100})(?:\\{0,7}["'])?:[ \t]*/;
/** What stands behind a name: to the end of its quotes, or to a comment. */
const valueBehind =
  /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'|^\\{1,7}["'](.*?)\\{1,7}["']|^((?:[^\s]|[ \t]+(?=[^\s#]))*)/;
const blockHead = /^[|>][+-]?\d?[+-]?(?:\s*#.*)?$/;

function entries(lines: readonly Line[], indent: number, isEncoded: boolean): Member[] {
  const members: Member[] = [];
  for (let next = 0; next < lines.length; next++) {
    const line = lines[next];
    if (!line || (isSaid(line) && line.column <= indent)) break;
    const [head = '', name = ''] = entry.exec(line.said) ?? [];
    const rest = line.said.slice(head.length);
    if (isEncoded && blockHead.test(rest)) {
      const behind = lines.slice(next + 1);
      const length = behind.findIndex((one) => one.said !== '' && one.column <= line.column);
      const parts = behind.slice(0, length < 0 ? undefined : length).filter(({ said }) => said !== '');
      members.push({
        name,
        value: parts.map(({ said }) => said).join(''),
        isEncoded,
        parts: parts.map(({ at, said }) => ({ start: at, end: at + said.length })),
      });
      next += length < 0 ? behind.length : length;
      continue;
    }
    const value =
      valueBehind
        .exec(rest)
        ?.slice(1)
        .find((one) => one !== undefined) ?? '';
    const start = line.at + head.length + rest.indexOf(value);
    members.push({ name, value, isEncoded, parts: [{ start, end: start + value.length }] });
  }
  return members;
}
