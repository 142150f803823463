import { type Builtin, reckonNames, silent, variableName } from './builtin';
import { fill } from './environment';
import type { Field } from './field';

/** `read` with options that take a value, or that end a line at another place, or that take signs apart otherwise. */
const isPlainRead = (options: readonly Field[]): boolean => options.every(({ text }) => /^-[rsae]+$/.test(text));

/** `read`: the words of a line, the rest of it in the last name. */
export const read: Builtin = ({ args, reader, words, io }) => {
  const { scope } = reader;
  const end = args.findIndex(({ text }) => !/^-./.test(text));
  const options = args.slice(0, end < 0 ? args.length : end);
  const named = end < 0 ? [] : args.slice(end);
  reckonNames(named, reader, words);
  const isArray = options.some(({ text }) => /^-\w*a/.test(text));
  const isDefault = scope.variables.get('IFS')?.values.join() === ' \t\n' && !scope.variables.get('IFS')?.isOpen;
  const isRaw = options.some(({ text }) => text.includes('r')) || io.stdin?.includes('\\') === false;
  const isFirst = !scope.drained.has(io);
  scope.drained.add(io);
  const isKnown = io.stdin !== undefined && isDefault && isRaw && isPlainRead(options) && named.every(isName);
  // Which line it is that is read the next time is not counted.
  const lines = isKnown ? (io.stdin?.replace(/\n$/, '').split('\n') ?? []) : [];
  const parted = lines.map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ''));
  if (isArray && isKnown && named.length === 1) {
    const elements = (parted[0] ?? '').split(/[ \t]+/).filter((one) => one !== '');
    fill(named[0]?.text ?? '', elements, reader, { isArray, isOpen: !isFirst });
    return silent;
  }
  const names = named.length > 0 ? named.map(({ text }) => variableName(text) ?? '_') : ['REPLY'];
  for (const [index, name] of names.entries()) {
    const values = named.length === 0 ? lines : parted.map((line) => partOf(line, index, names.length));
    const all = isFirst && lines.length > 0 ? values : [...values, ''];
    fill(name, isKnown ? all : [], reader, { isOpen: !isKnown, isArray: isArray && !isKnown });
  }
  if (!isKnown && named.some((one) => !isName(one))) for (const one of named) if (!one.isKnown) scope.open();
  return silent;
};

const isName = ({ text, isKnown }: Field): boolean => isKnown && variableName(text) === text;

/** The word of a line that one of several names gets. */
function partOf(line: string, index: number, count: number): string {
  let rest = line;
  for (let at = 0; at < index; at++) rest = rest.replace(/^[^ \t]*[ \t]*/, '');
  return index === count - 1 ? rest : (/^[^ \t]*/.exec(rest)?.[0] ?? '');
}

/** `mapfile`: each line is an element. */
export const mapfile: Builtin = ({ args, reader, words, io: { stdin } }) => {
  const named = args.filter(({ text }) => /^[^-]/.test(text)).slice(-1);
  const isPlain = args.every(
    ({ text }, index) => text === '-t' || (index === args.length - 1 && !text.startsWith('-')),
  );
  reckonNames(named, reader, words);
  const isTrimmed = args[0]?.text === '-t';
  const lines = stdin?.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const values = isPlain ? lines.map((line) => (isTrimmed ? line.replace(/\n$/, '') : line)) : [];
  const names = isPlain ? named : args.filter(({ text }) => variableName(text) === text);
  for (const name of names.length > 0 ? names.map(({ text }) => variableName(text) ?? '_') : ['MAPFILE'])
    fill(name, values, reader, { isOpen: !isPlain || stdin === undefined, isArray: true });
  if (!isPlain) reader.scope.set('MAPFILE', [], { isOpen: true, isArray: true });
  // What else it does (a callback for each line) is read as a program's.
  return undefined;
};
