import { Anchors } from './anchors';
import type { Finding, SecretFinder } from './finding';
import { KnownValues } from './knownValues';
import { genericNames, namedRules, type NamedRule } from './namedRules';
import { addKeyLines, KeyFields, PrivateKeys } from './privateKeys';
import { type MiddleRule, middleRules } from './middleRules';
import { namedValue, NearValues } from './namedValue';
import {
  entropy,
  isDrawn,
  isExample,
  isMixed,
  isOfWords,
  isPassword,
  isPublicId,
  isRandom,
  isWithinBytes,
} from './shape';
import { dot, type TokenRule, tokenRules } from './tokenRules';
import { findInViews } from './views';
import { type PlacedRule, placedRules, telegram } from './placedRules';

/** What is looked for at an anchor. */
type Owner =
  | { readonly type: 'token'; readonly rule: TokenRule }
  | { readonly type: 'named'; readonly rule: NamedRule; readonly length: number }
  | { readonly type: 'key' | 'jsonKey' | 'xmlKey' | 'putty' | 'generic' | 'address' | 'header' | 'curl' }
  | { readonly type: 'middle'; readonly rule: MiddleRule }
  | { readonly type: 'placed'; readonly rule: PlacedRule };

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

function owners(): (readonly [string, Owner])[] {
  return [
    ...tokenRules.flatMap((rule) => rule.anchors.map((word) => [word, { type: 'token', rule }] as const)),
    ...namedRules.flatMap((rule) =>
      rule.names.map((word) => [word, { type: 'named', rule, length: word.length }] as const),
    ),
    ...genericNames.map((word) => [word, { type: 'generic' } as const] as const),
    ['-----begin', { type: 'key' }],
    ['---- begin', { type: 'key' }],
    ['kty', { type: 'jsonKey' }],
    ['<rsakeyvalue>', { type: 'xmlKey' }],
    ['putty-user-key-file-', { type: 'putty' }],
    ['://', { type: 'address' }],
    ['authorization', { type: 'header' }],
    ['curl', { type: 'curl' }],
    ...middleRules.map(([word, rule]) => [word, { type: 'middle', rule }] as const),
    [':aa', { type: 'placed', rule: telegram }],
    ...[...placedRules].map(([word, rule]) => [word, { type: 'placed', rule }] as const),
  ];
}

/** The name and the password before a host. What has none is a token, where it is long enough. */
const address = /([^\s/?#@"'<>`:{}$()[\]]{0,255})(?::([^\s@"`/\\\u0080-\uffff]{3,256}))?@([\w.[-]{1,60})/y;
/** What is put in there when the text is read by a program, and text in which one address has ended. */
const inserted = /\$\{|\$\(|\{\{|<%|%[sd]|%\(|^[$:]?[{[(<]|^\$\w+$|[>})\]]$|['">)\]][+,;)]|^\d{1,5}['")\]<>,;}]/;
/** What a shell puts in there, and what a person is to put in. */
const insertedInLine = /^\$\w+$|\$[{(]|\{\{|<%|^<[^>]*>$/;
/** Of a shop of gems, whose names and passwords are short. */
const gems = new RegExp(`^(?:gems|enterprise)${dot}contribsys${dot}com`, 'i');
const header =
  /authorization["'`\]]{0,2}\s{0,3}(?:=>|[:=,])\s{0,3}(?:[bfru]{0,2}\\{0,7}["'`])?(?:(?:bearer|basic|(?:api-?)?token|(?:api-?|genie|sso-)?key|digest|ssws|oauth|dpop|hawk|hmac|negotiate|splunk|discogs|pve\w{0,9}|zoho-oauthtoken|klaviyo-api-key|private-token|bot)\s{1,3})?([\w+/=.~-]{8,2000})/iy;
const scheme = /[a-z]\s{1,3}[\w+/.~-][\w+/=.~-]*$/i;
const signature = /^[a-z0-9]+-hmac-sha\d+$/i;
/** To the end of the command: what stands in quotes does not end it. */
const curlUser =
  /curl\b(?:[^\r\n;|&"']|&(?!&)|"[^"\r\n]{0,300}"|'[^'\r\n]{0,300}'|\\\r?\n){0,400}?\s(?:-u|--user)[= ]{1,2}["']?([\w$@./%+-]{0,80})["']?:["']?([^\s"':]{0,200})/y;
const anchors = (() => {
  let made: Anchors<Owner> | undefined;
  return (): Anchors<Owner> => (made ??= new Anchors(owners()));
})();

/** Finds secrets as they are written, and what is sure in what a receiver reads: behind escapes and in base64. */
export const findByRules: SecretFinder = (text) => findInViews(text, findAsWritten);

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
  const look: Look = {
    text,
    found,
    keys: new PrivateKeys(text),
    fields: new KeyFields(text),
    values: new NearValues(text),
    tokenEnd: 0,
  };
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
  readonly fields: KeyFields;
  readonly values: NearValues;
  /** Where the last token ended: nothing begins within one. */
  tokenEnd: number;
}

function lookAt(look: Look, at: number, owner: Owner): void {
  switch (owner.type) {
    case 'token':
      return token(look, at, owner.rule);
    case 'named':
      return isOtherWord(look.text, at, at + owner.length) ? undefined : named(look, at, owner.rule);
    case 'generic':
      return generic(look, at);
    case 'key':
      return look.keys.at(at, look.found);
    case 'jsonKey':
      return look.fields.inJson(at, look.found);
    case 'xmlKey':
      return look.fields.inXml(at, look.found);
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
    case 'placed':
      look.found.push(...owner.rule(look.text, at));
  }
}

/** No letter or digit stands before, but for the last of an escape: `\n`, `%3D`. */
function beginsHere(text: string, at: number): boolean {
  if (at === 0 || !isWord(text.charCodeAt(at - 1)) || !isWord(text.charCodeAt(at))) return true;
  // Most of the time no escape is there, which takes no expression to tell.
  const mayEscape =
    text.charCodeAt(at - 2) === 92 ||
    text.charCodeAt(at - 3) === 37 ||
    text.charCodeAt(at - 6) === 92 ||
    text.charCodeAt(at - 1) === 109;
  return mayEscape && escaped.test(text.slice(Math.max(0, at - 10), at));
}

const escaped = /\\[nrtbf]$|%[0-9A-Fa-f]{2}$|\\u[0-9a-f]{4}$|\u001b\[[\d;]{0,8}m$/;

/** What a sticky expression matches at a place. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function token(look: Look, at: number, { kind, anchors: beginnings, pattern, bits, guess, bare }: TokenRule): void {
  const { text, found } = look;
  if (at < look.tokenEnd || !beginsHere(text, at)) return;
  const match = matchAt(pattern, text, at)?.[0];
  if (match === undefined || (bare && isWithinBytes(text, at, at + match.length))) return;
  look.tokenEnd = at + match.length;
  if (entropy(match) < (bits ?? 2.6) || fake.test(match)) return;
  if (isName(text, at, match, beginnings)) return;
  found.push({ start: at, end: at + match.length, rule: kind, ...(guess ? {} : { sure: true }) });
}

/**
 * A name in code that begins as a token does. Behind a dash it is one where all of it are words, or where little stands
 * before that.
 */
function isName(text: string, at: number, token: string, beginnings: readonly string[]): boolean {
  const begun = token.toLowerCase();
  const begin = beginnings.reduce(
    (best, word) => (begun.startsWith(word) && word.length > best.length ? word : best),
    '',
  );
  const rest = token.slice(begin.length) + (matchAt(wordRest, text, at + token.length)?.[0] ?? '');
  if (isPhrase.test(rest)) return isOfWords(rest.toLowerCase());
  return (begin.length <= 4 || /[_.]$/.test(begin)) && /^[\w.-]+$/.test(rest) && isOfWords(rest);
}
const isPhrase = /^(?:(?:[a-z]+|[A-Z]+|\d{1,4})(?:[-_]|$)){3,}$/;
const wordRest = /\w{0,40}/y;

/** Examples of documentation: one character again and again, `EXAMPLE` at the end, the alphabet. */
const fake = /example$|eyJzdWIiOiIxMjM0NTY3ODkwIiwi|x{6,}|0{12,}|\.{3}|\*{3}|abcdefghijkl|1234567890abc|your[_-]/i;
/** The names and passwords of documentation, in base64. */
const shownCredentials = /QWxhZGRpbjpvcGVu|dXNlcm5hbWU6cGFzc3dvcmQ|dXNlcjpwYXNz|czZCaGRSa3F0Mz/;

/**
 * A name of one word that stands across two words of another one, and ends within the second: `okta` in `rookTable`.
 * Longer names are two words themselves.
 */
const isOtherWord = (text: string, start: number, end: number): boolean =>
  end - start < 8 && isLower(text.charCodeAt(end)) && /[a-z][A-Z][a-z]*$/.test(text.slice(start, end));
const isLower = (code: number): boolean => code >= 97 && code <= 122;

function named({ text, found, values }: Look, at: number, rule: NamedRule): void {
  if (!values.isNear(at)) return;
  const fits = (value: string): boolean =>
    rule.value.test(value) &&
    (rule.guess === true ||
      (/^\d/.test(value) && entropy(value) >= 2.6) ||
      isRandom(value, value.length < 20 ? 2.6 : 2.9));
  const read = namedValue(text, at, fits);
  if (!read || resourceName.test(read.lead) || (!rule.guess && publicName.test(read.lead))) return;
  found.push({ start: read.start, end: read.end, rule: rule.kind, ...(rule.guess ? {} : { sure: true }) });
}

/** What leads to the last part of a name that Amazon gives to a resource: `arn:aws:iam::aws:policy/…`. */
const resourceName = /\barn:[\w:-]{0,60}$/;

/** What leads to the checksum of a file, to a revision, and to the id of what is no secret. */
const publicName =
  /(?:\.(?:[cm]?[jt]sx?|json5?|png|jpe?g|gif|svg|webp|ico|s?css|html?|md|map|py|rb|go|rs|java|zip|t?gz|tar|exe|dll|so|wasm|ttf|otf|woff2?|txt|ya?ml|toml|lock|whl|jar|xml|vue|php|cs|c|h|cpp|sh|bin|dat)|commit|rev|revision|(?:sha-?\d{0,3}|md5)(?:[_-]?sum|[_-]\w{1,40})?|avatar|fingerprint|hash|checksum|digest|etag|integrity|(?:app|application|base|board|channel|guild|org|organization|page|project|server|site|space|team|workspace)[_-]?id)[^\w]{1,40}$/i;

/** A value under a name that says it is one: a guess. */
function generic({ text, found, values }: Look, at: number): void {
  if (!values.isNear(at)) return;
  const read = namedValue(
    text,
    at,
    (value) => !isPath(value) && (isMixed(value) || (noCode.test(value) && isDrawn(value))),
  );
  if (!read) return;
  const isSecretName = secretEnd.test(read.lead);
  if (!isSecretName && (isPublicId(read.text) || !isMixed(read.text))) return;
  found.push({ start: read.start, end: read.end, rule: 'value', sure: isOfCluster.test(read.lead) });
}

const isPath = (value: string): boolean => /[./][a-z]{2,}[./]|^\d+$/.test(value);
/** No time, version or template, and no name of several words: of one case, or with digits all through. */
const noCode = /^(?:[a-z\d]+|[A-Z\d]+|(?=(?:\D*\d){3})[\w+/=-]+)$/;
const secretEnd = /(?:secret|password|token|api[_-]?key|secret[_-]?key)[^\w]{1,40}$/i;
/** The token of a user in the configuration of a cluster. */
const isOfCluster = /\buser:\s{1,9}token:\s{1,3}$/;

function credentials({ text, found }: Look, at: number): void {
  const match = matchAt(address, text, at);
  const [, name = '', word, host = ''] = match ?? [];
  if (!match) return;
  if (word === undefined) {
    // An address of mail, a version, or a person's name otherwise.
    if (name.length >= 20 && isMixed(name) && /(?:https?|git|ssh):\/\/$/.test(text.slice(Math.max(0, at - 10), at)))
      found.push({ start: at, end: at + name.length, rule: 'url-password', sure: true });
    return;
  }
  if (/^\d{1,5}$/.test(word) || inserted.test(word)) return;
  const start = at + name.length + 1;
  const sure = isPassword(word) || (gems.test(host) && /^[0-9a-f]{8}$/i.test(word));
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
  if (shownCredentials.test(held)) return;
  const sure = isHeader && held.length >= 16 && isRandom(held, 3);
  if (sure || isMixed(held)) found.push({ start, end: start + held.length, rule: 'authorization', sure });
}

function curl({ text, found }: Look, at: number): void {
  const match = matchAt(curlUser, text, at);
  if (!match) return;
  // A service that asks for a key alone takes it as a name without a password.
  const [all, name = '', password = ''] = match;
  const word = password === '' ? name : password;
  if (word.length < (password === '' ? 16 : 6) || insertedInLine.test(word)) return;
  const start = at + all.lastIndexOf(word);
  const sure = isPassword(word);
  if (sure || !isExample(word)) found.push({ start, end: start + word.length, rule: 'basic-password', sure });
}

const twilio = /SK[0-9a-fA-F]{32}(?![\w-])/y;
const webToken = /\.ey[\w/\\-]{15,8000}(?:\.[\w/\\-]{0,2000}={0,2})?/y;
const azure = /[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/y;

function sweep(look: Look): void {
  webTokens(look.text, look.found);
  around(look, 'SK', { kind: 'twilio-key', before: 0, pattern: twilio });
  hexRuns(look.text, look.found);
  programTokens(look, '|');
  programTokens(look, '%');
  around(look, 'Q~', { kind: 'azure-secret', before: 4, pattern: azure });
}

/** What goes on behind 32 hexadecimal digits in keys of services for mail. */
const afterHex = /-us\d{1,2}(?![\w-])|-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/iy;

/** Keys of which nothing but digits stands in front: of 32 characters one is looked at, which a run of them holds. */
function hexRuns(text: string, found: Finding[]): void {
  for (let at = 31; at < text.length; at += 32) {
    if (!isHex(text.charCodeAt(at))) continue;
    let [start, end] = [at, at + 1];
    while (start > 0 && isHex(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isHex(text.charCodeAt(end))) end++;
    at = Math.max(at, end - 1);
    const rest = end - start === 32 && beginsHere(text, start) ? matchAt(afterHex, text, end)?.[0] : undefined;
    if (rest === undefined || entropy(text.slice(start, end)) < 2.9) continue;
    const rule = rest.startsWith('-us') ? 'mailchimp-key' : 'mailgun-key';
    found.push({ start, end: end + rest.length, rule, sure: true });
  }
}

/** A token of a program of Facebook, by the sign behind its number. */
const ofProgram = /(?:^|[^\w])(\d{15,16})$/;
const afterNumber = /.(?!\d{20})[\w-]{27,40}(?![\w-])/y;

function programTokens({ text, found }: Look, sign: '|' | '%'): void {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    if (!isDigit(text.charCodeAt(at - 1)) || !isDigit(text.charCodeAt(at - 15))) continue;
    const number = ofProgram.exec(text.slice(Math.max(0, at - 17), at))?.[1];
    const rest = number === undefined ? undefined : matchAt(afterNumber, text, at)?.[0];
    if (number === undefined || rest === undefined || !isRandom(rest, 3.6)) continue;
    found.push({ start: at - number.length, end: at + rest.length, rule: 'facebook-token', sure: true });
  }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHex = (code: number): boolean => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);

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

/** Letters that are too few for an anchor. */
function around(look: Look, letters: string, rule: MiddleRule): void {
  const { text } = look;
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + letters.length)) middle(look, at, rule);
}

function middle({ text, found }: Look, at: number, { kind, before, pattern }: MiddleRule): void {
  const start = at - before;
  if (start < 0 || !beginsHere(text, start)) return;
  const held = matchAt(pattern, text, start)?.[0];
  if (held !== undefined && entropy(held) >= 3 && !isOfWords(held))
    found.push({ start, end: start + held.length, rule: kind, sure: true });
}

/** The rest of a private key whose beginning stands before the part of a file that is shown. */
function partialKey({ text, found }: Look): void {
  if (!text.includes('-----END')) return;
  const end = /-----END[ A-Z0-9_-]{0,60}PRIVATE[ ]KEY/.exec(text);
  if (!end || text.lastIndexOf('-----BEGIN', end.index) >= 0) return;
  addKeyLines(text, Math.max(0, end.index - 20_000), end.index, found);
}
