import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statfsSync,
} from 'node:fs';
import { IgnoreRules } from '../../core/files/ignore';
import type { FolderEntry, FolderListing, WalkedFolders } from '../../core/files/walk';
import { isOwnFileSystem } from './calls';
import { typeOf } from './openedFile';
import type { HandleMode } from './handles';
import { isTemporaryName } from './temporaryNames';
import { TimeSlices } from './timeSlices';

/** What a folder or a file held, and the facts by which it is told that it still does. */
interface Remembered<T> {
  readonly facts: Stats;
  readonly held: T;
}

interface Root {
  /**
   * The device whose folders tell by their times that something in them has changed; undefined where none is known to.
   */
  readonly device: number | undefined;
  readonly folders: Map<string, Remembered<FolderListing>>;
  /** The rules of each `.gitignore`; undefined where it holds none. */
  readonly ignoreFiles: Map<string, Remembered<IgnoreRules | undefined>>;
}

/**
 * A folder that changed less than so many milliseconds before it was read may change again within the same tick of the
 * clock.
 */
const settledMs = 2000;
const mostEntries = 500_000;
/** What nobody has asked for in so many milliseconds is forgotten. */
const keptMs = 10 * 60_000;

const maximalIgnoreFile = 1_000_000;
const mostIgnoreFiles = 5000;

const empty: FolderListing = { entries: [], hasIgnoreFile: false };

interface FolderMemoryOptions {
  readonly handles: HandleMode;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
  /** For tests: called between the facts about a folder and its reading. */
  readonly beforeRead?: (absolute: string) => void;
}

/**
 * Reads folders and remembers what is in them. Asking a folder whether it has changed costs a fifth of reading it, and
 * most walks go through folders that have not. A folder is read through an open handle that is what stands at its path,
 * so that nothing is listed of a place that a link leads to, wherever the path leads by now.
 */
export class FolderMemory {
  readonly #options: FolderMemoryOptions;
  readonly #now: () => number;
  #roots = new Map<string, Root>();
  #entries = 0;
  #forget: NodeJS.Timeout | undefined;

  constructor(options: FolderMemoryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * The folders below the workspace folder `root`, for one walk or search: the thread is given back every few
   * milliseconds, because reading folders one by one without waiting is three times as fast.
   */
  below(root: string): WalkedFolders {
    this.#use();
    const slices = new TimeSlices();
    return {
      list: (at) => this.list(root, at),
      ignoreRules: (at) => this.#rulesIn(root, at === '' ? '.gitignore' : `${at}/.gitignore`),
      repositoryRules: () => this.#repositoryRules(root),
      pause: (stopped) => (slices.isOver ? slices.next(stopped) : undefined),
    };
  }

  /** What no walk uses for ten minutes is forgotten. */
  #use(): void {
    if (this.#forget) {
      this.#forget.refresh();
      return;
    }
    this.#forget = setTimeout(() => {
      this.#forget = undefined;
      this.#roots = new Map();
      this.#entries = 0;
    }, keptMs).unref();
  }

  /** What is in the folder `at` of the workspace folder `root`. Throws what the file system throws. */
  list(root: string, at: string): FolderListing {
    const absolute = at === '' ? root : `${root}/${at}`;
    const { device, folders } = this.#root(root);
    if (device === undefined) return this.#read(absolute, at);
    const readAt = this.#now();
    const facts = lstatSync(absolute);
    const known = folders.get(at);
    if (known && isSame(known.facts, facts)) return known.held;
    const listing = this.#read(absolute, at);
    if (known) {
      this.#entries -= known.held.entries.length;
      folders.delete(at);
    }
    if (
      facts.dev === device &&
      facts.isDirectory() &&
      facts.ctimeMs + settledMs < readAt &&
      this.#entries < mostEntries
    ) {
      folders.set(at, { facts, held: listing });
      this.#entries += listing.entries.length;
    }
    return listing;
  }

  /** The rules of `.git/info/exclude` of the workspace folder. */
  #repositoryRules(root: string): IgnoreRules | undefined {
    const info =
      lstatQuietly(`${root}/.git`)?.isDirectory() === true && lstatQuietly(`${root}/.git/info`)?.isDirectory() === true;
    return info ? this.#rulesIn(root, '.git/info/exclude') : undefined;
  }

  /** A file of rules that is a link is not followed, and one that is too large or cannot be read counts as absent. */
  #rulesIn(root: string, at: string): IgnoreRules | undefined {
    const file = `${root}/${at}`;
    const { device, ignoreFiles } = this.#root(root);
    try {
      const readAt = this.#now();
      const facts = lstatSync(file, { throwIfNoEntry: false });
      if (!facts?.isFile() || facts.size > maximalIgnoreFile) return undefined;
      const known = ignoreFiles.get(at);
      if (known && isSame(known.facts, facts) && known.facts.size === facts.size) return known.held;
      ignoreFiles.delete(at);
      const rules = readRules(file);
      if (facts.dev === device && facts.ctimeMs + settledMs < readAt && ignoreFiles.size < mostIgnoreFiles)
        ignoreFiles.set(at, { facts, held: rules });
      return rules;
    } catch {
      return undefined;
    }
  }

  #root(root: string): Root {
    let known = this.#roots.get(root);
    if (!known) {
      known = { device: deviceOf(root), folders: new Map(), ignoreFiles: new Map() };
      this.#roots.set(root, known);
    }
    return known;
  }

  #read(absolute: string, at: string): FolderListing {
    this.#options.beforeRead?.(absolute);
    const found =
      this.#options.handles === 'proc' ? readVerified(absolute) : readdirSync(absolute, { withFileTypes: true });
    if (found.length === 0) return empty;
    const entries: FolderEntry[] = [];
    let hasIgnoreFile = false;
    for (const entry of found) {
      const { name } = entry;
      if (isTemporaryName(name)) continue;
      if (name === '.gitignore') hasIgnoreFile = true;
      entries.push({ name, path: at === '' ? name : `${at}/${name}`, type: typeOf(entry) });
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { entries, hasIgnoreFile };
  }
}

function lstatQuietly(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Reads a folder through a handle that is what stands at the path, reached without a link; one that is not is empty.
 */
function readVerified(absolute: string): readonly Dirent[] {
  const handle = openSync(absolute, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const own = `/proc/self/fd/${handle}`;
    return readlinkSync(own) === absolute ? readdirSync(`${own}/.`, { withFileTypes: true }) : [];
  } finally {
    closeSync(handle);
  }
}

function readRules(file: string): IgnoreRules | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile() || facts.size > maximalIgnoreFile) return undefined;
    const rules = new IgnoreRules(readFileSync(descriptor, 'utf8'));
    return rules.isEmpty ? undefined : rules;
  } finally {
    closeSync(descriptor);
  }
}

/** The device of a folder on a file system whose folders' times can be relied on. */
function deviceOf(root: string): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return isOwnFileSystem(statfsSync(root).type) ? lstatSync(root).dev : undefined;
  } catch {
    return undefined;
  }
}

/** The change time, unlike the time of modification, cannot be set by anybody. */
function isSame(a: Stats, b: Stats): boolean {
  return a.ctimeMs === b.ctimeMs && a.mtimeMs === b.mtimeMs && a.ino === b.ino && a.dev === b.dev;
}
