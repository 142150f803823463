import { type Field, plainField } from './field';
import type { Span } from './spans';

/** One argument or name of a line for PowerShell, or a sign between them. */
type Token = WordToken | ({ readonly kind: 'mark'; readonly text: Mark } & Span);

/** `>` stands for every redirection to a file; `(` for every bracket and brace. */
type Mark = ';' | '\n' | '|' | '&&' | '||' | '&' | ',' | '(' | '>' | '<';

export interface WordToken extends Span {
  readonly kind: 'word';
  /** What the program gets; every word may be a pattern, in quotes too. */
  readonly field: Field;
  readonly isQuoted: boolean;
}

/** Quotes of a kind close each other, whichever of them opened. */
const singleQuotes = /['\u2018-\u201b]/;
const doubleQuotes = /["\u201c-\u201e]/;
const blank = /[\s\u0085]/;
const endOfWord = /[\s\u0085;|&,(){}<>]/;
/** Folders that are written as variables, as a path has them. */
const folder = /^\$(?:(pwd)|home|env:(?:home|userprofile))(?![\w.:[(])/i;

/** The folder that a variable stands for; undefined where there is none. */
function folderAt(line: string, at: number): { readonly text: string; readonly length: number } | undefined {
  const [written, isWorking] = folder.exec(line.slice(at, at + 20)) ?? [];
  return written === undefined ? undefined : { text: isWorking === undefined ? '~' : '.', length: written.length };
}

/** Values that are written as variables. */
const constant = /^\$(?:null|true|false)$/i;

/** Takes a line apart as PowerShell does: quotes, backticks, comments, here-strings. Its cost grows with the length. */
export function tokensOf(line: string): readonly Token[] {
  const found: Token[] = [];
  let at = 0;
  const mark = (text: Mark, length: number): void => {
    found.push({ kind: 'mark', text, pos: at, end: at + length });
    at += length;
  };
  while (at < line.length) {
    const char = line[at] ?? '';
    const redirection = /^[*1-6]?>>?(?:&[12])?/.exec(line.slice(at, at + 6))?.[0];
    if (line.startsWith('<#', at)) at = after(line, '#>', at + 2);
    else if (/^`\r?\n/.test(line.slice(at, at + 3))) at = line.indexOf('\n', at) + 1;
    else if (char === '#') at = Math.max(after(line, '\n', at) - 1, at + 1);
    else if (redirection !== undefined) {
      if (redirection.includes('&')) at += redirection.length;
      else mark('>', redirection.length);
    } else if (line.startsWith('&&', at)) mark('&&', 2);
    else if (line.startsWith('||', at)) mark('||', 2);
    else if (char === '\n' || char === '\r') mark('\n', 1);
    else if (char === ';' || char === '|' || char === '&' || char === ',' || char === '<') mark(char, 1);
    else if (/[(){}]/.test(char)) mark('(', 1);
    else if (blank.test(char)) at++;
    else {
      const word = hereString(line, at) ?? wordAt(line, at);
      found.push(word);
      at = word.end;
    }
  }
  return found;
}

/** Behind the next such text, or the end. */
function after(line: string, text: string, from: number): number {
  const found = line.indexOf(text, from);
  return found < 0 ? line.length + 1 : found + text.length;
}

/** `@'`, a line end, text, and `'@` at the beginning of a line. */
function hereString(line: string, from: number): WordToken | undefined {
  const [opening, quote = ''] = /^@(['"\u2018-\u201e])[^\S\n]*\n/.exec(line.slice(from, from + 200)) ?? [];
  if (opening === undefined) return undefined;
  const isSingle = singleQuotes.test(quote);
  const closing = isSingle ? /\n['\u2018-\u201b]@/g : /\n["\u201c-\u201e]@/g;
  closing.lastIndex = from + opening.length - 1;
  const end = closing.exec(line);
  const text = line.slice(from + opening.length, end?.index ?? line.length);
  const isKnown = isSingle || !text.includes('$');
  return {
    kind: 'word',
    field: { ...plainField(text), isKnown },
    isQuoted: true,
    pos: from,
    end: closing.lastIndex || line.length,
  };
}

function wordAt(line: string, from: number): WordToken {
  let text = '';
  let isKnown = true;
  let at = from;
  while (at < line.length) {
    const char = line[at] ?? '';
    const isSingle = singleQuotes.test(char);
    if (isSingle || doubleQuotes.test(char)) {
      const inside = quotedAt(line, at, isSingle);
      text += inside.text;
      isKnown &&= inside.isKnown;
      at = inside.next;
    } else if (char === '`') {
      // Letters are taken as they are; a few of them stand for a control character, which no name has.
      if (/^\r?\n/.test(line.slice(at + 1, at + 3))) break;
      if (line.startsWith('u{', at + 1)) isKnown = false;
      text += line[at + 1] ?? '';
      at += 2;
    } else if (endOfWord.test(char)) break;
    else {
      const path = text === '' ? folderAt(line, at) : undefined;
      if (path) {
        text += path.text;
        at += path.length;
        continue;
      }
      if (char === '$' || (char === '@' && at === from)) isKnown = false;
      text += char;
      at++;
    }
  }
  // `%NAME%` is a variable of cmd.exe, `--%` hands the rest on as it is.
  if (/%\w+%|^--%$/.test(text)) isKnown = false;
  if (constant.test(text)) isKnown = true;
  const isQuoted = singleQuotes.test(line[from] ?? '') || doubleQuotes.test(line[from] ?? '');
  return { kind: 'word', field: { ...plainField(text), isKnown }, isQuoted, pos: from, end: Math.max(at, from + 1) };
}

/** The text between two quotes; two of them stand for one. */
function quotedAt(
  line: string,
  open: number,
  isSingle: boolean,
): { readonly text: string; readonly isKnown: boolean; readonly next: number } {
  const quotes = isSingle ? singleQuotes : doubleQuotes;
  let text = '';
  let isKnown = true;
  let at = open + 1;
  for (; at < line.length; at++) {
    const char = line[at] ?? '';
    if (quotes.test(char)) {
      if (!quotes.test(line[at + 1] ?? '')) break;
      text += line[++at] ?? '';
    } else if (!isSingle && char === '`') {
      if (line[at + 1] === 'u') isKnown = false;
      text += line[++at] ?? '';
    } else {
      const path = isSingle || text !== '' ? undefined : folderAt(line, at);
      if (!isSingle && char === '$' && !path) isKnown = false;
      text += path?.text ?? char;
      at += (path?.length ?? 1) - 1;
    }
  }
  return { text, isKnown, next: at + 1 };
}

/** One command of a line. */
export interface Statement {
  /** Its name and its arguments, of which a comma makes one of two. */
  readonly words: readonly (WordToken | ',')[];
  /** Where its output goes, and what it reads; undefined where that is no word. */
  readonly files: readonly { readonly isInput: boolean; readonly word: WordToken | undefined }[];
  readonly text: string;
  /** True where `&` stands before it, so that text in quotes is a name. */
  readonly isCall: boolean;
  readonly isPiped: boolean;
  /** True where its output goes into another command. */
  readonly pipes: boolean;
}

/** The commands of a line, those in brackets and braces too, each by itself. */
export function statementsOf(line: string, tokens: readonly Token[]): readonly Statement[] {
  const found: Statement[] = [];
  let words: (WordToken | ',')[] = [];
  let files: Statement['files'][number][] = [];
  let [from, to] = [0, 0];
  let [isPiped, isCall] = [false, false];
  const end = (pipes: boolean): void => {
    if (words.length + files.length > 0)
      found.push({ words, files, text: line.slice(from, to), isCall, isPiped, pipes });
    [words, files, isPiped, isCall] = [[], [], pipes, false];
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token) break;
    if (words.length + files.length === 0) from = token.pos;
    if (token.kind === 'word') {
      words.push(token);
      to = token.end;
    } else if (token.text === ',') words.push(',');
    else if (token.text === '>' || token.text === '<') {
      const next = tokens[index + 1];
      const word = next?.kind === 'word' ? next : undefined;
      files.push({ isInput: token.text === '<', word });
      to = (word ?? token).end;
      if (word) index++;
    } else if (token.text === '&' && words.length === 0) isCall = true;
    else if (token.text !== '\n' || !goesOn(tokens, index, words)) end(token.text === '|');
  }
  end(false);
  return found;
}

/** True where a line end stands between parts of one command. */
function goesOn(tokens: readonly Token[], at: number, words: Statement['words']): boolean {
  if (words.length === 0 || words.at(-1) === ',') return true;
  const next = tokens.slice(at, at + 20).find((token) => token.kind === 'word' || token.text !== '\n');
  return next?.kind === 'mark' && /^(?:\||&&|\|\|)$/.test(next.text);
}
