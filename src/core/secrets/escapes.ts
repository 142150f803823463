import { isUnseen } from './cuts';
import { type Meant, rewritten, type View } from './view';

const hex = '[0-9A-Fa-f]';
/** In programs and JSON, themselves escaped so many times: by hexadecimal, by octal digits, and by letters. */
const ofPrograms = String.raw`\\{1,3}(?:u${hex}{4}|u\{${hex}{2,6}\}|U000${hex}{5}|x${hex}{2}|[0-3][0-7]{2}|[4-7][0-7]|33|1[125]|e(?=\[)|/)`;
const ofPages = String.raw`&(?:amp|quot|lt|gt|apos|shy|zwj|zwnj|ZeroWidthSpace|#[xX]0{0,6}${hex}{1,5}|#\d{1,9});`;
const escape = new RegExp(String.raw`%${hex}{2}|${ofPrograms}|${ofPages}|\0+`, 'g');
const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'" };

/** What stands around escapes, with the characters that they stand for. */
export function unescapedViews(text: string): readonly View[] {
  if (!(text.includes('%') || text.includes('\\') || text.includes('&') || text.includes('\0'))) return [];
  const meant: Meant[] = [];
  escape.lastIndex = 0;
  for (let match = escape.exec(text); match; match = escape.exec(text)) {
    const char = meaning(match[0]);
    if (char !== undefined) meant.push({ from: match.index, to: escape.lastIndex, char });
  }
  return rewritten(text, meant);
}

/** The character that an escape stands for; undefined for those that no secret is made of. */
function meaning(written: string): string | undefined {
  if (written.startsWith('\0')) return '';
  if (written.startsWith('%')) return characterOf(Number.parseInt(written.slice(1), 16));
  if (written.startsWith('&')) {
    const name = written.slice(1, -1);
    if (!name.startsWith('#')) return named[name] ?? '';
    return characterOf(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  }
  const rest = written.replace(/^\\+/, '');
  if (rest === '/') return '/';
  if (rest === 'e') return '\u001b';
  return characterOf(/^\d/.test(rest) ? Number.parseInt(rest, 8) : Number.parseInt(rest.replace(/^[uUx]\{?/, ''), 16));
}

/** Bytes of UTF-8 stay bytes; signs that show nothing and line breaks are left to who reads what is read here. */
function characterOf(code: number): string | undefined {
  if (code > 0 && code <= 0xff) return String.fromCharCode(code);
  return isUnseen(code) ? '' : undefined;
}
