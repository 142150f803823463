import {
  chmodSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { SaidError, say, type Sentence } from '../../core/base/sentence';
import { newTemporaryName } from '../files/temporaryNames';
import { makeFolder } from '../folders/makeFolder';
import { isMissing } from '../errors/errno';

const leftAlone = (said: Sentence): SaidError => new SaidError(said);

/**
 * Reads a file of an agent below the home folder; undefined where there is none. Throws a SaidError for one that an
 * installer leaves alone: a link, one with several names, a read-only one, one in a folder that is a link, no text.
 */
export function readUserFile(file: string, home: string): string | undefined {
  checkFolders(file, home);
  let stat;
  try {
    stat = lstatSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw leftAlone(say('as_it_is', String(error)));
  }
  if (stat.isSymbolicLink() || (stat.isFile() && stat.nlink > 1)) throw leftAlone(say('entry_linked'));
  if (!stat.isFile() || stat.size > 5_000_000) throw leftAlone(say('file_no_utf8'));
  if ((stat.mode & 0o200) === 0) throw leftAlone(say('entry_read_only'));
  const bytes = readFileSync(file);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw leftAlone(say('file_no_utf8'));
  return text;
}

/** The folders between home and a file: none may lead elsewhere, and the last one has to take a new file. */
function checkFolders(file: string, home: string): void {
  const below = path.relative(home, path.dirname(file)).split(path.sep);
  if (below[0] === '..') throw leftAlone(say('entry_folder_linked', path.dirname(file)));
  let folder = home;
  for (const name of below) {
    folder = path.join(folder, name);
    try {
      const stat = lstatSync(folder);
      if (stat.isSymbolicLink()) throw leftAlone(say('entry_folder_linked', folder));
      if (!stat.isDirectory()) throw leftAlone(say('entry_folder_read_only'));
      if ((stat.mode & 0o200) === 0) throw leftAlone(say('entry_folder_read_only'));
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
  }
}

/**
 * Writes a file, or removes it where `after` is undefined, if it still is as it was looked at. The new content takes
 * the name in one step and keeps the permissions.
 * @returns the folders that were made for it, the outermost first.
 */
export function writeUserFile(
  file: string,
  before: string | undefined,
  after: string | undefined,
  home: string,
): readonly string[] {
  if (readUserFile(file, home) !== before) throw leftAlone(say('entry_changed_meanwhile'));
  if (after === undefined) {
    rmSync(file, { force: true });
    return [];
  }
  const folders = makeFolders(path.dirname(file));
  const temporary = path.join(path.dirname(file), newTemporaryName());
  try {
    const mode = before === undefined ? 0o600 : lstatSync(file).mode & 0o777;
    writeFileSync(temporary, after, { mode, flag: 'wx' });
    chmodSync(temporary, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw leftAlone(say('as_it_is', String(error)));
  }
  return folders;
}

/** Removes folders that were made for a file, as far as nothing else is in them; the outermost comes first. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].reverse())
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
}

function makeFolders(folder: string): readonly string[] {
  const made: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      realpathSync(at);
      break;
    } catch {
      made.unshift(at);
    }
  }
  makeFolder(folder);
  return made;
}
