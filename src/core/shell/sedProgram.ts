import { applyRow } from './applyRow';
import { type Field, plainField } from './field';
import type { ProgramRow } from './programRow';
import type { Reader } from './reader';
import { readSedScript } from './sedScript';

const longestScript = 2000;

const sedRow: ProgramRow = {
  operands: 'read',
  first: 'text',
  noFirst: '-e --expression -f --file',
  plain: 'e --line-length --expression',
  numbers: 'l',
  options: { script: '-f --file' },
  flags: { change: '-i -I --in-place' },
};

/** `-i.bak`: one option with its own value. */
const inPlace = /^(?:-[nrsEzuba]*[iI]|--i[a-z-]*=)(?=.)/s;

/** `sed`: its files, and the files and commands that its script names (`r`, `w`, `e`, `s///w`, `s///e`). */
export function readSed(args: readonly Field[], reader: Reader, words: string): void {
  const plain = args.map((arg) => (inPlace.test(arg.text) ? { ...arg, text: '-i' } : arg));
  const { operands, values, options } = applyRow(sedRow, plain, reader, words);
  const given = values.filter(({ name }) => name === '-e' || name === '--expression').map(({ field }) => field);
  const hasScript = given.length > 0 || options.has('-f') || options.has('--file');
  const isInPlace = ['-i', '-I', '--in-place'].some((name) => options.has(name));
  // Some take the suffix of the copies from a word of its own, which is no script elsewhere.
  const isApart = isInPlace && /^(?:\.|$)/.test(operands[0]?.text ?? 'none');
  if (hasScript) {
    const text = given.map((one) => one.text).join('\n');
    readScript({ text, isPattern: false, isKnown: given.every(({ isKnown }) => isKnown) }, reader, words);
  } else for (const script of operands.slice(Number(isApart), 1 + Number(isApart))) readScript(script, reader, words);
  const copies = args.flatMap((arg) => (inPlace.test(arg.text) ? [arg.text.replace(inPlace, '')] : []));
  for (const file of hasScript ? operands : operands.slice(1))
    for (const suffix of copies) reader.touch('fs.write', copyOf(file, suffix), words);
}

/** Where the file as it was is kept: `*` stands for its name, and a slash leads to another folder. */
function copyOf(file: Field, suffix: string): Field {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/s.exec(file.text) ?? [];
  const text = suffix.includes('*') ? suffix.replaceAll('*', () => name) : `${name}${suffix}`;
  return { ...file, text: text.includes('/') ? text : `${folder}${text}` };
}

function readScript(script: Field, reader: Reader, words: string): void {
  const { text, isKnown, isPattern } = script;
  const { reads, writes, runs, isWhole } = readSedScript(text.slice(0, longestScript));
  for (const file of reads) reader.touch('fs.read', plainField(file), words);
  for (const file of writes) reader.touch('fs.write', plainField(file), words);
  // What is put in runs with what stands around it.
  if (runs.length > 0 || text.length > longestScript || (isKnown && !isWhole)) reader.unknown('runs_code', words);
  for (const line of runs) reader.apart((inner) => inner.runText(line));
  // A file whose name is a script.
  if (!isKnown || (isPattern && !text.includes('/'))) reader.unknown('unknown_word', words);
}
