import { braceWords } from './braceWords';
import { behind, hasFirst, readArguments, type ReadArguments, rolesOf } from './arguments';
import { type Field, mayBeOption, plainField } from './field';
import { listedNames } from './listedNames';
import { namesLeftOut } from './leftOut';
import type { ProgramRow, Role } from './programRow';
import type { SideEffect } from '../vocabulary/access';
import type { Io, PutHow, Reader, TouchFacts } from './reader';
import { joined } from './scope';
import { isNarrowed, treeBelow } from './trees';

/**
 * Tells the reader what a program does with its arguments, by its row; answers the command that they hold.
 * @param io what it is fed, where that may be a list of names.
 */
export function applyRow(
  row: ProgramRow,
  args: readonly Field[],
  reader: Reader,
  words: string,
  method?: string,
  io?: Io,
): ReadArguments {
  const read = readArguments(row, args);
  const enter = (): void => {
    for (const { role, field } of read.values) if (role === 'folder') reader.scope.enter(field.text);
  };
  if (!row.entersLate) enter();
  for (const { role, field } of read.values) applyRole(role, field, reader, words, method);
  if (row.entersLate) enter();
  const first = hasFirst(row, read.options) ? row.first : undefined;
  const roles = operandRoles(row, read, first);
  const folders: Field[] = [];
  for (const [index, field] of read.operands.entries()) {
    const role = roles[index] ?? 'unknown';
    applyRole(role, field, reader, words, method);
    const isTree = role === 'readTree' || role === 'copyFrom';
    if (isTree && goBelow(row, read, field, reader, words)) folders.push(field);
  }
  const named = read.operands.length - (first === undefined ? 0 : 1);
  if (row.alone !== undefined && named <= 0) {
    applyRole(row.alone, here, reader, words);
    // What is fed is read in the place of the folder, but by `grep`.
    const isTree = row.alone === 'readTree' && (io?.isFed !== true || row.tree?.as === 'grep');
    if (isTree && goBelow(row, read, here, reader, words)) folders.push(here);
  }
  if (row.last === 'write' || row.operands === 'copy') placeInside(row, read, reader, words);
  for (const { role, field } of read.values)
    if (role === 'list')
      for (const name of listedNames(field, reader, words, io) ?? [])
        applyRole(row.operands ?? 'unknown', name, reader, words, method);
  for (const { role, field } of read.values)
    if (role === 'chosen') readChosen(field, named > 0 ? read.operands.slice(-named) : [], reader, words, folders);
  if (row.runs) reader.unknown('runs_code', words);
  if (!read.isUnderstood) reader.unknown('unknown_program', words);
  return read;
}

const here = plainField('.');

/** Tells of what is read below a folder that an operand names; false where it is no more than is told otherwise. */
function goBelow(row: ProgramRow, read: ReadArguments, field: Field, reader: Reader, words: string): boolean {
  const how = row.operands === 'copy' && remotePlace.test(field.text) ? undefined : treeBelow(row, read, field);
  const target = targetOf(read) ?? read.operands.at(-1);
  const isCopied = row.last === 'write' || (row.operands === 'copy' && !remotePlace.test(target?.text ?? ''));
  // Without the one folder that it goes into it does nothing.
  const entered = read.values.filter((one) => one.role === 'folder').length === 1 ? reader.scope.arrived : undefined;
  if (!how) return false;
  const [head] = row.first !== undefined && hasFirst(row, read.options) ? read.operands : [];
  // With another option before or behind it nothing may stay out.
  if (isNarrowed(how) && (!read.isSure || (head?.isPattern && mayBeOption(head))))
    reader.unknown('unknown_word', words);
  reader.tree(field, isCopied ? { ...how, isCopied } : how, words, entered);
  return true;
}

/** What each operand is for: the first and the last may have a role of their own, which an option may change. */
function operandRoles(row: ProgramRow, read: ReadArguments, first: Role | undefined): readonly (Role | 'copyFrom')[] {
  const end = read.operands.length - 1;
  const flag = [...rolesOf(row.flags)].find(([name]) => read.options.has(name))?.[1];
  const last = end > 0 && !targetOf(read) ? row.last : undefined;
  return read.operands.map((_field, index) => {
    const own = index === 0 ? first : undefined;
    const role = own ?? (index === end ? last : undefined) ?? flag ?? row.operands ?? 'unknown';
    return role === 'copy' && index < end ? 'copyFrom' : role;
  });
}

/** The folder that an option names as the place for all operands. */
function targetOf({ values }: ReadArguments): Field | undefined {
  return values.find(({ name }) => name === '-t' || name === '--target-directory')?.field;
}

/** A copy into a folder makes a file of the same name there, or all below a folder of the same name. */
function placeInside(row: ProgramRow, read: ReadArguments, reader: Reader, words: string): void {
  const { operands } = read;
  const folder = targetOf(read);
  // One name alone is linked into the folder that the shell is in.
  const isLinkedHere = !folder && operands.length === 1 && isLinking(row);
  const target = folder ?? (isLinkedHere ? plainField('.') : operands.at(-1));
  if (!target) return;
  const sources = folder || isLinkedHere ? operands : operands.slice(0, -1);
  const how = howPut(row, read, sources.length > 1 || folder !== undefined);
  const isTransfer = row.operands === 'copy';
  putInside(sources, target, reader, words, how !== undefined && target.isKnown);
  if (!how || (isTransfer && remotePlace.test(target.text))) return;
  const fetched = isTransfer ? sources.filter(({ text }) => remotePlace.test(text)) : [];
  putByName(
    sources.filter((one) => !fetched.includes(one)),
    target,
    how,
    reader,
    words,
  );
  const paths = fetched.map((source) => ({ ...source, text: source.text.replace(remotePlace, '') }));
  putByName(paths, target, { ...how, isTree: false }, reader, words);
  // The other machine says the names.
  if (paths.some(({ text }) => how.isTree || /[*?[{~$`]|\/$/.test(text))) reader.unknown('unknown_word', words);
}

const isLinking = ({ operands, last, options }: ProgramRow): boolean =>
  operands === 'change' && last === 'write' && rolesOf(options).has('--target-directory');

/** How a program puts its operands into a target; undefined for one that writes no file under the name of another. */
function howPut(row: ProgramRow, read: ReadArguments, isFolder: boolean): PutHow | undefined {
  const { options } = read;
  const has = (...names: readonly string[]): boolean => names.some((name) => options.has(name));
  const isTransfer = row.operands === 'copy';
  const isMaking = [...rolesOf(row.flags)].some(([name, role]) => role === 'write' && options.has(name));
  if (isMaking || (!isTransfer && !rolesOf(row.options).has('--target-directory'))) return undefined;
  const does = row.operands === 'move' ? 'moves' : isLinking(row) ? 'links' : 'copies';
  const isItself = !isTransfer && has('-T', '--no-target-directory');
  return {
    into: isItself ? 'itself' : isFolder ? 'folder' : 'either',
    isTree: does !== 'copies' || has('-r', '-R', '-a', '--recursive', '--archive'),
    does,
    keepsPath: isTransfer ? has('-R', '--relative') : has('--parents'),
    ...(isTransfer ? { leftOut: namesLeftOut(read) } : {}),
  };
}

const mostSources = 200;

/** A target that is a folder as it is written. */
const namesFolder = /^(?:.*[\\/])?\.{0,2}$|^~[^\\/]*$/s;

/**
 * Each of these may be put into a folder under its own name.
 * @param isPut true where `putByName` tells the same of those that the disk knows.
 */
export function putInside(
  sources: readonly Field[],
  target: Field,
  reader: Reader,
  words: string,
  isPut = false,
): void {
  for (const source of sources.slice(0, mostSources)) {
    const { text, isPattern, isKnown } = source;
    const name =
      text
        .replace(/(?<![\\/])[\\/]+$/, '')
        .split(/[\\/:]/)
        .at(-1) ?? '';
    const path = joined(target.text, name);
    if (name !== '' && path !== undefined && text !== target.text)
      reader.touch('fs.write', { text: path, isPattern, isKnown }, words, {
        suspected: 'written',
        ...(isPattern && isKnown && isPut ? { source: text } : {}),
      });
  }
}

/** Each of these comes to stand under a name that the disk tells. */
export function putByName(sources: readonly Field[], target: Field, how: PutHow, reader: Reader, words: string): void {
  const into = how.into === 'either' && namesFolder.test(target.text) ? 'folder' : how.into;
  for (const source of sources.slice(0, mostSources))
    if (source.text !== target.text) reader.put(source, target, { ...how, into }, words);
}

/**
 * The files that a search reads in its folders: a pattern without a slash stands for names at any depth.
 * @param trees those of the folders that are told as trees.
 */
export function readChosen(
  { text, isKnown }: Field,
  folders: readonly Field[],
  reader: Reader,
  words: string,
  trees: readonly Field[] = [],
): void {
  if (/^!|^[*/]*$/.test(text)) return;
  const patterns = braceWords(text.replace(/^\//, '')) ?? [text];
  for (const folder of folders.length > 0 ? folders : [here])
    for (const pattern of patterns.flatMap(dotted))
      for (const path of pattern.includes('/') ? [pattern] : [pattern, `**/${pattern}`])
        reader.touch('fs.read', { text: joined(folder.text, path) ?? path, isPattern: true, isKnown }, words, {
          suspected: 'written',
          ...(trees.includes(folder) ? { isListed: true } : {}),
        });
}

/** A pattern for names whose wildcard at the beginning may stand for a point, or for nothing: each of these. */
export const dotted = (name: string): readonly string[] => {
  if (!/^[*?[]/.test(name)) return [name];
  const point = name.replace(/^(?:\*|\?|\[[^\]]*\])/, (sign) => (sign === '*' ? '.*' : '.'));
  return [name, point, ...(/^\*\..*[*?[]/.test(name) ? [name.slice(1)] : [])];
};

/** What stands before a path on another machine: `user@host:path`. One letter before a slash is a drive of this one. */
export const remotePlace =
  /^(?:rsync:\/\/[^/]*\/+|(?:[^\s/:@\\]+@)?(?:\[[^\]]+\]|[^\s/:\\]{2,}|[^\s/:\\](?=:(?![\\/])))::?)/;

/** What is done to a file by the roles that say nothing else. */
const touches: Readonly<Partial<Record<Role | 'copyFrom', readonly (readonly [SideEffect, TouchFacts?])[]>>> = {
  read: [['fs.read']],
  readTree: [['fs.read', { recursive: true }]],
  write: [['fs.write']],
  change: [['fs.read'], ['fs.write']],
  delete: [['fs.delete', { permanent: true }]],
  deleteTree: [['fs.delete', { recursive: true, permanent: true }]],
  move: [['fs.read'], ['fs.delete']],
  chmod: [['fs.chmod']],
};

/** Tells the reader what one argument is for. */
export function applyRole(role: Role | 'copyFrom', field: Field, reader: Reader, words: string, method?: string): void {
  for (const [effect, facts] of touches[role] ?? []) reader.touch(effect, field, words, facts);
  switch (role) {
    case 'url':
      return reader.contact(field.text, words, method);
    case 'host':
      // A port stands behind its host.
      return /^\d{1,5}$/.test(field.text) ? undefined : reader.connect(field.text, words);
    case 'copy':
    case 'copyFrom':
      if (remotePlace.test(field.text)) {
        reader.connect(field.text.replace(/^rsync:\/\//, '').replace(/:(?!.*\]).*$/s, ''), words);
        // One letter may be a drive all the same.
        if (!/^[a-z]:/i.test(field.text)) return;
      }
      return reader.touch(role === 'copy' ? 'fs.write' : 'fs.read', field, words, { recursive: true });
    case 'shell':
      reader.apart((inner) => inner.runText(field.text.replace(/^(?:exec=|[!|])/, '')));
      if (!field.isKnown) reader.unknown('unknown_word', words);
      return;
    case 'writeOrRun':
      return applyRole(/^[|!]/.test(field.text) ? 'shell' : 'write', field, reader, words);
    case 'code':
      reader.scan(field.text, words);
      return reader.unknown('runs_code', words);
    case 'script':
      reader.touch('fs.read', field, words);
      return reader.unknown('runs_script', words);
    case 'mount': {
      const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(field.text)?.[1] ?? field.text.split(':')[0] ?? '';
      reader.touch('fs.read', { ...field, text: source }, words, { recursive: true });
      return reader.touch('fs.write', { ...field, text: source }, words, { recursive: true });
    }
    case 'data': {
      const at = /^(?:[\w.[\]-]*=)?[@<]/.exec(field.text)?.[0].length;
      if (at !== undefined) reader.touch('fs.read', behind(field, at), words);
      return;
    }
    case 'folder':
    case 'place':
    case 'chosen':
    case 'list':
    case 'unknown':
      if (!field.isKnown) reader.unknown('unknown_word', words);
  }
}
