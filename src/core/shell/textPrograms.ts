import { applyRow, dotted } from './applyRow';
import { type Field, plainField } from './field';
import type { ProgramRow } from './programRow';
import { rowOf } from './programTable';
import type { Reader } from './reader';

const awkRow: ProgramRow = {
  operands: 'read',
  first: 'text',
  noFirst: '-f --file -e --source -i --include',
  plain: 'F v --field-separator --assign -e --source',
  optional: 'o p d D L --pretty-print --profile --dump-variables --debug --lint',
  bare: 'b c C h g I k M n N O P r s S t V --characters-as-bytes --traditional --posix --re-interval --sandbox --no-optimize --optimize --bignum --non-decimal-data --use-lc-numeric --csv',
  options: {
    script: '-f --file -i --include -l --load -E --exec',
    write: '-o -p -d --pretty-print --profile --dump-variables',
  },
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
  const base = text.replace(/^\.?\/*$|(?<!\/)\/+$/, (end) => (end === '/' && text === '/' ? '/' : ''));
  const start = base === '' || base === '/' ? base : `${base}/`;
  return { text: `${start}**/${name.replace(/^\.?\/+/, '')}`, isPattern: true, isKnown };
}

/** `find`: its roots, what it does to what it finds, and the commands that it runs on it. */
export function readFind(args: readonly Field[], reader: Reader, words: string): void {
  let at = 0;
  while (at < args.length && /^-(?:[HLPEXdsx]+|O\d|D|f)$/.test(args[at]?.text ?? '')) at++;
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
    else if (text === '-files0-from' && value) {
      reader.touch('fs.read', value, words);
      reader.unknown('unknown_word', words);
    } else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = rest.findIndex(
        (one, place) => place > index && (one.text === ';' || (one.text === '+' && rest[place - 1]?.text === '{}')),
      );
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

/** `xargs`: its command with what arrives as arguments, where that is known. */
export function readXargs(args: readonly Field[], stdin: string | undefined, reader: Reader): void {
  const words = ['xargs', ...args.map(({ text }) => text)].join(' ');
  const { values, command, options } = applyRow(rowOf('xargs'), args, reader, words);
  const mark =
    values.find(({ name }) => /^(?:-[IJi]|--replace)$/.test(name))?.field.text ??
    (options.has('-i') || options.has('--replace') ? '{}' : undefined);
  const given = values.find(({ name }) => name === '-d' || name === '--delimiter')?.field.text ?? '\\n';
  // What a file says, or what another sign parts, is not told here.
  const input = options.has('-a') || options.has('--arg-file') || !/^(?:\\[n0]|\n)$/.test(given) ? undefined : stdin;
  const isLines = mark !== undefined || options.has('-d') || options.has('-0') || options.has('-L');
  const arrived =
    input === undefined
      ? [{ text: '$(xargs)', isPattern: false, isKnown: false }]
      : input
          .split(isLines ? /[\n\0]/ : /\s+/)
          .map((text) => (isLines ? text : text.replace(/["'\\]/g, '')))
          .filter((text) => text !== '')
          .map(plainField);
  const program = command.length > 0 ? command : [plainField('echo')];
  if (mark === undefined) reader.apart((inner) => inner.runWords([...program, ...arrived], { isFed: false }));
  else runOnEach(program, arrived, mark, reader);
}
