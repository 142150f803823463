import { base64Text } from '../base/base64';
import type { Finding } from './finding';
import { inManifest } from './manifests';
import { quotedPassword } from './passwordRules';
import { isExample, isMixed, isPassword, isRandom } from './shape';

/** Finds what is a secret because of where it stands, from a word on that leads to it. */
export type PlacedRule = (text: string, at: number) => readonly Finding[];

/** What a sticky expression holds in its last group, which ends it. */
const held = (pattern: RegExp, kind: string, isSecret: (value: string) => boolean): PlacedRule => {
  const sticky = new RegExp(pattern.source, `${pattern.flags}y`);
  return (text, at) => {
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    const value = match?.at(-1);
    if (!match || value === undefined || !isSecret(value)) return [];
    const end = at + match[0].length;
    return [{ start: end - value.length, end, rule: kind, sure: true }];
  };
};

/** A password is what stands there, but for examples, what is put in later and code that reads one. */
const isWritten = (value: string): boolean =>
  value.length >= 6 && !isExample(value) && !/^[${<%*]|[a-z_]{4}\((?:[a-z_"'`)]|$)/i.test(value);

/** `ansible_become_pass`, `ansible_ssh_password` and their like, in YAML and in the line of a host. */
const ansible = held(
  /ansible_(?:[a-z]{1,20}_)?pass(?:word)?["'\]]{0,2}\s{0,3}[:=]\s{0,9}["']?([^\s"'#]{6,200}|(?<=["'])[^\s"']{6,200})/i,
  'ansible-password',
  (value) => isWritten(value) && (isPassword(value) || isRandom(value, 2.3)),
);

/** A name and a password in base64. */
function isUser(value: string): boolean {
  const [, password = ''] = /^[\x20-\x7e]{1,200}?:([\x20-\x7e]{4,2000})$/.exec(base64Text(value)) ?? [];
  return password !== '' && !isExample(password);
}

const pgpass = held(/:5432:[\w*-]{1,64}:[\w*.@-]{1,64}:([^\s:"'`]{6,200})(?=\s|$)/, 'url-password', isPassword);
const netrc = held(
  /machine\s{1,9}[\w.-]{1,100}\s{1,9}(?:login\s{1,9}\S{1,100}\s{1,9})?(?:account\s{1,9}\S{1,100}\s{1,9})?password\s{1,9}(\S{6,200})/,
  'netrc-password',
  isWritten,
);
const docker = held(/"auth\\{0,7}"\s{0,9}:\s{0,9}\\{0,7}"([A-Za-z0-9+/]{8,400}={0,2})/, 'docker-auth', isUser);
const bearer = held(/bearer["']?,?\s{1,3}["']?([\w+/=.~-]{20,2000})/i, 'authorization', (value) => {
  return isMixed(value) && !/[a-z]{3}\.[a-z]{3}/i.test(value);
});

/** What is given to a program as a password, by the option that says so. */
const option = (before: string): PlacedRule =>
  held(
    new RegExp(`${before}["']?([^\\s"'\`$<{]{6,200})`),
    'basic-password',
    (value) => isWritten(value) && isPassword(value),
  );
const words = '[^\\r\\n;|&]{0,200}?\\s';
const options: readonly (readonly [word: string, rule: PlacedRule])[] = [
  ['sshpass', option('sshpass\\s{1,3}(?:-[ve]\\s{1,3}){0,2}-p\\s{0,3}')],
  ['login', option(`login\\b${words}(?:-p|--password)[= ]\\s{0,3}`)],
  ['mysql', option(`mysql(?:dump|admin|import|show)?\\b${words}-p`)],
  ['mariadb', option(`mariadb(?:-dump|-admin)?\\b${words}-p`)],
  ['sqlcmd', option(`sqlcmd\\b${words}-P\\s{0,3}`)],
  ['-pass', option('-pass(?:in|out)?\\s{1,3}["\']?pass:')],
  ['-storepass', option('-storepass\\s{1,3}')],
  ['-keypass', option('-keypass\\s{1,3}')],
];

/** What a browser shows a host to be let in again, in the header of a request or an answer. */
const cookie = held(
  /cookie["'\]]{0,2}\s?[:=,]\s{0,3}["'`]?(?:[\w.-]{1,60}=[^\s;,"'`]{0,400};\s?){0,8}?[\w.-]{0,30}(?:sess(?:ion)?(?:[_-]?id)?|sid|token|auth)=([^\s;,"'`$<{]{16,800})/i,
  'session-cookie',
  (value) => isRandom(value, 3),
);

/** A password among the parts of an address that stand side by side: `Server=…;User Id=…;Password=…;`. */
const inParts = /(?:password|pwd)\s?=\s?([^;,"'`\s&<>\\]{4,200})/iy;
const partBefore = /(?:[;,]|:\d{1,5},?|^|[?&"'])\s?$/;
const address =
  /(?:server|data source|host|addr(?:ess)?|uid|user(?: id|name)?|database|initial catalog|driver|jdbc:\w+:\S{0,80}|\.net:\d{2,5})\b[^;=\n]{0,3}[=;?,]/i;
const part: PlacedRule = (text, at) => {
  const before = text.slice(Math.max(0, at - 300), at);
  if (!partBefore.test(before.slice(-8)) || !address.test(before.slice(before.lastIndexOf('\n') + 1))) return [];
  inParts.lastIndex = at;
  const match = inParts.exec(text);
  const value = match?.[1];
  if (!match || value === undefined || !isWritten(value) || !(isPassword(value) || isRandom(value, 2.3))) return [];
  const end = at + match[0].length;
  return [{ start: end - value.length, end, rule: 'url-password', sure: true }];
};

const encoded = /ZXlK(?=[A-Za-z0-9]{6})(?=[\w+/\\\r\n-]{46})[\w+/-]{0,8000}={0,2}/y;
const nextLine = /[ \t]{0,40}\r?\n[ \t]{0,40}([\w+/-]{1,200}={0,2})(?=[\s"'`]|$)/y;
const leastWidth = 40;
/** Of a token in so many lines each is hidden. */
const mostLines = 60;

/**
 * A web token in base64, whatever its parts: what is encoded in it begins with the first member of an object. It goes
 * on in further lines of one width.
 */
const encodedToken: PlacedRule = (text, at) => {
  // The first characters alone, as most that begin so are none.
  const [begin = ''] = /^[A-Za-z0-9+/]{0,16}/.exec(text.slice(at, at + 16)) ?? [];
  if (!/^\{"[\w#]/.test(base64Text(base64Text(begin)))) return [];
  encoded.lastIndex = at;
  const first = encoded.exec(text)?.[0];
  if (first === undefined) return [];
  const lines = [{ start: at, end: at + first.length, rule: 'json-web-token', sure: true }];
  for (let width = first.length; lines.length < mostLines;) {
    nextLine.lastIndex = lines.at(-1)?.end ?? at;
    const length = nextLine.exec(text)?.[1]?.length ?? 0;
    // Something may stand before the first one.
    if (lines.length === 1 && length >= leastWidth) width = Math.max(width, length);
    if (length === 0 || length > width || width < leastWidth) return lines;
    lines.push({ start: nextLine.lastIndex - length, end: nextLine.lastIndex, rule: 'json-web-token', sure: true });
    if (length < width) return lines;
  }
  return lines;
};

/** By the word that leads to them, in lower case. */
export const placedRules: readonly (readonly [word: string, rule: PlacedRule])[] = [
  [':5432:', pgpass],
  ['machine', netrc],
  ['ansible_', ansible],
  ['"auth', docker],
  ['bearer', bearer],
  ['zxlk', encodedToken],
  ['secret', inManifest],
  ...options,
  ['cookie', cookie],
  ['password', part],
  ['pass', quotedPassword],
  ['pwd', quotedPassword],
  ['pwd=', part],
];

const bot = /:AA[\w-]{30,36}(?![\w-])/y;

/** A token of a bot, by what stands in its middle: the digits before it may be eight to ten. */
export const telegram: PlacedRule = (text, at) => {
  bot.lastIndex = at;
  const rest = bot.exec(text)?.[0];
  const digits =
    rest === undefined
      ? ''
      : (/(?:^|[^\w]|bot|\\[nrt])(\d{8,10})$/.exec(text.slice(Math.max(0, at - 14), at))?.[1] ?? '');
  if (rest === undefined || digits === '' || !isRandom(rest, 3.5)) return [];
  return [{ start: at - digits.length, end: at + rest.length, rule: 'telegram-token', sure: true }];
};
