import {
  access,
  accessSync,
  close,
  closeSync,
  constants,
  type Dirent,
  lstat,
  lstatSync,
  open,
  openSync,
  read,
  readdirSync,
  readSync,
  realpath,
  realpathSync,
  type Stats,
  write,
} from 'node:fs';
import { link, mkdir, readdir, rename, rmdir, statfs, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { pause } from '../../core/base/pause';
import { errnoOf } from '../errors/errno';

/** An answer that is there already, or a promise of one; `await` takes both. */
export type Soon<T> = T | Promise<T>;

/**
 * What the file operations ask the operating system without changing anything. Descriptors are numbers; whoever opens
 * one closes it.
 */
export interface FileCalls {
  /** Opens a path with flags of open(2); `mode` is for a file that is made. */
  open(path: string, flags: number, mode?: number): Soon<number>;
  /** Resolves once the descriptor is closed; the number may belong to another file from then on. */
  close(descriptor: number): Soon<void>;
  /** Undefined where nothing has the name. */
  lstat(path: string): Soon<Stats | undefined>;
  /** False where the system does not let this user write to what has the name. */
  writable(path: string): Soon<boolean>;
  /** The path without links. */
  realpath(path: string): Soon<string>;
  readdir(path: string): Soon<Dirent[]>;
  /** Reads into a part of a buffer and answers how many bytes that were; 0 at the end of the file. */
  read(descriptor: number, buffer: Uint8Array, at: number, length: number, position: number): Soon<number>;
}

/** What stands at a path; what fails is for the operation itself to report. */
export async function entryAt(calls: FileCalls, at: string): Promise<Stats | undefined> {
  try {
    return await calls.lstat(at);
  } catch {
    return undefined;
  }
}

/** What changes the disk, which may have to wait for it. */
export interface FileChanges {
  /** Makes a file that nothing has the name of, and opens it. */
  create(path: string, flags: number, mode: number): Soon<number>;
  /** Writes at the descriptor's place and answers how many bytes it took. */
  write(descriptor: number, data: Uint8Array): Soon<number>;
  mkdir(path: string, mode?: number): Soon<unknown>;
  rename(from: string, to: string): Soon<void>;
  link(from: string, to: string): Soon<void>;
  unlink(path: string): Soon<void>;
  rmdir(path: string): Soon<void>;
}

/**
 * Tries again where Windows says that somebody holds the file, as a virus scanner or a reader may for a moment; two and
 * a half seconds at most.
 */
export async function patiently<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isHeld = ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error) ?? '');
      if (process.platform !== 'win32' || !isHeld || tries >= 8) throw error;
      await pause(10 * 2 ** tries);
    }
  }
}

/** A read or write of more bytes goes through the thread pool, so that this thread is never held up for long. */
export const longestInPlace = 128 * 1024;

const pool = {
  access: promisify(access),
  open: promisify(open),
  close: promisify(close),
  lstat: promisify(lstat),
  realpath: promisify(realpath.native),
  read: promisify(read),
  write: promisify(write),
};

/** Through Node's thread pool: right where an answer may take long, such as on a network drive. */
export const pooled: FileCalls = {
  open: (path, flags, mode) => pool.open(path, flags, mode),
  close: (descriptor) => pool.close(descriptor),
  async lstat(path) {
    try {
      return await pool.lstat(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  writable: (path) =>
    pool.access(path, constants.W_OK).then(
      () => true,
      (error: unknown) => !isRefusal(error),
    ),
  realpath: (path) => pool.realpath(path),
  readdir: (path) => readdir(path, { withFileTypes: true }),
  read: async (descriptor, buffer, at, length, position) =>
    (await pool.read(descriptor, buffer, at, length, position)).bytesRead,
};

/** Any other failure is for the operation itself to report. */
function isRefusal(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

/** Right wherever others would have to wait while this thread waits for the disk, as in the editor's extension host. */
export const pooledChanges: FileChanges = {
  create: (path, flags, mode) => pool.open(path, flags, mode),
  write: async (descriptor, data) => (await pool.write(descriptor, data, 0, data.length, null)).bytesWritten,
  mkdir: (path, mode) => mkdir(path, { mode }),
  rename,
  link,
  unlink,
  rmdir,
};

/**
 * On this thread: the kernel answers from memory within microseconds, where a trip through the thread pool costs 20 to
 * 100. Only for the machine's own disks, where a cold answer takes milliseconds at most.
 */
export const inPlace: FileCalls = {
  open: (path, flags, mode) => openSync(path, flags, mode),
  close: (descriptor) => closeSync(descriptor),
  lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
  writable(path) {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch (error) {
      return !isRefusal(error);
    }
  },
  realpath: (path) => realpathSync.native(path),
  readdir: (path) => readdirSync(path, { withFileTypes: true }),
  read: (descriptor, buffer, at, length, position) =>
    length <= longestInPlace
      ? readSync(descriptor, buffer, at, length, position)
      : pooled.read(descriptor, buffer, at, length, position),
};

/**
 * The machine's own file systems on Linux, by their numbers in statfs(2): ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs,
 * F2FS, ZFS. They answer at once, give a folder a new change time whenever a name in it comes, goes or changes, and say
 * at the write that the disk is full. Network file systems and FAT do not.
 */
const own: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1,
]);

export function isOwnFileSystem(type: number): boolean {
  return process.platform === 'linux' && own.has(type);
}

/** Tells whether a folder lies on one of the machine's own file systems; a folder that cannot be asked does not. */
export async function isOnOwnDisk(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return statfs(folder).then(
    ({ type }) => isOwnFileSystem(type),
    () => false,
  );
}
