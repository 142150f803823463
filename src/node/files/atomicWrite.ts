import { wordSet } from '../../core/base/wordSet';
import { constants, fchmod, fchown, fdatasync, fstatSync, type Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { say } from '../../core/base/sentence';
import { refusal, toolError } from '../../core/vocabulary/errors';
import type { OpenFile, WriteOptions } from '../../core/ports/files';
import { patiently, pooled, pooledChanges, type Soon } from './calls';
import { errnoOf } from '../errors/errno';
import { swapped } from './errors';
import { type Folder, putBack, verify } from './handles';
import { isTemporaryName, newTemporaryName } from './temporaryNames';

/**
 * What a write does to the disk, so that tests can make any of it fail or fall short. Files are named by their
 * descriptors.
 */
export interface Disk {
  write(descriptor: number, data: Uint8Array): Soon<number>;
  sync(descriptor: number): Promise<void>;
}

const pool = { sync: promisify(fdatasync), chmod: promisify(fchmod), chown: promisify(fchown) };

export const realDisk: Disk = {
  write: pooledChanges.write,
  sync: (descriptor) => pool.sync(descriptor),
};

interface AtomicWrite {
  readonly folder: Folder;
  /** Where the temporary file stands; the same folder mostly. */
  readonly via: Folder;
  readonly name: string;
  readonly shown: string;
  /** The permissions and the owner of the file that is replaced; undefined for a new one. */
  readonly like: Pick<Stats, 'mode' | 'uid' | 'gid'> | undefined;
  /** Whose temporary file it is, as in `newTemporaryName`. */
  readonly run?: string;
  /** Hands the content over in pieces, so that an append needs not hold the whole file. */
  readonly content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /**
   * Runs after the content is on the disk and before it takes the name, and says how it takes it: `replace` whatever
   * has the name, or as something `new`, which fails with `already_exists` where something has the name by then.
   */
  readonly beforeRename: () => Promise<'replace' | 'new'>;
  /**
   * Takes the open file over once it has its name and syncs it soon; undefined where it is synced before it takes its
   * name.
   */
  readonly syncLater?: ((descriptor: number) => Promise<void>) | undefined;
}

/**
 * Replaces a file so that a crash, a kill or a full disk leaves the old content or the new one: a new file on the same
 * disk, verified before the first byte, written in a loop, its size compared, renamed; removed again on any error. It
 * is synced before it is renamed, or handed over to be synced right after. The folder is not synced: after a power
 * failure the name may stand for the old content. A write never touches the old content, so another name of it (a hard
 * link) keeps what it has.
 */
export async function writeAtomically(write: AtomicWrite, disk: Disk): Promise<void> {
  const { folder, via, shown, syncLater } = write;
  const { hooks, changes } = folder.way;
  const temporary = newTemporaryName(write.run);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  let descriptor: number | undefined = await changes.create(
    via.at(temporary),
    flags,
    (write.like?.mode ?? 0o666) & 0o777,
  );
  try {
    if (hooks.at) await hooks.at('opened', path.join(via.absolute, temporary));
    if (via.mode === 'compare') await verify(descriptor, path.join(via.absolute, temporary), shown, via.mode);
    if (write.like) await makeAlike(descriptor, write.like);
    const size = await writeAll(descriptor, write.content(), disk);
    if (fstatSync(descriptor).size !== size)
      throw toolError('no_space', `\`${shown}\`: the disk took only a part of the content; the file is as it was`);
    if (!syncLater) {
      await disk.sync(descriptor);
      const synced = descriptor;
      descriptor = undefined;
      await pooled.close(synced);
    }
    if (hooks.at) await hooks.at('written', path.join(via.absolute, temporary));
    const how = await write.beforeRename();
    if (hooks.at) await hooks.at('checked', path.join(via.absolute, temporary));
    if (how === 'replace') await patiently(() => changes.rename(via.at(temporary), folder.at(write.name)));
    else await takeFreeName(folder, via.at(temporary), write.name, shown);
  } catch (error) {
    // What is reported is why the write failed; a temporary file that stays is taken by a sweep.
    const opened = descriptor;
    if (opened !== undefined) await putBack(async () => pooled.close(opened));
    await putBack(async () => changes.unlink(via.at(temporary)));
    throw error;
  }
  if (descriptor !== undefined) await syncLater?.(descriptor);
}

/** Gives a new file the owner and the permissions of the one that it replaces, as far as the system lets this user. */
async function makeAlike(descriptor: number, like: Pick<Stats, 'mode' | 'uid' | 'gid'>): Promise<void> {
  const own = fstatSync(descriptor);
  if (own.uid !== like.uid || own.gid !== like.gid) {
    // Only the superuser gives files away; a group that this user is in can be kept all the same.
    await pool
      .chown(descriptor, like.uid, like.gid)
      .catch(() => pool.chown(descriptor, -1, like.gid).catch(() => undefined));
  }
  // After the owner: a change of the owner takes some of the permissions away.
  const mode = like.mode & 0o7777;
  if ((fstatSync(descriptor).mode & 0o7777) !== mode) await pool.chmod(descriptor, mode).catch(() => undefined);
}

/** File systems without hard links answer one of these. */
const noLinks: ReadonlySet<string | undefined> = wordSet('EPERM ENOTSUP EOPNOTSUPP ENOSYS EINVAL EMLINK EACCES');

/** Gives the content a name that nothing has: a link fails where something has it, a rename would replace it. */
async function takeFreeName(folder: Folder, temporary: string, name: string, shown: string): Promise<void> {
  const { calls, changes } = folder.way;
  const taken = (): Error =>
    toolError('already_exists', `\`${shown}\`: something is there already; read it before you replace it`);
  try {
    await changes.link(temporary, folder.at(name));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') throw taken();
    if (!noLinks.has(code)) throw error;
    if (await calls.lstat(folder.at(name))) throw taken();
    return patiently(() => changes.rename(temporary, folder.at(name)));
  }
  await changes.unlink(temporary);
}

/**
 * Throws where what has the name now may not be replaced by a file. To replace a file the system asks only whether its
 * folder may be written to, so a file that this user may not write to would become theirs: an editor refuses that, and
 * so does this.
 */
export async function checkReplaceable(
  folder: Folder,
  name: string,
  there: Stats,
  shown: string,
  options: WriteOptions,
): Promise<void> {
  if (there.isDirectory()) throw toolError('is_a_directory', `\`${shown}\` is a folder`);
  if (options.mustCreate) throw refusal('already_exists', say('file_there', shown));
  if (there.isSymbolicLink()) throw swapped(shown);
  if (!there.isFile()) throw toolError('unsupported', `\`${shown}\` is neither a file nor a folder`);
  // Who owns it may give it the permissions that are asked for, and so make it writable.
  if (options.mode !== undefined && there.uid === process.getuid?.()) return;
  if ((there.mode & 0o222) === 0) throw refusal('permission_denied', say('file_read_only', shown));
  if (!(await folder.way.calls.writable(folder.at(name))))
    throw toolError(
      'permission_denied',
      `the system does not let this user write to \`${shown}\`; ask the user to change its permissions`,
    );
}

async function writeAll(
  descriptor: number,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  disk: Disk,
): Promise<number> {
  let size = 0;
  for await (const piece of pieces) {
    let rest = piece;
    while (rest.length > 0) {
      const written = await disk.write(descriptor, rest);
      if (written <= 0) throw Object.assign(new Error('a write made no progress'), { code: 'ENOSPC' });
      rest = rest.subarray(written);
      size += written;
    }
  }
  return size;
}

/** Removes temporary files older than `olderThanMs` that a killed process left in a folder; returns how many. */
export async function sweepFolder(absolute: string, olderThanMs: number, now: number): Promise<number> {
  let swept = 0;
  for (const name of await readdir(absolute).catch(() => [])) {
    if (!isTemporaryName(name)) continue;
    const file = path.join(absolute, name);
    const facts = await lstat(file).catch(() => undefined);
    if (!facts?.isFile() || now - facts.mtimeMs < olderThanMs) continue;
    await rm(file, { force: true }).then(
      () => swept++,
      () => undefined,
    );
  }
  return swept;
}

const appendPiece = 1 << 20;

/** What a file holds and then more, read piece by piece. */
export async function* pieces(before: OpenFile, content: Uint8Array): AsyncIterable<Uint8Array> {
  for (let offset = 0; offset < before.stat.size; offset += appendPiece) yield await before.read(offset, appendPiece);
  yield content;
}
