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
import { isMissing } from '../errors/errno';

/** What SQLite keeps beside a database, by these names; a link there would lead it out. */
const siblings = ['-journal', '-wal', '-shm'];

/** How often, and how long apart, a file is looked for that only another thread of this process may have opened. */
const mostLooks = 20;
const msBetweenLooks = 5;

/** Why a file is not opened; `missing` where nothing is there. */
export type FileFault = 'missing' | 'not_a_file' | 'exchanged';

/**
 * A database file as it was judged: a path without links. It is looked at before SQLite opens it and compared with what
 * SQLite then holds open, so that what is put in its place in between is noticed before anything is read or written.
 */
export class JudgedFile {
  readonly #path: string;
  /** What this process had open before SQLite opened anything. */
  readonly #before: ReadonlySet<string>;

  private constructor(file: string) {
    this.#path = file;
    this.#before = new Set(heldFiles().map(nameOf));
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
    let opened = this.#opened();
    // Another thread of this process may have a file open for a moment: the one that watches the memory reads it from
    // one. What SQLite opened stays open.
    for (let look = 1; look < mostLooks && opened.some(({ key }) => !allowed.has(key)); look++) {
      rest(msBetweenLooks);
      const still = new Set(heldFiles().map(nameOf));
      opened = opened.filter((file) => still.has(nameOf(file)));
    }
    if (opened.some(({ key }) => !allowed.has(key))) return 'exchanged';
    // Where the system does not tell what is open, the two looks at the path are all there is.
    const [own] = keyOf(entry(this.#path));
    return opened.length > 0 && !opened.some(({ key }) => key === own) ? 'exchanged' : undefined;
  }

  #opened(): readonly HeldFile[] {
    return heldFiles().filter((file) => !this.#before.has(nameOf(file)));
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

/** A regular file that this process has open: the number by which it has it, and which file it is. */
interface HeldFile {
  readonly fd: number;
  readonly key: string;
}

const nameOf = ({ fd, key }: HeldFile): string => `${fd} ${key}`;

const heldFiles = (): readonly HeldFile[] => openFiles().flatMap((fd) => keyOf(statOf(fd)).map((key) => ({ fd, key })));

/** Keeps this thread, and so SQLite, from going on. */
const rest = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

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
