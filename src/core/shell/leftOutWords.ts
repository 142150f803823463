import { readArguments } from './arguments';
import { type Field, isOpenField, mayBeOption } from './field';
import { gitRow, subRowOf } from './gitProgram';
import { moreLeftOut } from './leftOut';
import { tarRow } from './netPrograms';
import { leavesOutPath } from './pathspec';
import { byName, type ProgramRow } from './programRow';
import { rowOf } from './programTable';

/** Rows of options that leave files out, of programs that are read in another way. */
const ownRows = byName<ProgramRow>({
  'tar bsdtar gtar': tarRow('write', 'readTree'),
  'fd fdfind': { options: { leftOut: '-E --exclude' } },
});

/** Behind these another program begins. */
const starting = /^-[HIusigFaLlpq01]*[xX]$|^--exec(?:-batch)?(?:=|$)/;

/** So many programs that start one another are looked through. */
const mostStarted = 8;

/** The program that runs in the end where others start it, by its name alone, with its arguments. */
function startedBy(
  program: string,
  args: readonly Field[],
): { readonly name: string; readonly args: readonly Field[] } {
  let name = program.replace(/^.*\//s, '');
  let own = args;
  for (let count = 0; count < mostStarted; count++) {
    const row = rowOf(name);
    if (row.command === undefined || row.runs) return { name, args: own };
    const { command, isSure } = readArguments(row, own);
    const [inner, ...rest] = command;
    // Of a value of several words one may be the program.
    if (!inner || !isSure || isOpenField(inner)) break;
    name = inner.text.replace(/^.*\//s, '');
    own = rest;
  }
  return { name: '', args: [] };
}

/**
 * The arguments of a program that say no more than what it passes over: they name files, and none is read for it. Where
 * another one may be an option, those alone that nothing takes for a file: `--exclude=name`, `!name`.
 */
export function wordsLeftOut(program: string, args: readonly Field[]): readonly Field[] {
  const { name, args: own } = startedBy(program, args);
  const words = namesLeftOut(name.replace(/^g(?=find$)/, ''), own);
  return args.some(mayBeOption) ? words.filter(({ text }) => /^(?:--[\w-]+=|:?!)./.test(text)) : words;
}

/** The line that a shell gets as an argument, also where another program starts it. */
export function lineWithin(program: string, args: readonly Field[]): Field | undefined {
  const { name, args: own } = startedBy(program, args);
  if (!/^(?:bash|dash|ksh|sh|zsh)$/.test(name) || args.some(mayBeOption)) return undefined;
  const { operands, options } = readArguments(rowOf(name), own);
  const [line] = options.has('-c') ? operands : [];
  return line && !isOpenField(line) ? line : undefined;
}

function namesLeftOut(name: string, args: readonly Field[]): readonly Field[] {
  if (name === 'git') return gitLeftOut(args);
  if (name === 'find' || name === 'bfs') return namesNotFound(args);
  if (/^7z[ar]?$/.test(name)) return args.filter(({ text }) => /^-xr?[-0]?!/.test(text));
  const end = name.startsWith('fd') ? args.findIndex(({ text }) => starting.test(text)) : -1;
  const own = end < 0 ? args : args.slice(0, end);
  const { values, operands } = readArguments(ownRows.get(name) ?? rowOf(name), own);
  // With a sign before it a list is read, and the beginning of a long name may take no value.
  const found = values.filter(
    ({ role, name: option, field, word }) =>
      (role === 'leftOut' && !(name === 'zip' && field.text.startsWith('@')) && !operands.includes(word)) ||
      (role === 'chosen' && name === 'rg' && option !== '--pre-glob' && field.text.startsWith('!')) ||
      (name === 'rsync' && /^(?:-f|--filter)$/.test(option) && /^(?:-|exclude)[ _]/.test(field.text)),
  );
  return [...found.map(({ word }) => word), ...(name === 'zip' ? moreLeftOut(args) : [])];
}

function gitLeftOut(args: readonly Field[]): readonly Field[] {
  const [sub, ...rest] = readArguments(gitRow, args).command;
  const { values, operands } = readArguments(subRowOf(sub?.text ?? ''), rest);
  const words = values.flatMap(({ role, word }) => (role === 'leftOut' && !operands.includes(word) ? [word] : []));
  return [...words, ...args.filter(({ text }) => leavesOutPath(text))];
}

/** The names of tests of `find` that are turned around, or of what it does not enter. */
function namesNotFound(tests: readonly Field[]): readonly Field[] {
  const texts = tests.map(({ text }) => text);
  const isNot = (at: number): boolean => /^(?:!|-not)$/.test(texts[at] ?? '');
  // What is turned around twice, or as a whole, is found.
  if (texts.some((text, at) => isNot(at) && (text === '(' || isNot(at + 1) || texts[at + 1] === '('))) return [];
  return tests.filter((field, at) => {
    if (isOpenField(field) || !/^-(?:i?name|i?path|i?wholename|i?regex)$/.test(texts[at - 1] ?? '')) return false;
    return isNot(at - 2) || texts[at + 1] === '-prune';
  });
}
