import { byName } from './programRow';

const longest = 20_000;

/** What a program prints, where its arguments and what it reads say it; undefined where only a run can tell. */
export function printed(program: string, args: readonly string[], stdin: string | undefined): string | undefined {
  const text = printers.get(program)?.(args, stdin);
  return text === undefined || text.length > longest ? undefined : text;
}

type Printer = (args: readonly string[], stdin: string | undefined) => string | undefined;

/** What is read by a filter that has no file named. */
const filter =
  (change: (text: string, args: readonly string[]) => string | undefined): Printer =>
  (args, stdin) =>
    stdin === undefined ? undefined : change(stdin, args);

const printers = byName<Printer>({
  echo: (args) => {
    const options = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
    const words = options < 0 ? [] : args.slice(options);
    const flags = args.slice(0, options < 0 ? args.length : options).join('');
    const text = words.join(' ');
    return `${flags.includes('e') ? unescaped(text) : text}${flags.includes('n') ? '' : '\n'}`;
  },
  printf: ([format = '', ...args]) => {
    if (format === '--') return printed('printf', args, undefined);
    return format.startsWith('-') ? undefined : formatted(format, args);
  },
  base64: filter((text, args) => {
    if (args.some((arg) => /^(?:-[dDi]+|--decode|--ignore-garbage)$/.test(arg))) return fromBase64(text);
    return undefined;
  }),
  openssl: filter((text, args) =>
    args.includes('-d') && /base64/.test(args.join(' ')) ? fromBase64(text) : undefined,
  ),
  rev: filter((text, args) =>
    args.length > 0
      ? undefined
      : text
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n'),
  ),
  xxd: filter((text, args) => (/r/.test(args.join('')) && /p/.test(args.join('')) ? fromHex(text) : undefined)),
  cat: filter((text, args) => (args.every((arg) => arg === '-') ? text : undefined)),
  tee: filter((text) => text),
  tr: filter((text, args) => translated(text, args)),
  'true false : cd export set unset alias shopt test [': () => '',
});

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|0?([0-7]{1,3})|([\\abefnrtv]))/gi,
    (whole: string, hex?: string, unicode?: string, octal?: string, letter?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return letters[letter ?? ''] ?? whole;
    },
  );
}

const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', e: '\u001b', b: '\b' };

function formatted(format: string, args: readonly string[]): string | undefined {
  const rest = [...args];
  let out = '';
  let isBad = false;
  do {
    const before = rest.length;
    // Escapes of the format are read before its places, so that what is filled in is left alone.
    out += unescaped(format).replace(/%(?:%|[-0-9.]*([sbqdiuxXoc]))/g, (whole: string, kind?: string) => {
      if (kind === undefined) return '%';
      const next = rest.shift() ?? '';
      if (whole.length > 2 && whole !== '%%') isBad = true;
      if (kind === 's') return next;
      if (kind === 'b') return unescaped(next);
      if (kind === 'c') return next.slice(0, 1);
      if (kind === 'd' || kind === 'i') return String(Number(next));
      isBad = true;
      return '';
    });
    if (rest.length === before || out.length > longest) break;
  } while (rest.length > 0);
  return isBad ? undefined : out;
}

function fromBase64(text: string): string | undefined {
  const clean = text.replace(/[^A-Za-z0-9+/]/g, '');
  // A last character alone holds no byte.
  const binary = atob(clean.length % 4 === 1 ? clean.slice(0, -1) : clean);
  return asText(Array.from(binary, (char) => char.charCodeAt(0)));
}

function fromHex(text: string): string | undefined {
  const clean = text.replace(/[^0-9a-f]/gi, '');
  return asText((clean.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

const asText = (bytes: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(bytes));

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

/** The letters that a set of `tr` stands for: `a-z`, `\n`; undefined for classes. */
function letterSet(text: string): readonly string[] | undefined {
  if (/\[[:=.]/.test(text)) return undefined;
  const plain = [...unescaped(text)];
  const out: string[] = [];
  for (let at = 0; at < plain.length; at++) {
    const [char = '', dash, end] = plain.slice(at, at + 3);
    if (dash !== '-' || end === undefined) out.push(char);
    else {
      for (let code = char.charCodeAt(0); code <= end.charCodeAt(0) && out.length < 512; code++)
        out.push(String.fromCharCode(code));
      at += 2;
    }
  }
  return out;
}
