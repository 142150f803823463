import { Anchors } from './anchors';
import type { Finding, SecretFinder } from './finding';
import { KnownValues } from './knownValues';
import { genericNames, namedRules, type NamedRule } from './namedRules';
import { addKeyLines, PrivateKeys } from './privateKeys';
import { entropy, isExample, isMixed, isPublicId, isRandom } from './shape';
import { type TokenRule, tokenRules } from './tokenRules';
import { viewsOf } from './views';

/** What is looked for at an anchor. */
type Owner =
  | { readonly type: 'token'; readonly rule: TokenRule }
  | { readonly type: 'named'; readonly rule: NamedRule }
  | { readonly type: 'key' | 'putty' | 'generic' | 'address' | 'header' | 'curl' }
  | { readonly type: 'middle'; readonly rule: MiddleRule };

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

function owners(): (readonly [string, Owner])[] {
  return [
    ...tokenRules.flatMap((rule) => rule.anchors.map((word) => [word, { type: 'token', rule }] as const)),
    ...namedRules.flatMap((rule) => rule.names.map((word) => [word, { type: 'named', rule }] as const)),
    ...genericNames.map((word) => [word, { type: 'generic' } as const] as const),
    ['-----begin', { type: 'key' }],
    ['putty-user-key-file-', { type: 'putty' }],
    ['://', { type: 'address' }],
    ['authorization', { type: 'header' }],
    ['curl', { type: 'curl' }],
    ['.atlasv1.', { type: 'middle', rule: { kind: 'terraform-token', before: 14, pattern: terraform } }],
    ['_mmk', { type: 'middle', rule: { kind: 'maxmind-key', before: 36, pattern: maxmind } }],
  ];
}

/** From a name to its value: the rest of the name, quotes, an operator, quotes. */
const assignment = /[\w \t.-]{0,24}(?:\\?["'\]\s]){0,4}(?:=>|:{1,3}=|\?=|\|\||==|[=>:,])(?:\\?["'`\s=]){0,5}/y;
const value = /[\w+/=.~%:|-]{8,220}/y;
/** What may stand behind a value. */
const valueEnd = /[`'"\s;,)}\]<&]|\\[nrt"']|$/y;

const address = /([^\s/?#@"'<>`:{}$()[\]]{0,128}):([^\s@"'<>`/{}$()[\]\\\u0080-\uffff]{3,256})@[\w.[-]/y;
const header =
  /authorization["'`\]]{0,2}\s{0,3}(?:=>|[:=,])\s{0,3}(?:\\?["'`])?(?:(?:bearer|basic|token|apikey|digest)\s{1,3})?([\w+/=.~-]{8,2000})/iy;
const scheme = /(?:bearer|basic|token|apikey|digest)\s[^\s]*$/i;
const signature = /^[a-z0-9]+-hmac-sha\d+$/i;
const curlUser = /curl\b[^\r\n]{0,400}?\s(?:-u|--user)[= ]{1,2}["']?([\w$@.%+-]{1,80}:[^\s"':]{6,200})/y;
const anchors = (() => {
  let made: Anchors<Owner> | undefined;
  return (): Anchors<Owner> => (made ??= new Anchors(owners()));
})();

/** Finds secrets as they are written, and what is sure in what a receiver reads: behind escapes and in base64. */
export const findByRules: SecretFinder = (text) => findInViews(text, findAsWritten);

/** What a finder finds in a text, and what is sure in its views. */
export function findInViews(text: string, find: SecretFinder): readonly Finding[] {
  const found = find(text);
  const more: Finding[] = [];
  for (const view of viewsOf(text))
    for (const { start, end, rule, sure } of find(view.text))
      if (sure === true) more.push({ start: view.startOf(start), end: view.endOf(end), rule, sure });
  return more.length === 0 ? found : [...found, ...more];
}

/**
 * Finds secrets by one pass over literal anchors and a few rules at each. Every rule looks at a bounded stretch, so
 * that the time grows with the text alone.
 */
export const findAsWritten: SecretFinder = (text) => findWith(text);

/** A store of values that `findWith` looks for too, empty. */
export const newKnownValues = (): KnownValues => new KnownValues(anchors().copyMarks());

/** The same and where known values stand, in the same pass. */
export function findWith(text: string, known?: KnownValues): readonly Finding[] {
  const isShort = text.length < shortest;
  if (isShort && known === undefined) return [];
  const found: Finding[] = [];
  const values: Finding[] = [];
  const others = known && { marks: known.marks, lookAt: (at: number): void => known.findAt(text, at, values) };
  const look: Look = { text, found, keys: new PrivateKeys(text), tokenEnd: 0 };
  const visit = (at: number, all: readonly Owner[]): void => {
    for (const owner of all) lookAt(look, at, owner);
  };
  anchors().search(text, isShort ? () => undefined : visit, others);
  if (!isShort) {
    sweep(look);
    partialKey(look);
  }
  return values.length === 0 ? found : [...found, ...values];
}

/** No rule finds anything in less. In characters. */
const shortest = 12;

interface Look {
  readonly text: string;
  readonly found: Finding[];
  readonly keys: PrivateKeys;
  /** Where the last token ended: nothing begins within one. */
  tokenEnd: number;
}

function lookAt(look: Look, at: number, owner: Owner): void {
  switch (owner.type) {
    case 'token':
      return token(look, at, owner.rule);
    case 'named':
      return named(look, at, owner.rule);
    case 'generic':
      return generic(look, at);
    case 'key':
      return look.keys.at(at, look.found);
    case 'putty':
      return look.keys.putty(at, look.found);
    case 'address':
      return credentials(look, at + 3);
    case 'header':
      return authorization(look, at);
    case 'curl':
      return curl(look, at);
    case 'middle':
      return middle(look, at, owner.rule);
  }
}

/** No letter or digit stands before, but for the last of an escape: `\n`, `%3D`. */
function beginsHere(text: string, at: number): boolean {
  if (at === 0 || !isWord(text.charCodeAt(at - 1)) || !isWord(text.charCodeAt(at))) return true;
  return /\\[nrtbf]$|%[0-9A-Fa-f]{2}$|\\u[0-9a-f]{4}$|\u001b\[[\d;]{0,8}m$/.test(text.slice(Math.max(0, at - 10), at));
}

/** What a sticky expression matches at a place. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function token(look: Look, at: number, { kind, pattern, bits, guess }: TokenRule): void {
  const { text, found } = look;
  if (at < look.tokenEnd || !beginsHere(text, at)) return;
  const match = matchAt(pattern, text, at)?.[0];
  if (match === undefined) return;
  look.tokenEnd = at + match.length;
  if (entropy(match) < (bits ?? 2.6) || fake.test(match)) return;
  found.push({ start: at, end: at + match.length, rule: kind, ...(guess ? {} : { sure: true }) });
}

/** Examples of documentation: one character again and again, `EXAMPLE` at the end, the alphabet. */
const fake = /example$|eyJzdWIiOiIxMjM0NTY3ODkwIiwi|x{6,}|0{12,}|\.{3}|\*{3}|abcdefghijkl|1234567890abc|your[_-]/i;

function named({ text, found }: Look, at: number, rule: NamedRule): void {
  const read = valueAfter(text, at);
  if (!read || !rule.value.test(read.text)) return;
  const digitsOnly = rule.guess === true || /^\d/.test(read.text);
  if (!digitsOnly && !isRandom(read.text, read.text.length < 20 ? 2.6 : 2.9)) return;
  if (resourceName.test(text.slice(Math.max(0, read.range.start - 80), read.range.start))) return;
  found.push({ ...read.range, rule: rule.kind, ...(rule.guess ? {} : { sure: true }) });
}

/** What leads to the last part of a name that Amazon gives to a resource: `arn:aws:iam::aws:policy/…`. */
const resourceName = /\barn:[\w:-]{0,60}$/;

/** The value that is assigned to a name that begins at an index. */
function valueAfter(
  text: string,
  at: number,
): { readonly text: string; readonly range: { readonly start: number; readonly end: number } } | undefined {
  const led = matchAt(assignment, text, at);
  if (!led) return undefined;
  const start = at + led[0].length;
  const held = matchAt(value, text, start)?.[0];
  if (held === undefined || !matchAt(valueEnd, text, start + held.length)) return undefined;
  return { text: held, range: { start, end: start + held.length } };
}

/** A value under a name that says it is one: a guess. */
function generic({ text, found }: Look, at: number): void {
  const read = valueAfter(text, at);
  if (!read || isPublicId(read.text) || !isMixed(read.text) || /[./]{1}[a-z]{2,}[./]|^\d+$/.test(read.text)) return;
  found.push({ ...read.range, rule: 'value', sure: false });
}

function credentials({ text, found }: Look, at: number): void {
  const match = matchAt(address, text, at);
  const word = match?.[2];
  if (!match || word === undefined || /^\d{1,5}$/.test(word)) return;
  const start = at + (match[1] ?? '').length + 1;
  const sure = word.length >= 8 && isRandom(word, 2.5);
  if (!sure && isExample(word)) return;
  found.push({ start, end: start + word.length, rule: 'url-password', sure });
}

function authorization({ text, found }: Look, at: number): void {
  const match = matchAt(header, text, at);
  const held = match?.[1];
  if (!match || held === undefined) return;
  const start = at + match[0].length - held.length;
  // Code that calls a function, or the name of a scheme.
  if (text[start + held.length] === '(' || signature.test(held)) return;
  // In a longer name, such as `EndpointAuthorization`, the value is one only where a scheme stands before it.
  const isHeader = !/[A-Za-z]$/.test(text.slice(Math.max(0, at - 1), at)) || scheme.test(match[0]);
  const sure = isHeader && held.length >= 16 && isRandom(held, 3);
  if (sure || isMixed(held)) found.push({ start, end: start + held.length, rule: 'authorization', sure });
}

function curl({ text, found }: Look, at: number): void {
  const match = matchAt(curlUser, text, at);
  const held = match?.[1];
  if (!match || held === undefined) return;
  const word = held.slice(held.indexOf(':') + 1);
  const start = at + match[0].length - word.length;
  const sure = word.length >= 8 && isRandom(word, 2.5);
  if (sure || !isExample(word)) found.push({ start, end: start + word.length, rule: 'basic-password', sure });
}

const twilio = /SK[0-9a-fA-F]{32}(?![\w-])/y;
const webToken = /\.ey[\w/\\-]{15,8000}(?:\.[\w/\\-]{0,2000}={0,2})?/y;
const azure = /[\w~.]{3}\dQ~[\w~.-]{31,34}/y;
const terraform = /[a-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/iy;
const maxmind = /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/y;

function sweep(look: Look): void {
  webTokens(look.text, look.found);
  around(look, 'SK', { kind: 'twilio-key', before: 0, pattern: twilio });
  around(look, 'Q~', { kind: 'azure-secret', before: 4, pattern: azure });
}

/** JSON web tokens, by the beginning of their second part. */
function webTokens(text: string, found: Finding[]): void {
  let from = 0;
  for (let at = text.indexOf('.ey'); at >= 0; at = text.indexOf('.ey', Math.max(at + 3, from))) {
    let start = at;
    while (start > from && at - start < 4000 && isTokenPart(text.charCodeAt(start - 1))) start--;
    // `\\n` of an escaped line break is no letter of the token.
    const first = text.indexOf('ey', start);
    if (first < 0 || at - first < 17 || (first > start && text[first - 1] !== '_' && !beginsHere(text, first)))
      continue;
    const rest = matchAt(webToken, text, at)?.[0];
    if (rest === undefined) continue;
    const held = text.slice(first, at + rest.length);
    from = at + rest.length;
    if (entropy(held) >= 3.5 && !fake.test(held))
      found.push({ start: first, end: from, rule: 'json-web-token', sure: true });
  }
}

const isTokenPart = (code: number): boolean => isWord(code) || code === 45 || code === 95;

/** What is known by letters in its middle, so many characters behind its beginning. */
interface MiddleRule {
  readonly kind: string;
  readonly before: number;
  readonly pattern: RegExp;
}

/** Letters that are too few for an anchor. */
function around(look: Look, letters: string, rule: MiddleRule): void {
  const { text } = look;
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + letters.length)) middle(look, at, rule);
}

function middle({ text, found }: Look, at: number, { kind, before, pattern }: MiddleRule): void {
  const start = at - before;
  if (start < 0 || !beginsHere(text, start)) return;
  const held = matchAt(pattern, text, start)?.[0];
  if (held !== undefined && entropy(held) >= 3) found.push({ start, end: start + held.length, rule: kind, sure: true });
}

/** The rest of a private key whose beginning stands before the part of a file that is shown. */
function partialKey({ text, found }: Look): void {
  if (!text.includes('-----END')) return;
  const end = /-----END[ A-Z0-9_-]{0,60}PRIVATE[ ]KEY/.exec(text);
  if (!end || text.lastIndexOf('-----BEGIN', end.index) >= 0) return;
  addKeyLines(text, Math.max(0, end.index - 20_000), end.index, found);
}
