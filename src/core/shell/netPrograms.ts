import { applyRow } from './applyRow';
import { readArguments } from './arguments';
import { connectArchive } from './archivePrograms';
import { type Field, isOpenField, plainField } from './field';
import { listedNames } from './listedNames';
import type { ProgramRow, Role } from './programRow';
import type { Io, Reader } from './reader';

const sshRow: ProgramRow = {
  operands: 'text',
  first: 'host',
  plain: 'B b c D e I J L l m O p Q R S W w',
  options: { write: '-E', script: '-F', read: '-i', text: '-o', host: '-J' },
};

/** `ssh`: the host, the commands that its options run here, and what runs there. */
export function readSsh(args: readonly Field[], reader: Reader, words: string): void {
  const at = args.findIndex(
    ({ text }, index) => !text.startsWith('-') && !/^-[BbcDEeFIiJLlmOopQRSWw]$/.test(args[index - 1]?.text ?? ''),
  );
  const own = at < 0 ? args : args.slice(0, at + 1);
  const { values } = applyRow(sshRow, own, reader, words);
  for (const { name, field } of values) {
    const run = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|ProxyUseFdpass|PKCS11Provider)[= ](.*)$/is.exec(
      field.text,
    )?.[1];
    if (name === '-o' && run !== undefined) reader.apart((inner) => inner.runText(run));
  }
  reader.unknown('remote', words);
}

/** `dd if=… of=…`. */
export function readDd(args: readonly Field[], reader: Reader, words: string): void {
  for (const field of args) {
    const [, name, text] = /^(if|of)=(.*)$/s.exec(field.text) ?? [];
    if (text !== undefined) reader.touch(name === 'if' ? 'fs.read' : 'fs.write', { ...field, text }, words);
  }
}

const tarOptions = {
  folder: '-C --directory',
  read: '-X --exclude-from',
  text: '-T --files-from --newer-mtime',
  chosen: '--include',
  leftOut: '--exclude',
  shell:
    '-I --use-compress-program --checkpoint-action --to-command -F --info-script --new-volume-script --rsh-command --rmt-command',
  change: '--listed-incremental --volno-file',
  write: '--index-file',
};

export const tarRow = (archive: 'read' | 'write', operands: Role): ProgramRow => ({
  entersLate: true,
  operands,
  tree: { follows: '-h --dereference -L', as: 'tar' },
  plain:
    'b H g K N V --checkpoint --strip-components --transform --format --owner --group --mode --mtime --label --level',
  options: { ...tarOptions, [archive]: `${tarOptions[archive]} -f --file` },
});

/** `tar`: its archive, what goes in or comes out, and the programs that its options run. */
export function readTar(args: readonly Field[], reader: Reader, words: string, io: Io): void {
  const [first, ...rest] = args;
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(first.text);
  // `tar cfT a b`: letters without a dash take their values in turn; those that only a run tells may be any.
  const untold = first && isOpenField(first) ? [{ ...first, isKnown: false, maySplit: true as const }, ...rest] : args;
  const given = isOld ? oldOptions(first.text, rest) : untold;
  const { options, isSure } = readArguments(tarRow('read', 'text'), given);
  const has = (...names: readonly string[]): boolean => names.some((name) => options.has(name));
  const isTold = isSure || has('-t', '--list', '-x', '--extract', '--get', '-d', '--diff', '--compare');
  const makes = !isTold || has('-c', '--create', '-r', '--append', '-u', '--update', '-A', '--delete');
  const extracts = has('-x', '--extract', '--get');
  const before = reader.scope.folders;
  const row = makes ? tarRow('write', 'readTree') : tarRow('read', 'text');
  const found = applyRow(row, withoutLate(row, given), reader, words);
  if (!isTold) reader.unknown('unknown_word', words);
  for (const { name, field } of found.values)
    if (/^(?:-f|--file)$/.test(name)) connectArchive(field, options, reader, words);
  const named = found.values.flatMap(({ name, field }) =>
    /^(?:-T|--files-from)$/.test(name) ? (listedNames(field, reader, words, io) ?? []) : [],
  );
  for (const name of named) {
    // An option in a list counts as one of the line.
    if (name.text.startsWith('-')) reader.unknown('runs_code', words);
    else if (makes) {
      reader.touch('fs.read', name, words, { recursive: true });
      reader.tree(name, {}, words);
    }
  }
  if (has('--remove-files'))
    for (const operand of [...found.operands, ...named])
      reader.touch('fs.delete', operand, words, { recursive: true, permanent: true });
  if (extracts && !has('-O', '--to-stdout')) {
    reader.touch('fs.write', plainField('.'), words, { recursive: true });
    for (const operand of found.operands) reader.touch('fs.write', operand, words, { recursive: true });
    // Which files come out is said by the archive alone.
    reader.unknown('unknown_word', words);
  }
  reader.scope.folders = before;
}

/** Behind the first name what is left out counts for nothing. */
function withoutLate(row: ProgramRow, args: readonly Field[]): readonly Field[] {
  const { operands, values } = readArguments(row, args);
  const from = operands[0] ? args.indexOf(operands[0]) : args.length;
  const late = values.flatMap(({ role, word }) => (role === 'leftOut' && args.indexOf(word) > from ? [word] : []));
  return args.filter((one, at) => !late.includes(one) && !(one.text === '--exclude' && at > from));
}

function oldOptions(letters: string, rest: readonly Field[]): readonly Field[] {
  const values = [...rest];
  const out: Field[] = [];
  for (const letter of letters) {
    out.push(plainField(`-${letter}`));
    if (/[fCTXIFbHgKNV]/.test(letter)) {
      const value = values.shift();
      if (value) out.push(value);
    }
  }
  return [...out, ...values];
}
