import { base64Text } from '../base/base64';
import { binaryBytes } from '../base/bytes';
import { byName } from './programRow';

const longest = 20_000;

/** What a program prints, where its arguments and what it reads say it; undefined where only a run can tell. */
export function printed(
  program: string,
  args: readonly string[],
  stdin: string | undefined,
  isBash: boolean,
): string | undefined {
  const text = printers.get(program)?.(args, stdin, isBash);
  return text === undefined || text.length > longest ? undefined : text;
}

/** `isBash` is false in shells whose own `echo` and `printf` may be others than those of bash. */
type Printer = (args: readonly string[], stdin: string | undefined, isBash: boolean) => string | undefined;

/** What is read by a filter that has no file named. */
const filter =
  (change: (text: string, args: readonly string[]) => string | undefined): Printer =>
  (args, stdin) =>
    stdin === undefined ? undefined : change(stdin, args);

const printers = byName<Printer>({
  echo: ([first, ...args], _stdin, isBash) => {
    // Shells differ in whether signs behind `\\` stand for others, and in all options but the first `-n`.
    const words = [first, ...args].filter((one) => one !== undefined);
    const count = isBash ? words.findIndex((arg) => !/^-[neE]+$/.test(arg)) : Number(first === '-n');
    const options = words.slice(0, count < 0 ? words.length : count);
    const flags = options.map((one) => one.slice(1)).join('');
    const plain = words.slice(options.length).join(' ');
    if (!isBash && plain.startsWith('-')) return undefined;
    const isRead = flags.lastIndexOf('e') > flags.lastIndexOf('E');
    const text = isRead ? unescaped(plain, echoEscape) : /\\[\\abcefnrtv0-7xuU]/.test(plain) ? undefined : plain;
    return text === undefined ? undefined : `${text}${flags.includes('n') ? '' : '\n'}`;
  },
  printf: ([format = '', ...args], _stdin, isBash) => {
    if (format === '--') return printed('printf', args, undefined, isBash);
    return format.startsWith('-') ? undefined : formatted(format, args, isBash);
  },
  base64: filter((text, args) =>
    args.length > 0 && args.every((arg) => /^(?:-[dDi]+|--decode|--ignore-garbage)$/.test(arg))
      ? fromBase64(text)
      : undefined,
  ),
  openssl: filter((text, args) =>
    /^(?:base64|enc -base64|enc -a) -d(?: -A)?$/.test(args.join(' ')) && text.length < 77 && /.\n?$/.test(text)
      ? fromBase64(text)
      : undefined,
  ),
  rev: filter((text, args) =>
    args.length > 0
      ? undefined
      : text
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n'),
  ),
  xxd: filter((text, args) => (/^(?:-r -ps?|-ps? -r)(?: -)?$/.test(args.join(' ')) ? fromHex(text) : undefined)),
  cat: filter((text, args) => (args.every((arg) => arg === '-') ? text : undefined)),
  tee: filter((text, args) => (args.some((arg) => /^-[^ai]|^\/(?:dev|proc)\//.test(arg)) ? undefined : text)),
  tr: filter((text, args) => translated(text, args)),
  'true false : test [': () => '',
});

/** One escape behind `\`; each program knows its own. */
const echoEscape = /\\(?:x([0-9a-fA-F]{1,2})|0([0-7]{0,3})|([^]?))/g;
const printfEscape = /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([^]?))/g;
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  e: '\u001b',
  b: '\b',
  a: '\u0007',
  f: '\f',
  v: '\v',
};

/** A text with its escapes read; undefined where it has one that not every shell reads alike. */
function unescaped(text: string, escape: RegExp): string | undefined {
  let isPlain = true;
  const read = text.replace(escape, (_whole, hex?: string, octal?: string, letter?: string) => {
    const code = hex === undefined ? Number.parseInt(octal || '0', 8) & 255 : Number.parseInt(hex, 16);
    const sign = letter === undefined ? String.fromCharCode(code) : letters[letter];
    if (sign === undefined || (letter === undefined && code > 127)) isPlain = false;
    return sign ?? '';
  });
  return isPlain ? read : undefined;
}

function formatted(format: string, args: readonly string[], isBash: boolean): string | undefined {
  const rest = [...args];
  // Escapes of the format are read before its places, so that what is filled in is left alone.
  const plain = !isBash && /\\[^nt\\0-7]/.test(format) ? undefined : unescaped(format, printfEscape);
  if (plain === undefined) return undefined;
  let out = '';
  let isBad = false;
  do {
    const before = rest.length;
    out += plain.replace(/%([^]?)/g, (_whole, kind: string) => {
      if (kind === '%') return '%';
      const next = rest.shift();
      const text = kind === 'b' ? unescaped(next ?? '', echoEscape) : next;
      if (kind === 's' || kind === 'b') isBad ||= next !== undefined && text === undefined;
      else if (kind === 'c') isBad ||= !/^[\x01-\x7f]/.test(next ?? '');
      else isBad ||= !/^[di]$/.test(kind) || (next !== undefined && !/^(?:0|-?[1-9]\d{0,14})$/.test(next));
      return kind === 'c' ? (text ?? '').slice(0, 1) : (text ?? (/[di]/.test(kind) ? '0' : ''));
    });
    if (isBad || rest.length === before || out.length > longest) break;
  } while (rest.length > 0);
  return isBad ? undefined : out;
}

/** Programs read the first alphabet alone, and no white space but the ends of lines. */
function fromBase64(text: string): string | undefined {
  const clean = text.replace(/\n/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(clean) ? asText(binaryBytes(base64Text(clean))) : undefined;
}

function fromHex(text: string): string | undefined {
  const clean = text.replace(/\s/g, '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(clean)) return undefined;
  return asText(Uint8Array.from(clean.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/** Bytes as text; undefined where they are none. */
function asText(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  return /[\0\ufffd]/.test(text) ? undefined : text;
}

function translated(text: string, args: readonly string[]): string | undefined {
  if (args[0] === '-d' && args.length === 2) {
    const dropped = letterSet(args[1] ?? '');
    return dropped && [...text].filter((char) => !dropped.includes(char)).join('');
  }
  if (args.length !== 2 || args[0]?.startsWith('-')) return undefined;
  const from = letterSet(args[0] ?? '');
  const to = letterSet(args[1] ?? '');
  if (!from || !to || to.length === 0) return undefined;
  return [...text]
    .map((char) => {
      const at = from.lastIndexOf(char);
      return at < 0 ? char : (to[Math.min(at, to.length - 1)] ?? '');
    })
    .join('');
}

/** The letters that a set of `tr` stands for: `a-z`, `\n`; undefined for classes and repeats. */
function letterSet(text: string): readonly string[] | undefined {
  if (/\[[:=.]|\[.*\*|[^\0-\x7f]|\\[^\\abfnrtv0-7]/.test(text)) return undefined;
  const plain = [...(unescaped(text, printfEscape) ?? '')];
  const out: string[] = [];
  for (let at = 0; at < plain.length; at++) {
    const [char = '', dash, end] = plain.slice(at, at + 3);
    if (dash !== '-' || end === undefined) out.push(char);
    else if (char > end) return undefined;
    else {
      for (let code = char.charCodeAt(0); code <= end.charCodeAt(0) && out.length < 512; code++)
        out.push(String.fromCharCode(code));
      at += 2;
    }
  }
  return out;
}
