import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { chmod, lstat, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isMissing, refusesFile } from '../errors/errno';
import { makeFolder } from '../folders/makeFolder';
import { patiently } from './calls';
import { newTemporaryName } from './temporaryNames';

/**
 * Writes a file of a folder that is ours alone: whoever reads it meanwhile, another process too, finds what it held or
 * what it holds now. A process that is killed in between leaves `FILE.PID.tmp`. Throws what the system says, and the
 * file is as it was.
 * The file is this user's alone.
 */
export function replaceFileSync(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** As `replaceFileSync`, without holding up anything else; leaves `FILE.RANDOM.tmp` where it is killed. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  await writeAndRename(file, `${file}.${randomBytes(6).toString('hex')}.tmp`, content, { mode: 0o600 });
}

/**
 * Writes a text that a person keeps where they keep it: a link stays a link, permissions stay. Whoever reads the file
 * meanwhile, such as the editor its settings, finds the old text or the new one. A file that would lose by it is
 * written in place: another user's, one with several names, one whose folder takes no new file. Folders that are
 * missing are made. Throws what the system says, such as EACCES.
 */
export const replaceText = (file: string, text: string): Promise<void> => replaceBy(file, text, (folder) => [folder]);

/**
 * As `replaceText`, for a folder of which each file counts for those who watch it: they hear of one change, where a
 * temporary file beside makes them three, and who watches the folder above hears of none.
 * @param apart a folder that nobody watches, where the temporary file is made if it is of the same disk; it is made
 * where it is missing.
 */
export const replaceListedText = (apart: string, file: string, text: string): Promise<void> =>
  replaceBy(file, text, (folder) => [apart, folder]);

/** @param foldersFor where the temporary file may be, the best first, by the folder of the file. */
async function replaceBy(file: string, text: string, foldersFor: (folder: string) => readonly string[]): Promise<void> {
  const real = await realpath(file).catch((error: unknown) => {
    if (isMissing(error)) return file;
    throw error;
  });
  const there = await lstat(real).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (there && !isReplaceable(there)) return writeFile(real, text);
  if (!there) makeFolder(path.dirname(real));
  let fault: unknown;
  for (const folder of foldersFor(path.dirname(real))) {
    const temporary = path.join(folder, newTemporaryName());
    try {
      makeFolder(folder);
      return await writeAndRename(real, temporary, text, { flush: true, ...(there && { mode: there.mode & 0o777 }) });
    } catch (error) {
      // Nothing is lost by another way only where the disk is not what fails.
      if (!refusesFile(error)) throw error;
      fault = error;
      // What holds the file itself holds it against a temporary file from anywhere.
      if (!isOfPlace(error)) break;
    }
  }
  if (!there) throw fault;
  await writeFile(real, text);
}

/** True where the temporary file could not be made, or not be brought from there. */
const isOfPlace = (error: unknown): boolean =>
  errnoOf(error) === 'EXDEV' ||
  (error instanceof Error && 'syscall' in error && ['open', 'mkdir'].includes(String(error.syscall)));

/** True for a plain file of this user under one name that may be written to; a new file in its place is like it. */
function isReplaceable(there: Stats): boolean {
  const isOwn = process.getuid === undefined || there.uid === process.getuid();
  return there.isFile() && there.nlink === 1 && isOwn && (there.mode & 0o200) !== 0;
}

/** @param options without a mode the file gets what the system gives a new one; `flush` puts it on the disk first. */
async function writeAndRename(
  file: string,
  temporary: string,
  content: string | Uint8Array,
  options: { readonly mode?: number; readonly flush?: boolean },
): Promise<void> {
  try {
    await writeFile(temporary, content, options);
    // What the system takes away from the permissions of a new file comes back.
    if (options.mode !== undefined) await chmod(temporary, options.mode);
    await patiently(() => rename(temporary, file));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
