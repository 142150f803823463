import type { CommandExpansionPart, Command, ParsedScript, Word, WordPart } from 'unbash';
import { hasFirst, readArguments } from './arguments';
import { braceWords } from './braceWords';
import { type Field, isOpenField, plainField } from './field';
import { gitTexts } from './gitProgram';
import { lineWithin, wordsLeftOut } from './leftOutWords';
import { rowOf } from './programTable';
import type { ShellNode } from './shellNode';
import { mayBeMany } from './wordWays';

/** Whether a command reads what another one prints, and the other way round. */
export interface Pipe {
  readonly isFed: boolean;
  readonly feeds: boolean;
}

export const noPipe: Pipe = { isFed: false, feeds: false };

/** As many characters are looked through for the names of files that get output; then its words may be names. */
const mostCompared = 1_000_000;

/** Tells whether a text stands once in the line. */
type IsOnce = (text: string) => boolean;

/** Where a word may come back by another name: the last one of a command, output that goes elsewhere from now on. */
const comesBack = /\$\{?_\b|\bexec\b/;

/**
 * The words of a line that are text and name no file: what a search looks for, what is printed where nothing takes it
 * over, messages of commits, and what a program passes over. Only words that stand there as they are.
 * @returns with them, where `hasLines`, the words that a shell takes as its line, and what it gets.
 */
export function textWords(script: ParsedScript, line: string, around: Pipe, hasLines: boolean): TextWords {
  const found = { texts: new Set<Word>(), lines: new Map<Word, string>() };
  if (comesBack.test(line)) return found;
  const isOnce = onceIn(line);
  const visit = (node: ShellNode, pipe: Pipe): void => {
    switch (node.type) {
      case 'Command':
        addTexts(node, { isOnce, pipe, hasLines }, found);
        return;
      case 'Pipeline': {
        const last = node.commands.length - 1;
        for (const [index, one] of node.commands.entries())
          visit(one, { isFed: pipe.isFed || index > 0, feeds: pipe.feeds || index < last });
        return;
      }
      case 'AndOr':
        for (const one of node.commands) visit(one, pipe);
        return;
      case 'CompoundList':
        for (const { command } of node.commands) visit(command, pipe);
        return;
      case 'BraceGroup':
      case 'Subshell':
        return visit(node.body, pipe);
      case 'If':
        for (const one of [node.clause, node.then, node.else, ...node.elif.flatMap((one) => [one.clause, one.then])])
          if (one) visit(one, pipe);
        return;
      case 'For':
      case 'While':
        visit(node.body, pipe);
    }
  };
  for (const { command } of script.commands) visit(command, around);
  return found;
}

interface TextWords {
  readonly texts: Set<Word>;
  readonly lines: Map<Word, string>;
}

/** What is known of where a command stands. */
interface Around {
  readonly isOnce: IsOnce;
  readonly pipe: Pipe;
  readonly hasLines: boolean;
}

function addTexts(command: Command, around: Around, found: TextWords): void {
  const words = new Map<Word, readonly Field[]>();
  for (const word of command.args) {
    if (word.type !== 'Word') return;
    const texts = plainTexts(word);
    words.set(word, texts?.map((text) => ({ ...plainField(text), isPattern: text === pattern })) ?? [openField(word)]);
  }
  const fields = [...words.values()].flat();
  const texts = new Set(textsAmong(fields, command, around));
  const inner = around.hasLines ? lineWithin(nameOf(command), fields) : undefined;
  for (const [word, own] of words) {
    if (own.every((field) => !isOpenField(field) && texts.has(field))) found.texts.add(word);
    else if (inner && own[0] === inner && own.length === 1) found.lines.set(word, inner.text);
  }
}

const nameOf = ({ name }: Command): string => (name?.parts ? '' : (name?.value ?? ''));

/** A word of which only a run tells all. */
function openField({ text, parts = [] }: Word): Field {
  const pieces = parts.map((part) => (part.type === 'Glob' ? pattern : partText(part)));
  const maySplit = parts.some(
    (part, at) => pieces[at] === undefined && (part.type !== 'DoubleQuoted' || isParted(part)),
  );
  const told = pieces.map((piece) => piece ?? '$').join('');
  return { text, isPattern: false, isKnown: false, told, ...(maySplit ? { maySplit } : {}) };
}

const isParted = ({ parts }: Extract<WordPart, { type: 'DoubleQuoted' }>): boolean =>
  parts.some((part, at) => mayBeMany(part, parts[at + 1]));

/** The words that one word with braces of plain text stands for: `--exclude={.env,x}`. */
function plainTexts(word: Word): readonly string[] | undefined {
  const text = plainText(word);
  if (text !== undefined) return [text];
  const isPlain = word.parts?.every(({ type }) => type === 'Literal' || type === 'BraceExpansion') === true;
  return isPlain && /^[\w.,+/@%={}-]+$/.test(word.text) ? braceWords(word.text) : undefined;
}

function textsAmong(fields: readonly Field[], command: Command, { isOnce, pipe }: Around): readonly Field[] {
  const name = nameOf(command);
  const left = wordsLeftOut(name, fields);
  if (fields.some(({ isKnown }) => !isKnown)) return left;
  if (name === 'git') return [...gitTexts(fields), ...left];
  if (name === 'echo' || name === 'printf') return pipe.feeds || !staysOut(command, isOnce) ? [] : fields;
  return /^(?:[efz]?grep|rg)$/.test(name) ? [...searched(name, fields, pipe), ...left] : left;
}

/** True where no file gets the output that the line names again, and may run or read. */
const staysOut = ({ redirects }: Command, isOnce: IsOnce): boolean =>
  redirects.every((one) => {
    const text = one.type !== 'HereDoc' && one.target ? plainText(one.target) : undefined;
    return text !== undefined && text !== pattern && (/^\d$/.test(text) || isOnce(text));
  });

function onceIn(line: string): IsOnce {
  let compared = 0;
  return (text) => {
    compared += line.length;
    if (compared > mostCompared) return false;
    const at = line.indexOf(text);
    return at >= 0 && at === line.lastIndexOf(text);
  };
}

/** What a search looks for: its first argument, or those behind `-e`. */
function searched(program: string, fields: readonly Field[], { isFed }: Pipe): readonly Field[] {
  const row = rowOf(program);
  const { operands, values, options } = readArguments(row, fields);
  // Not everywhere do these take a value that stands apart.
  if (values.some(({ name, field }) => /^-[ABCm]$/.test(name) && !/^\d+$/.test(field.text))) return [];
  const patterns = values.filter(({ name }) => name === '-e' || name === '--regexp').map(({ field }) => field);
  if (!hasFirst(row, options)) return patterns;
  // Where nothing is searched, the pattern may have been meant for a file.
  const isSearching =
    isFed || operands.length > 1 || program === 'rg' || ['-r', '-R', '--recursive'].some((name) => options.has(name));
  return isSearching ? operands.slice(0, 1) : [];
}

/** Stands for a word that names what is on the disk. */
const pattern = '*';

/** The text of a word of which nothing is left to a run; undefined for others. */
export function plainText({ parts, value }: Word): string | undefined {
  if (!parts) return value;
  if (parts[0]?.type === 'Literal' && parts.every(({ type }) => type === 'Literal' || type === 'Glob'))
    return parts.some(({ type }) => type === 'Glob') && !value.startsWith('-') ? pattern : value;
  const texts = parts.map(partText);
  return texts.includes(undefined) ? undefined : texts.join('');
}

function partText(part: WordPart): string | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted': {
      const texts = part.parts.map(partText);
      return texts.includes(undefined) ? undefined : texts.join('');
    }
    case 'CommandExpansion':
      return quotedDocument(part);
    default:
      return undefined;
  }
}

/** The text of `$(cat <<'EOF' …)`, by which messages of several lines are written. */
function quotedDocument({ script }: CommandExpansionPart): string | undefined {
  const [only, ...others] = script?.commands ?? [];
  if (only?.command.type !== 'Command' || others.length > 0) return undefined;
  const { name, args, prefix, redirects } = only.command;
  const [document] = redirects;
  if (name?.text !== 'cat' || args.length + prefix.length > 0 || redirects.length !== 1) return undefined;
  return document?.type === 'HereDoc' && document.delimiter?.quoted ? document.body.text : undefined;
}
