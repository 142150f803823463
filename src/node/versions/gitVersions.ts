import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import type { VersionControl } from '../../core/ports/versions';
import type { WorkspacePath } from '../../core/ports/workspacePath';
import type { VersionState } from '../../core/vocabulary/stake';
import { type IndexEntry, readIndex } from './gitIndex';

/** A larger index is not read. */
const largestIndex = 64_000_000;
/** Contents are hashed up to so many bytes a call; beyond, what git itself goes by is compared. */
const mostHashed = 64_000_000;

interface Repository {
  readonly workTree: string;
  readonly gitFolder: string;
}

/**
 * What git holds, from its index alone: what stands there was staged or committed, and `git restore` gives it back. No
 * program is started, because the configuration of a repository can name programs that git then runs.
 */
export const gitVersions: VersionControl = {
  async statesOf(files, going, stopped) {
    const places = files.map(machinePath);
    const gone = new Set(going.map(machinePath));
    const goes = (folder: string): boolean => [...ancestors(folder)].some((above) => gone.has(above));
    const found = new Map<string, Promise<Repository | undefined>>();
    const byRepository = new Map<string, { readonly repository: Repository; readonly at: number[] }>();
    const states: (VersionState | undefined)[] = places.map(() => undefined);
    for (const [at, place] of places.entries()) {
      if (place === undefined || stopped.aborted) continue;
      const repository = await repositoryOf(path.dirname(place), found);
      if (!repository) continue;
      const known = byRepository.get(repository.gitFolder) ?? { repository, at: [] };
      known.at.push(at);
      byRepository.set(repository.gitFolder, known);
    }
    const budget = { left: mostHashed };
    for (const { repository, at: own } of byRepository.values()) {
      const wanted = own.map((at) => places[at]);
      const entries = goes(repository.gitFolder) ? new Map<string, IndexEntry>() : await indexOf(repository, wanted);
      if (!entries) continue;
      for (const at of own) {
        if (stopped.aborted) return places.map(() => undefined);
        const place = places[at];
        if (place === undefined) continue;
        states[at] = await stateOf(place, entries.get(nameIn(repository, place)), budget);
      }
    }
    return states;
  },
};

function machinePath({ folder, path: below }: WorkspacePath): string | undefined {
  return folder.scheme === 'file' ? path.join(folder.path, ...below.split('/')) : undefined;
}

const nameIn = ({ workTree }: Repository, place: string): string =>
  path.relative(workTree, place).replaceAll(path.sep, '/');

function* ancestors(folder: string): Generator<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    yield at;
    if (path.dirname(at) === at) return;
  }
}

/** The repository whose work tree a folder belongs to. */
function repositoryOf(
  folder: string,
  known: Map<string, Promise<Repository | undefined>>,
): Promise<Repository | undefined> {
  let found = known.get(folder);
  if (!found) {
    const above = path.dirname(folder);
    found = repositoryIn(folder).then((own) => own ?? (above === folder ? undefined : repositoryOf(above, known)));
    known.set(folder, found);
  }
  return found;
}

async function repositoryIn(folder: string): Promise<Repository | undefined> {
  try {
    const place = path.join(folder, '.git');
    const entry = await stat(place);
    if (entry.isDirectory()) return { workTree: folder, gitFolder: place };
    // A work tree beside the repository, and a submodule, name its folder.
    const named = /^gitdir: (.+?)\r?\n?$/.exec(entry.size > 4096 ? '' : await readFile(place, 'utf8'))?.[1];
    return named === undefined ? undefined : { workTree: folder, gitFolder: path.resolve(folder, named) };
  } catch {
    return undefined;
  }
}

async function indexOf(
  repository: Repository,
  places: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, IndexEntry> | undefined> {
  try {
    const file = path.join(repository.gitFolder, 'index');
    const entry = await stat(file).catch(() => undefined);
    // Nothing was ever staged.
    if (!entry) return new Map();
    if (entry.size > largestIndex) return undefined;
    const wanted = new Set(places.map((place) => (place === undefined ? '' : nameIn(repository, place))));
    return readIndex(await readFile(file), (name) => wanted.has(name));
  } catch {
    return undefined;
  }
}

/** Compares a file with what git holds of it; undefined where it cannot be read. */
async function stateOf(
  place: string,
  entry: IndexEntry | undefined,
  budget: { left: number },
): Promise<VersionState | undefined> {
  if (!entry) return 'untracked';
  if (!entry.isSettled) return 'differs';
  try {
    const now = await lstat(place, { bigint: true });
    if (!now.isFile() && !now.isSymbolicLink()) return 'differs';
    const isRead = now.size <= BigInt(budget.left);
    if (isRead) {
      budget.left -= Number(now.size);
      const content = now.isFile() ? await readFile(place) : Buffer.from(await readlink(place));
      const hash = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
      if (hash === entry.hash) return 'held';
    }
    if (now.isFile() && isUntouched(now, entry)) return 'held';
    return isRead ? 'differs' : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What git goes by for files that it holds in another form, such as with other line ends: nothing touched the file
 * since git looked at it. Times without nanoseconds are too coarse to tell.
 */
function isUntouched(now: BigIntStats, { size, modified, changed }: IndexEntry): boolean {
  const isAt = ([seconds, nanoseconds]: readonly [number, number], ns: bigint): boolean =>
    nanoseconds !== 0 && ns === BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  return size > 0 && now.size === BigInt(size) && isAt(modified, now.mtimeNs) && isAt(changed, now.ctimeNs);
}
