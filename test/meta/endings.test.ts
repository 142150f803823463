import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What may stay as it is, by file and expression, and why. */
const exempt: Readonly<Record<string, string>> = {
  'src/core/places/mentions.ts /[a-z][a-z0-9+.-]*$/i': 'it is asked about 32 signs',
};

const one = String.raw`\\u\{[0-9a-f]+\}|\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|p\{\w+\}|.)|\[(?:\\.|[^\]\\])*\]|[^\\()|^$*+?]`;
const part = new RegExp(String.raw`\(\?<?[=!:]|\(\?<\w+>|\(|\)|\||\^|\$|(?:${one})`, 'giy');
const quantifier = /(?:[*+?]|\{\d*(?:,\d*)?\})?\??/y;
const literal =
  /(?<=[(,=:[!&|?{};\n>]\s*|return\s+)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([dgimsuvy]*)/g;

interface Part {
  readonly text: string;
  readonly least: number;
  readonly isEndless: boolean;
  readonly isLazy: boolean;
}

function partsOf(source: string): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < source.length; at = quantifier.lastIndex) {
    part.lastIndex = at;
    const text = part.exec(source)?.[0];
    assert.ok(text !== undefined, `not read: ${source.slice(at)}`);
    quantifier.lastIndex = part.lastIndex;
    const often = quantifier.exec(source)?.[0] ?? '';
    parts.push({
      text,
      least: /^(?:[*?]|\{0?,)/.test(often) ? 0 : 1,
      isEndless: /^(?:[*+]|\{\d*,\})/.test(often),
      isLazy: often.length > 1 && often.endsWith('?'),
    });
  }
  return parts;
}

const isOne = ({ text }: Part): boolean => !/^[()|^$]/.test(text);
const signs = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));

function shareSign(a: string, b: string, flags: string): boolean {
  const [first, second] = [a, b].map((text) => new RegExp(`^(?:${text})$`, flags.replace(/[gy]/g, '')));
  return signs.some((sign) => first?.test(sign) === true && second?.test(sign) === true);
}

/**
 * Tells whether an expression takes the square of the time where its end does not fit: its last part stands for any
 * number of signs, and nothing before it says that the row of them begins there.
 */
function isSlow(source: string, flags: string): boolean {
  const parts = partsOf(source);
  return parts.some(({ text }, at) => text === '$' && isSlowBefore(parts, at, flags));
}

function isSlowBefore(parts: readonly Part[], end: number, flags: string): boolean {
  let at = end - 1;
  while (parts[at]?.text === ')' && parts[at]?.isEndless === false && parts[at]?.least === 1) at--;
  let last = parts[at];
  if (!last || !isOne(last) || !last.isEndless) return false;
  // It fits to the end in each case.
  if (last.text === '[^]' || (last.text === '.' && /[ms]/.test(flags))) return false;
  for (at--; at >= 0; at--) {
    const before = parts[at];
    if (before?.text === '|') at = openingOf(parts, at);
    if (!before || at < 0) return true;
    if (before.text === '^') return false;
    if (before.text === ')') {
      const opening = openingOf(parts, at);
      const inside = parts.slice(opening + 1, at);
      if (parts[opening]?.text === '(?<!') return shareSign(last.text, complement(inside[0]?.text ?? ''), flags);
      const isPlain = before.least === 1 && !before.isEndless && !inside.some(({ text }) => text === '|');
      if (isPlain) continue;
      at = opening;
    } else if (isOne(before)) {
      const isShared = shareSign(before.text, last.text, flags);
      if (!isShared && before.least > 0 && !before.isEndless) return false;
      if (isShared && before.isLazy && before.isEndless) return true;
      if (before.isEndless) last = before;
    }
  }
  return true;
}

function complement(text: string): string {
  if (text.startsWith('[^')) return `[${text.slice(2)}`;
  return text.startsWith('[') ? `[^${text.slice(1)}` : `[^${text}]`;
}

/** Where the group begins in which the part before this place stands; -1 for none. */
function openingOf(parts: readonly Part[], closing: number): number {
  let depth = 1;
  for (let at = closing - 1; at >= 0; at--) {
    const text = parts[at]?.text ?? '';
    if (text === ')') depth++;
    else if (text.startsWith('(') && --depth === 0) return at;
  }
  return -1;
}

describe('regular expressions', () => {
  it('do not look for the end of a text from each sign of each row: `trimmedEnd` and a look behind do not either', () => {
    const found = readdirSync('src', { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => path.join(entry.parentPath, entry.name).replaceAll('\\', '/'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(literal)]
          .filter(([, source = '', flags = '']) => isSlow(source, flags))
          .map(([text]) => `${file} ${text}`),
      );
    assert.deepEqual(found.sort(), Object.keys(exempt).sort());
  });

  it('are told from those that know where the row begins', () => {
    const slow = [/\/+$/, /^a|[.,]+$/, /=+\s*$/, /^a:(.*?)\s*$/, /\s+$/, /a{2,}$/, /#.*$/, /(?:a|b)+\s*$/];
    const fast = [/^\/+$/, /(?<!\/)\/+$/, /:\d*$/, /#.*$/s, /^\s*(\d+)\s*$/, /[a-z]\s{1,3}[\w-]\w*$/, /={1,2}$/, /a$/];
    for (const { source, flags } of slow) assert.ok(isSlow(source, flags), source);
    for (const { source, flags } of fast) assert.ok(!isSlow(source, flags), source);
  });
});
