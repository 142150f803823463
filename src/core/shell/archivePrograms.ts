import { applyRow, readChosen } from './applyRow';
import { type Field, isOpenField, mayBeOption, plainField } from './field';
import { moreLeftOut } from './leftOut';
import { listedNames } from './listedNames';
import { rowOf } from './programTable';
import type { Io, Reader } from './reader';
import { unpackedName } from './unpackedName';

/** `host:file`: the archive lies on another machine, unless it is said that it does not. */
export function connectArchive({ text }: Field, options: ReadonlySet<string>, reader: Reader, words: string): void {
  const host = /^(?:[^/:@]*@)?([^/:@]+):/.exec(text)?.[1];
  if (host !== undefined && !options.has('--force-local')) reader.connect(host, words);
}

/** What comes out of an archive, and where: its names are said by the archive alone. */
function takesOut(reader: Reader, words: string, folders: readonly Field[]): void {
  for (const folder of folders.length > 0 ? folders : [plainField('.')])
    reader.touch('fs.write', folder, words, { recursive: true });
  reader.unknown('unknown_word', words);
}

/** `unzip`: its archive, and the folder into which it is taken apart. */
export function readUnzip(args: readonly Field[], reader: Reader, words: string): void {
  const { options, values } = applyRow(rowOf('unzip'), args, reader, words);
  if (['-l', '-p', '-t', '-c', '-v', '-z', '-Z'].some((name) => options.has(name))) return;
  takesOut(
    reader,
    words,
    values.filter(({ name }) => name === '-d').map(({ field }) => field),
  );
}

/** `zip`: what goes in, by name, by pattern or by a list. */
export function readZip(all: readonly Field[], reader: Reader, words: string, io: Io): void {
  const left = moreLeftOut(all);
  const args = all.flatMap((field) => (left.includes(field) ? [plainField('-x'), field] : [field]));
  const { options, operands, values } = applyRow(rowOf('zip'), args, reader, words);
  const list = options.has('-@') ? plainField('-') : undefined;
  const given = list ? (listedNames(list, reader, words, io) ?? []) : [];
  for (const name of given) reader.touch('fs.read', name, words, { recursive: true });
  // Behind `-i` stand as many patterns as there are, or a file of them.
  const more = moreLeftOut(args, /^(?:-[a-zA-Z]*i|--include)$/);
  const isAll = options.has('-R') || options.has('--recurse-patterns');
  for (const mask of [...more, ...(isAll ? operands.slice(1) : [])]) readChosen(mask, [], reader, words);
  for (const { role, field } of values)
    if (/^(?:chosen|leftOut)$/.test(role) && field.text.startsWith('@'))
      listedNames({ ...field, text: field.text.slice(1) }, reader, words);
}

/** `cpio`: names come by its input, whether they go in or come out. */
export function readCpio(args: readonly Field[], reader: Reader, words: string): void {
  const { options, values } = applyRow(rowOf('cpio'), args, reader, words);
  for (const { name, field } of values) if (/^-[FIO]$/.test(name)) connectArchive(field, options, reader, words);
  if (options.has('-t') || options.has('--list')) return;
  if (options.has('-i') || options.has('-p') || options.has('--extract') || options.has('--pass-through'))
    takesOut(reader, words, []);
  else reader.unknown('unknown_word', words);
}

/** `7z`: what its first word says. */
export function readSevenZip(args: readonly Field[], reader: Reader, words: string): void {
  applyRow(rowOf('7z'), args, reader, words);
  // Switches may stand anywhere; a word that only a run tells may be any of them.
  const [does, , ...names] = args.filter(({ text }) => !text.startsWith('-'));
  const isUntold = does !== undefined && isOpenField(does);
  // It reads lists (`@list`), and expands the wildcards that the shell left as they were.
  for (const field of args.slice(1)) {
    const [, mark = '', text = ''] = /^(?:-a?[iI](?:r[-0]?)?)?([!@]?)(.*)$/s.exec(field.text) ?? [];
    const named = { ...field, text };
    if (text.startsWith('-')) continue;
    if (mark === '@') listedNames(named, reader, words);
    else if (/[*?]/.test(text)) readChosen(named, [], reader, words);
  }
  if (isUntold || /^[au]$/i.test(does?.text ?? '')) {
    // `-xr` leaves out at any depth.
    const leftOut = args.flatMap(({ text }) => /^-xr!([\w.*-]+)$/.exec(text)?.[1] ?? []);
    const how = { leftOut: isUntold || args.some(mayBeOption) ? [] : leftOut, follows: true };
    for (const field of names) if (!field.text.startsWith('@')) reader.tree(field, how, words);
  }
  const folders = args.flatMap(({ text, ...field }) => (/^-o./.test(text) ? [{ ...field, text: text.slice(2) }] : []));
  if (isUntold || /^[xe]$/i.test(does?.text ?? '')) takesOut(reader, words, folders);
  if (args.some(({ text }) => text === '-sdel'))
    for (const field of names) reader.touch('fs.delete', field, words, { recursive: true, permanent: true });
}

/** Options of `gzip` and its like, which each of them takes by the beginning of a long name too. */
const unpacking = ['-d', '--decompress', '--uncompress'];
const printing = ['-c', '--stdout', '--to-stdout', '-t', '--test', '-l', '--list'];
/** With these a run alone tells the names. */
const untelling = ['-r', '--recursive', '-N', '--name', '-S', '--suffix', '--output-dir-flat', '--output-dir-mirror'];

/** `gzip`, `xz` and their like: what they unpack goes beside its source, under its name without the ending. */
export const readPacker =
  (unpacks: boolean) =>
  (args: readonly Field[], reader: Reader, words: string): void => {
    const { operands, options } = applyRow(rowOf('gzip'), args, reader, words);
    const written = [...options];
    const has = (names: readonly string[]): boolean =>
      names.some((name) => written.some((one) => one === name || (one.length > 3 && name.startsWith(one))));
    if (has(printing) || !(unpacks || has(unpacking))) return;
    if (has(untelling)) reader.unknown('unknown_word', words);
    for (const field of operands) {
      const name = unpackedName(field.text);
      if (field.isPattern) reader.put(field, field, beside, words);
      else if (name !== undefined) reader.touch('fs.write', { ...field, text: name }, words);
    }
  };

const beside = { into: 'beside', isTree: false, does: 'copies', keepsPath: false } as const;
