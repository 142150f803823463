import { namesCarriageReturn } from '../../../core/files/lineMatcher';
import type { SearchQuery } from '../../../core/ports/fileSearch';

export interface RustPattern {
  readonly pattern: string;
  /**
   * True where it finds more than the expression does, in lines with more than ASCII: their matches have to be looked
   * for again.
   */
  readonly isLoose: boolean;
}

const ascii: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\x0c\\r ' };
/**
 * Bytes that are no UTF-8, of which our own engine reads up to three as one replacement character. No character class
 * matches them there.
 */
const otherByte = '(?-u:[\\x80-\\xff])';
const otherBytes = '(?-u:[\\x80-\\xff]{1,3})';

/**
 * Writes an RE2 expression so that ripgrep's engine understands it alike: `\d`, `\w`, `\s` and `\b` mean ASCII in RE2
 * and Unicode there, `\<` a bracket in RE2 and a border there. The expression has been accepted by our own engine
 * before, so that both refuse the same. Undefined where only our own engine gives the right answer.
 */
export function rustPattern(query: Pick<SearchQuery, 'pattern' | 'literal' | 'wholeWord'>): RustPattern | undefined {
  const { pattern, literal, wholeWord } = query;
  // Neither half a surrogate pair nor a NUL can be handed over.
  if (/\p{Surrogate}|\0/u.test(pattern) || namesCarriageReturn(query)) return undefined;
  const written = literal ? plainText(pattern) : new Translation(pattern).result();
  if (!written || !wholeWord) return written;
  return { ...written, pattern: `(?-u:\\b)(?:${written.pattern})(?-u:\\b)` };
}

function plainText(text: string): RustPattern {
  return { pattern: [...text].map(literally).join(''), isLoose: text.includes('\ufffd') };
}

function literally(char: string): string {
  return char === '\ufffd' ? orOtherBytes(char) : char.replace(/[\\^$.|?*+()[\]{}#&~-]/, '\\$&');
}

function orOtherBytes(pattern: string): string {
  return `(?:${pattern}|${otherBytes})`;
}

class Translation {
  readonly #pattern: string;
  #at = 0;
  #isLoose = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  result(): RustPattern | undefined {
    let out = '';
    while (this.#at < this.#pattern.length) {
      const part = this.#next();
      if (part === undefined) return undefined;
      out += part;
    }
    return { pattern: out, isLoose: this.#isLoose };
  }

  /** Takes what an expression that is anchored here matches. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#pattern) ?? undefined;
    if (match) this.#at += match[0].length;
    return match;
  }

  #loose(part: string): string {
    this.#isLoose = true;
    // What may come any number of times needs no number of bytes, and is searched for several times as fast.
    const isRepeated = /^(?:[*+]|\{\d+,\})/.test(this.#pattern.slice(this.#at, this.#at + 10));
    return isRepeated ? `(?:${part}|${otherByte})` : orOtherBytes(part);
  }

  #isRepetition(): boolean {
    return /[*+?{]/.test(this.#pattern[this.#at] ?? '');
  }

  #next(): string | undefined {
    const quoted = this.#take(/\\Q(.*?)(?:\\E|$)/sy);
    // A repetition after nothing, or after flags, repeats what stands before them.
    if (quoted?.[1] === '' && this.#isRepetition()) return undefined;
    if (quoted) {
      const { pattern, isLoose } = plainText(quoted[1] ?? '');
      this.#isLoose ||= isLoose;
      return pattern;
    }
    // Lines are matched one by one, so that neither flag means anything here; there they would.
    const flags = this.#take(/\(\?([a-zA-Z-]+)([:)])/y);
    if (flags && this.#isRepetition()) return undefined;
    if (flags) return flagsOf(flags[1] ?? '', flags[2] ?? '');
    const escape = this.#take(/\\(?:[pP](?:\{[^}]*\}|.)|x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|.)/suy);
    if (escape) return this.#escape(escape[0]);
    const set = this.#take(/\[\^?\]?(?:\[:[^\]]*:\]|\\[pP]\{[^}]*\}|\\.|[^\]\\])*\]/suy);
    if (set) return this.#set(set[0]);
    const repeat = this.#take(/\{\d+(?:,\d*)?\}/y);
    if (repeat) return repeat[0];
    const [char = ''] = this.#take(/./suy) ?? [];
    if (char === '.') return this.#loose(char);
    if (char === '\ufffd') this.#isLoose = true;
    return char === '{' || char === '}' || char === '\ufffd' ? literally(char) : char;
  }

  #escape(escape: string): string | undefined {
    const letter = escape[1] ?? '';
    const set = ascii[letter.toLowerCase()];
    if (set !== undefined) return letter === letter.toLowerCase() ? `[${set}]` : this.#loose(`[^${set}]`);
    // Between bytes, so within a character too.
    if (letter === 'B') this.#isLoose = true;
    if (letter === 'b' || letter === 'B') return `(?-u:${escape})`;
    if (letter === 'A') return '^';
    if (letter === 'z') return '$';
    if (letter === 'p' || letter === 'P') return this.#loose(escape);
    if (letter === 'x') return isReplacement(escape) ? this.#loose(escape) : escape;
    if (/[afntv]/.test(letter)) return escape;
    // Octal numbers, any byte, and what is not known.
    return /[0-9A-Za-z]/.test(letter) ? undefined : literally(letter);
  }

  #set(set: string): string {
    const isNegated = set.startsWith('[^');
    const start = isNegated ? 2 : 1;
    let mayBeOther = isNegated;
    let out = '';
    const member = /\[:(\^?)[^\]]*:\]|\\(?:[pP](?:\{[^}]*\}|.)|x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|.)|./suy;
    member.lastIndex = start;
    for (let part = member.exec(set); part && member.lastIndex < set.length; part = member.exec(set)) {
      const [text] = part;
      const letter = text[1] ?? '';
      const known = text.startsWith('\\') ? ascii[letter.toLowerCase()] : undefined;
      if (known !== undefined) out += letter === letter.toLowerCase() ? known : `[^${known}]`;
      // These are operators there and ordinary characters here; a hyphen is one between two others only.
      else if (text.length === 1)
        out += /[[\]&~]/.test(text) || (text === '-' && set[member.lastIndex] === '-') ? `\\${text}` : text;
      else out += /^\\[^0-9A-Za-z]/.test(text) ? `\\${letter}` : text;
      if (text.startsWith('[:') ? part[1] === '^' : /^\\(?:[DWSpP]|x\{|x[89a-fA-F])|[^\x00-\x7f]/u.test(text))
        mayBeOther = true;
    }
    const whole = `[${isNegated ? '^' : ''}${out}]`;
    return mayBeOther ? this.#loose(whole) : whole;
  }
}

function flagsOf(flags: string, end: string): string {
  const [on = '', off = ''] = flags.replace(/[ms]/g, '').split('-');
  const kept = `${on}${off === '' ? '' : `-${off}`}`;
  if (end === ')') return kept === '' ? '' : `(?${kept})`;
  return `(?${kept}:`;
}

function isReplacement(escape: string): boolean {
  return /^\\x\{0*fffd\}$/i.test(escape);
}
