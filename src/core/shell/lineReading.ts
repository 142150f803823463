import { type Builtin, reckonNames, silent, variableName } from './builtin';
import { fill, fillUntold } from './environment';
import { type Field, fieldsOf, isSpaceAt, splitText } from './field';
import type { Scope } from './scope';
import { onlyValue } from './variable';

/** `read` with options that take a value, or that end a line at another place, or that take signs apart otherwise. */
const isPlainRead = (options: readonly Field[]): boolean => options.every(({ text }) => /^-[rsae]+$/.test(text));

/** `read`: the words of a line, the rest of it in the last name. */
export const read: Builtin = ({ args, reader, words, io }) => {
  const { scope } = reader;
  const end = args.findIndex(({ text }) => !/^-./.test(text));
  const options = args.slice(0, end < 0 ? args.length : end);
  const named = end < 0 ? [] : args.slice(end);
  reckonNames(named, reader, words);
  const isArray = options.some(({ text }) => /^-\w*a/i.test(text));
  const separators = separatorsOf(scope);
  const isRaw = options.some(({ text }) => text.includes('r')) || io.stdin?.includes('\\') === false;
  const isFirst = !scope.drained.has(io);
  scope.drained.add(io);
  const isKnown =
    io.stdin !== undefined && separators !== undefined && isRaw && isPlainRead(options) && named.every(isName);
  // Which line it is that is read the next time is not counted.
  const lines = isKnown ? (io.stdin?.replace(/\n$/, '').split('\n') ?? []) : [];
  if (isArray && isKnown && named.length === 1) {
    const elements = fieldsOf(splitText(lines[0] ?? '', separators)).map(({ text }) => text);
    fill(named[0]?.text ?? '', elements, reader, { isArray, isOpen: !isFirst });
    return silent;
  }
  const parted = separators === undefined ? [] : lines.map((line) => partsOf(line, named.length, separators));
  const names = named.length > 0 ? named.map(({ text }) => variableName(text) ?? '_') : ['REPLY'];
  for (const [index, name] of names.entries()) {
    const values = named.length === 0 ? lines : parted.flatMap((parts) => parts[index] ?? []);
    const all = isFirst && lines.length > 0 ? values : [...values, ''];
    fill(name, isKnown ? all : [], reader, { isOpen: !isKnown, isArray: isArray && !isKnown });
  }
  fillUntold(named, reader, words);
  return silent;
};

const isName = ({ text, isKnown }: Field): boolean => isKnown && variableName(text) === text;

/** The signs at which `read` takes a line apart, where it is certain which they are. */
function separatorsOf(scope: Scope): string | undefined {
  const only = onlyValue(scope.separators());
  // Of other signs some shells know the bytes alone.
  return /^[\0-\x7f]*$/.test(only ?? '') ? only : undefined;
}

/** What each of several names gets of a line: one word, and the last one the rest, all that it may be. */
function partsOf(line: string, count: number, separators: string): readonly (readonly string[])[] {
  const isSpace = (at: number): boolean => isSpaceAt(at, line, separators);
  const parts: string[][] = [];
  let [at, end] = [0, line.length];
  while (at < end && isSpace(at)) at++;
  while (end > at && isSpace(end - 1)) end--;
  const isSign = (): boolean => at < end && separators.includes(line[at] ?? '');
  const skipSpaces = (): void => {
    while (at < end && isSpace(at)) at++;
  };
  while (parts.length < count - 1) {
    const from = at;
    while (at < end && !isSign()) at++;
    parts.push([line.slice(from, at)]);
    skipSpaces();
    if (!isSign()) continue;
    at++;
    skipSpaces();
  }
  const rest = line.slice(at, end);
  if (rest === '' || !separators.includes(rest.slice(-1))) return [...parts, [rest]];
  // A sign at the end is left out by some shells, and only behind a single word.
  end--;
  while (end > at && isSpace(end - 1)) end--;
  return [...parts, [line.slice(at, end), rest]];
}

/** `mapfile`: each line is an element. */
export const mapfile: Builtin = ({ args, reader, words, io: { stdin } }) => {
  const named = args.filter(({ text }) => /^[^-]/.test(text)).slice(-1);
  const isPlain = args.every(
    ({ text }, index) => text === '-t' || (index === args.length - 1 && !text.startsWith('-')),
  );
  reckonNames(named, reader, words);
  fillUntold(named, reader, words);
  const isTrimmed = args[0]?.text === '-t';
  const lines = stdin?.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const values = isPlain ? lines.map((line) => (isTrimmed ? line.replace(/\n$/, '') : line)) : [];
  const names = isPlain ? named : args.filter(({ text }) => variableName(text) === text);
  for (const name of names.length > 0 ? names.map(({ text }) => variableName(text) ?? '_') : ['MAPFILE'])
    fill(name, values, reader, { isOpen: !isPlain || stdin === undefined, isArray: true });
  if (!isPlain) reader.scope.set('MAPFILE', [], { isOpen: true, isArray: true });
  // What else it does (a callback for each line) is read as a program's.
  return undefined;
};
