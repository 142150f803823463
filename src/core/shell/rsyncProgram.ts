import { applyRow, readChosen, remotePlace } from './applyRow';
import { type Field, plainField } from './field';
import { listedNames } from './listedNames';
import { rowOf } from './programTable';
import type { Io, Reader } from './reader';
import { joined } from './scope';

/** `rsync`: what it copies where, what its filters choose, and what it deletes on either side. */
export function readRsync(args: readonly Field[], reader: Reader, words: string, io: Io): void {
  const { options, operands, values } = applyRow(rowOf('rsync'), args, reader, words);
  const sources = operands.slice(0, -1);
  const target = operands.at(-1);
  const isLocal = (field: Field): boolean => !remotePlace.test(field.text);
  const goes = (field: Field): void =>
    isLocal(field) ? reader.touch('fs.delete', field, words, { recursive: true, permanent: true }) : undefined;
  // What the source does not have goes from the target, and with others the source itself goes.
  if (target && sources.length > 0 && [...options].some((one) => one.startsWith('--del'))) goes(target);
  if (options.has('--remove-source-files') || options.has('--remove-sent-files')) sources.forEach(goes);
  if (options.has('--daemon')) reader.unknown('runs_code', words);
  for (const { name, field } of values)
    if (/^(?:-f|--filter|--include)$/.test(name)) readFilter(name, field, sources.filter(isLocal), reader, words);
    else if (name === '--files-from') readListed(field, sources, target, reader, words, io);
}

/** A rule for what is copied: a file of such rules, or a pattern for names that are. */
function readFilter(name: string, field: Field, sources: readonly Field[], reader: Reader, words: string): void {
  const [, merged] = /^(?:merge|dir-merge|[.:])[^\s_]*[\s_]+(.+)$/s.exec(field.text) ?? [];
  const [, chosen = name === '--include' ? field.text : undefined] =
    /^(?:include|\+)[^\s_]*[\s_]+(.+)$/s.exec(field.text) ?? [];
  if (name !== '--include' && merged !== undefined) reader.touch('fs.read', { ...field, text: merged }, words);
  else if (chosen !== undefined) readChosen({ ...field, text: chosen }, sources, reader, words);
}

/** Only the files of a list are copied, each under its own name. */
function readListed(
  list: Field,
  sources: readonly Field[],
  target: Field | undefined,
  reader: Reader,
  words: string,
  io: Io,
): void {
  const inFolder = (folder: string, { text }: Field): Field =>
    plainField(joined(folder, text.replace(/^\/+/, '')) ?? text);
  for (const name of listedNames(list, reader, words, io) ?? []) {
    for (const { text } of sources)
      if (!remotePlace.test(text)) reader.touch('fs.read', inFolder(text, name), words, { recursive: true });
    if (target && !remotePlace.test(target.text)) reader.touch('fs.write', inFolder(target.text, name), words);
  }
}
