import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { nameTable } from '../../../core/base/json';
import type { NotKept } from '../../../core/ports/changes';
import type { Uncovered } from '../../../core/ports/checkpoints';

/** A larger file is not taken into a checkpoint, in bytes. */
export const mostFileBytes = 10_000_000;
/** So many files and bytes of a folder are taken in; what comes beyond is not. */
const most = { files: 200_000, bytes: 1_000_000_000 };
/** Of so many files that are not taken in it is known whether they were touched. */
const mostUncovered = 5000;
const statsAtOnce = 500;
/** Git compares when a file was touched by whole seconds. */
const recentMs = 2000;
const mostRecent = 1000;

/** Folders whose own files are taken in although they are ignored: settings and notes that nobody else has. */
export const worthKeeping = ['', '.vscode', '.idea', '.claude', '.cursor'];

/** Permission bits of a new file and of a new program, as this user makes them. */
export interface UsualModes {
  readonly file: number;
  readonly program: number;
}

/** What is to be done about files that may have changed. */
export interface Sorted {
  /** To be taken in as they are, or forgotten where they are gone. */
  readonly taken: readonly string[];
  /** To be forgotten: not kept, or a folder now. */
  readonly forgotten: readonly string[];
  readonly uncovered: Readonly<Record<string, Uncovered>>;
  /** Of `taken`: permission bits where they are unusual, `undefined` where they are as usual. */
  readonly modes: ReadonlyMap<string, number | undefined>;
  /** What is held with these: at most so many files and bytes. */
  readonly held: Held;
  /** The bytes of `taken`. */
  readonly bytes: number;
  /** True where something that was held is not there any more. */
  readonly hasGone: boolean;
  /** Of `taken`: those that were touched so lately that git would not notice another change of their permissions. */
  readonly recent: ReadonlyMap<string, Recent>;
}

/** The permissions of a file and when it was touched. */
type Recent = Pick<Stats, 'mode' | 'ctimeMs'>;

interface Held {
  readonly files: number;
  readonly bytes: number;
}

interface SortOptions {
  readonly root: string;
  readonly isSecret: (path: string) => boolean;
  /** What is held already. */
  readonly held: Held;
  readonly usual: UsualModes;
  readonly signal: AbortSignal;
}

/**
 * Sorts files by whether they are kept.
 * @param known those of which an earlier state is held.
 */
export async function sortCandidates(
  known: ReadonlySet<string>,
  fresh: readonly string[],
  { root, isSecret, held, usual, signal }: SortOptions,
): Promise<Sorted> {
  const [taken, forgotten]: [string[], string[]] = [[], []];
  const recent = new Map<string, Recent>();
  const uncovered = nameTable<Uncovered>();
  const modes = new Map<string, number | undefined>();
  let { files, bytes } = held;
  let [added, told] = [0, 0];
  let hasGone = false;
  const all = [...known, ...fresh.filter((one) => !known.has(one))];
  for (let from = 0; from < all.length; from += statsAtOnce) {
    signal.throwIfAborted();
    const part = all.slice(from, from + statsAtOnce);
    const stats = await Promise.all(part.map((one) => lstat(path.join(root, one)).catch(() => undefined)));
    for (const [at, name] of part.entries()) place(name, stats[at]);
  }
  return { taken, forgotten, uncovered, modes, held: { files, bytes }, bytes: added, hasGone, recent };

  function place(name: string, stat: Stats | undefined): void {
    const isHeld = known.has(name);
    hasGone ||= isHeld && stat?.isFile() !== true;
    if (!stat || stat.isSymbolicLink()) {
      if (stat || isHeld) taken.push(name);
      return;
    }
    const why = stat.isFile() ? whyNot(name, stat, isHeld) : undefined;
    if (!stat.isFile() || why !== undefined) {
      if (isHeld) forgotten.push(name);
      if (why !== undefined && told++ < mostUncovered) uncovered[name] = { why, size: stat.size, stamp: stampOf(stat) };
      return;
    }
    taken.push(name);
    if (isRecent(stat)) recent.set(name, { mode: stat.mode, ctimeMs: stat.ctimeMs });
    added += stat.size;
    bytes += stat.size;
    if (!isHeld) files++;
    const mode = stat.mode & 0o7777;
    modes.set(name, mode === ((mode & 0o100) === 0 ? usual.file : usual.program) ? undefined : mode);
  }

  function whyNot(name: string, { size }: Stats, isHeld: boolean): NotKept | undefined {
    if (isSecret(name)) return 'secret';
    if (size > mostFileBytes) return 'too_large';
    return !isHeld && (files >= most.files || bytes + size > most.bytes) ? 'too_many' : undefined;
  }
}

const isRecent = ({ ctimeMs }: Recent): boolean => Date.now() - ctimeMs < recentMs;

/** Those whose permissions are others by now. */
export async function changedModes(root: string, recent: ReadonlyMap<string, Recent>): Promise<readonly string[]> {
  const looked = await Promise.all(
    [...recent].slice(0, mostRecent).map(async ([name, { mode }]) => {
      const now = await lstat(path.join(root, name)).catch(() => undefined);
      return now && now.mode !== mode ? name : undefined;
    }),
  );
  return looked.filter((name) => name !== undefined);
}

/** Those that have to be looked at once more, with those that were taken in now. */
export const stillRecent = (
  before: ReadonlyMap<string, Recent>,
  now: ReadonlyMap<string, Recent>,
): ReadonlyMap<string, Recent> => new Map([...[...before].filter(([, one]) => isRecent(one)), ...now]);

const stampOf = ({ size, mtimeMs, ino }: Stats): string => `${size}.${mtimeMs}.${ino}`;

/** Files that are taken in whether they are ignored or not, with what tells that they changed. */
export async function ignoredWorthKeeping(root: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of worthKeeping) {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((one) => one.isFile()).slice(0, 1000)) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const stat = await lstat(path.join(root, name)).catch(() => undefined);
      if (stat) found.set(name, stampOf(stat));
    }
  }
  return found;
}
