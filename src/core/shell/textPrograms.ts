import { applyRow, dotted } from './applyRow';
import { type Field, plainField } from './field';
import type { ProgramRow } from './programRow';
import { rowOf } from './programTable';
import type { Reader } from './reader';

const longestScript = 2000;

const sedRow: ProgramRow = {
  operands: 'read',
  first: 'text',
  noFirst: '-e --expression -f --file',
  plain: 'l E --line-length -e --expression',
  options: { script: '-f --file' },
  flags: { change: '-i --in-place' },
};

/** `sed`: its files, and the files and commands that its script names (`r`, `w`, `e`, `s///w`, `s///e`). */
export function readSed(args: readonly Field[], reader: Reader, words: string): void {
  // `-i.bak` is one option with its own value.
  const plain = args.map((arg) => (/^-[nrsE]*i./.test(arg.text) ? { ...arg, text: '-i' } : arg));
  const { operands, values, options } = applyRow(sedRow, plain, reader, words);
  const scripts = values.filter(({ name }) => name === '-e' || name === '--expression').map(({ field }) => field);
  const hasScript = scripts.length > 0 || options.has('-f') || options.has('--file');
  for (const script of hasScript ? scripts : operands.slice(0, 1)) {
    const { text } = script;
    if (text.length > longestScript) reader.unknown('runs_code', words);
    const part = text.slice(0, longestScript);
    for (const [, command, file = ''] of part.matchAll(/(?:^|[;{}\n]|[\d$/!,])\s*([rRwW])\s*([^\n;}\s][^\n;}]*)/g))
      reader.touch(/w/i.test(command ?? '') ? 'fs.write' : 'fs.read', plainField(file.trim()), words);
    for (const [, , put = '', flags = '', file] of part.matchAll(
      /s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1([a-zA-Z0-9]*)(?:[^\S\n]+([^\n;}]+))?/g,
    )) {
      if (flags.includes('w') && file !== undefined) reader.touch('fs.write', plainField(file.trim()), words);
      if (!flags.includes('e')) continue;
      // What is put in runs, with what stands around it.
      reader.unknown('runs_code', words);
      reader.apart((inner) => inner.runText(put));
    }
    const run = /(?:^|[;{}\n]|[\d$/!,])\s*e(?:\s+([^\n]*))?(?:$|[;\n])/.exec(part);
    if (run) {
      reader.unknown('runs_code', words);
      if (run[1] !== undefined) reader.apart((inner) => inner.runText(run[1] ?? ''));
    }
    if (!script.isKnown) reader.unknown('unknown_word', words);
  }
}

const awkRow: ProgramRow = {
  operands: 'read',
  first: 'text',
  noFirst: '-f --file -e --source -i --include',
  plain: 'F v --field-separator --assign -e --source',
  options: { script: '-f --file -i --include -l --load -E --exec', write: '-o -p -d' },
};

/** `awk`: its files, and what its program reads, writes and runs where that stands there as a text. */
export function readAwk(args: readonly Field[], reader: Reader, words: string): void {
  const { operands, values } = applyRow(awkRow, args, reader, words);
  const sources = values.filter(({ name }) => name === '-e' || name === '--source').map(({ field }) => field);
  const hasFile = values.some(({ role }) => role === 'script');
  for (const { text, isKnown } of sources.length > 0 || hasFile ? sources : operands.slice(0, 1)) {
    reader.scan(text, words);
    for (const [, file = ''] of text.matchAll(/>{1,2}\s*"([^"]*)"/g)) reader.touch('fs.write', plainField(file), words);
    for (const [, file = ''] of text.matchAll(/<\s*"([^"]*)"/g)) reader.touch('fs.read', plainField(file), words);
    for (const [, line = ''] of text.matchAll(/(?:system\s*\(\s*|\|&?\s*)"((?:[^"\\]|\\.)*)"/g))
      reader.apart((inner) => inner.runText(line.replace(/\\(.)/g, '$1')));
    for (const [, line = ''] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/g))
      reader.apart((inner) => inner.runText(line.replace(/\\(.)/g, '$1')));
    if (!isKnown || /system|\||getline|>|ARGV|ENVIRON|@\w|\binet\b/.test(text)) reader.unknown('runs_code', words);
  }
  for (const { text } of operands) {
    const value = /^\w+=(.+)$/s.exec(text)?.[1];
    if (value !== undefined) reader.touch('fs.read', plainField(value), words, { suspected: 'guessed' });
  }
}

const roots = /^[^-(!]/;

/** A name at any depth of a folder, as a pattern. */
function anywhereBelow({ text, isKnown }: Field, name: string): Field {
  const base = text.replace(/^\.?\/*$|\/+$/, (end) => (end === '/' && text === '/' ? '/' : ''));
  const start = base === '' || base === '/' ? base : `${base}/`;
  return { text: `${start}**/${name.replace(/^\.?\/+/, '')}`, isPattern: true, isKnown };
}

/** `find`: its roots, what it does to what it finds, and the commands that it runs on it. */
export function readFind(args: readonly Field[], reader: Reader, words: string): void {
  let at = 0;
  while (at < args.length && /^-(?:[HLP]|O\d|D)$/.test(args[at]?.text ?? '')) at++;
  const folders: Field[] = [];
  while (at < args.length && roots.test(args[at]?.text ?? '')) folders.push(args[at++] ?? plainField(''));
  if (folders.length === 0) folders.push(plainField('.'));
  for (const folder of folders) reader.touch('fs.read', folder, words, { recursive: true });
  const rest = args.slice(at);
  const names = namesFound(rest);
  const found = folders.flatMap((folder) => names.map((name) => anywhereBelow(folder, name)));
  actOnFound(rest, found, reader, words);
}

/** What the expressions of `find` do to what they find, and to the files that they name. */
function actOnFound(rest: readonly Field[], found: readonly Field[], reader: Reader, words: string): void {
  for (let index = 0; index < rest.length; index++) {
    const { text } = rest[index] ?? plainField('');
    const value = rest[index + 1];
    if (text === '-delete')
      for (const one of found) reader.touch('fs.delete', one, words, { recursive: true, permanent: true });
    else if (/^-f(?:print0?|printf|ls)$/.test(text) && value) reader.touch('fs.write', value, words);
    else if (text === '-files0-from' && value) reader.touch('fs.read', value, words);
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = rest.findIndex((one, place) => place > index && (one.text === ';' || one.text === '+'));
      const command = rest.slice(index + 1, end < 0 ? rest.length : end);
      runOnEach(command, found, '{}', reader);
      index = end < 0 ? rest.length : end;
    }
  }
}

/** Patterns for the names that `find` comes by: its wildcards stand for a point at the beginning too. */
function namesFound(tests: readonly Field[]): readonly string[] {
  const named = tests.flatMap(({ text }, index) => {
    const isEither = /^-i(?:name|path|wholename|lname)$/.test(text);
    if (!isEither && !/^-(?:name|path|wholename|lname)$/.test(text)) return [];
    const name = tests[index + 1]?.text ?? '*';
    return [isEither ? name.replace(/[a-z]/gi, (char) => `[${char.toLowerCase()}${char.toUpperCase()}]`) : name];
  });
  const isOpen = tests.some(({ text }) => /^(?:!|-not|-i?regex|-o|-or|,)$/.test(text));
  const names = named.length === 0 || isOpen ? [...named, '*'] : named;
  return names.flatMap(dotted);
}

/** Runs a command with each thing put in the place of a mark. */
function runOnEach(command: readonly Field[], things: readonly Field[], mark: string, reader: Reader): void {
  const filled = command.flatMap((field): readonly Field[] => {
    if (field.text === mark) return things;
    if (!field.text.includes(mark)) return [field];
    return things.map((thing) => ({ ...thing, text: field.text.replaceAll(mark, () => thing.text) }));
  });
  reader.apart((inner) => inner.runWords(filled, { isFed: false }));
}

const xargsMark = /^-(?:[^-]*?)(?:I|i)(.*)$/s;

/** `xargs`: its command with what arrives as arguments, where that is known. */
export function readXargs(args: readonly Field[], stdin: string | undefined, reader: Reader): void {
  const words = ['xargs', ...args.map(({ text }) => text)].join(' ');
  const { values, command, options } = applyRow(rowOf('xargs'), args, reader, words);
  const mark =
    values.find(({ name }) => name === '-I' || name === '--replace')?.field.text ??
    (args.some(({ text }) => xargsMark.test(text) && text.startsWith('-i')) ? '{}' : undefined);
  const isLines = mark !== undefined || options.has('-d') || options.has('-0') || options.has('-L');
  const arrived =
    stdin === undefined
      ? [{ text: '$(xargs)', isPattern: false, isKnown: false }]
      : stdin
          .split(isLines ? /[\n\0]/ : /\s+/)
          .map((text) => (isLines ? text : text.replace(/["'\\]/g, '')))
          .filter((text) => text !== '')
          .map(plainField);
  const program = command.length > 0 ? command : [plainField('echo')];
  if (mark === undefined) reader.apart((inner) => inner.runWords([...program, ...arrived], { isFed: false }));
  else runOnEach(program, arrived, mark, reader);
}
