import {
  type BigIntStats,
  fstatSync,
  lstatSync,
  openSync,
  closeSync,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../files/errors';

/** What SQLite keeps beside a database, by these names; a link there would lead it out. */
const siblings = ['-journal', '-wal', '-shm'];

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');

/** Why a file is not opened; `missing` where nothing is there. */
export type FileFault = 'missing' | 'not_a_file' | 'exchanged';

/**
 * A database file as it was judged: a path without links. It is looked at before SQLite opens it and compared with what
 * SQLite then holds open, so that what is put in its place in between is noticed before anything is read or written.
 */
export class JudgedFile {
  readonly #path: string;
  readonly #open: ReadonlySet<number>;

  private constructor(file: string) {
    this.#path = file;
    // The listing itself is open while it is read, and its number is free again afterwards.
    this.#open = new Set(openFiles().filter((fd) => statOf(fd) !== undefined));
  }

  /** @param make makes the file where it is missing: SQLite would follow a link that appears in its place. */
  static look(file: string, make: boolean): JudgedFile | FileFault {
    try {
      if (realpathSync(path.dirname(file)) !== path.dirname(file)) return 'exchanged';
      if (make && !entry(file)) closeSync(openSync(file, 'wx', 0o600));
      const judged = new JudgedFile(file);
      return judged.#fault() ?? judged;
    } catch (error) {
      if (isMissing(error)) return 'missing';
      throw error;
    }
  }

  /** Looks again once SQLite has opened the file. */
  check(): FileFault | undefined {
    const fault = this.#fault();
    if (fault) return fault;
    const allowed = new Set(['', ...siblings].flatMap((suffix) => keyOf(entry(this.#path + suffix))));
    const opened = openFiles().filter((fd) => !this.#open.has(fd));
    const held = opened.flatMap((fd) => keyOf(statOf(fd)));
    if (held.some((key) => !allowed.has(key))) return 'exchanged';
    // Where the system does not tell what is open, the two looks at the path are all there is.
    const [own] = keyOf(entry(this.#path));
    return held.length > 0 && (own === undefined || !held.includes(own)) ? 'exchanged' : undefined;
  }

  #fault(): FileFault | undefined {
    const own = entry(this.#path);
    if (!own) return 'missing';
    if (realpathSync(this.#path) !== this.#path) return 'exchanged';
    if (!own.isFile()) return 'not_a_file';
    const isLed = siblings.some((suffix) => isOdd(entry(this.#path + suffix))) || namesAnother(`${this.#path}-journal`);
    return isLed ? 'exchanged' : undefined;
  }
}

/** Not a file, or one that has another name elsewhere. */
function isOdd(stat: BigIntStats | undefined): boolean {
  return stat !== undefined && (!stat.isFile() || stat.nlink > 1n);
}

/**
 * How a journal ends that belongs to a change of several databases: before it stands the path of a file that SQLite
 * reads and removes.
 */
const journalMark = Buffer.from('d9d505f920a163d7', 'hex');

/** Tells whether a journal names a file elsewhere. A change of one database alone leaves none such. */
function namesAnother(journal: string): boolean {
  const stat = entry(journal);
  if (!stat?.isFile() || stat.size < journalMark.length) return false;
  const fd = openSync(journal, 'r');
  try {
    const end = Buffer.alloc(journalMark.length);
    readSync(fd, end, 0, end.length, stat.size - BigInt(end.length));
    return end.equals(journalMark);
  } finally {
    closeSync(fd);
  }
}

function entry(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function statOf(fd: number): BigIntStats | undefined {
  try {
    return fstatSync(fd, { bigint: true });
  } catch {
    return undefined;
  }
}

const keyOf = (stat: BigIntStats | undefined): readonly string[] => (stat?.isFile() ? [`${stat.dev}:${stat.ino}`] : []);

/** The numbers of this process's open files, where the system tells them. */
function openFiles(): readonly number[] {
  for (const folder of process.platform === 'win32' ? [] : ['/proc/self/fd', '/dev/fd']) {
    try {
      return readdirSync(folder).map(Number);
    } catch {
      continue;
    }
  }
  return [];
}
