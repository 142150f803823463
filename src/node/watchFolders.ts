import { type Dir, type Dirent, type FSWatcher, opendirSync, realpathSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { Debounce } from '../core/base/debounce';
import type { FolderWatch } from '../core/protection/protector';

/** A storm of changes is one look. */
const lookMs = 20;
/** Of so many folders below one it is heard what changes in them. */
const mostBelow = 200;
/** So many entries of them are looked through for folders. */
const mostEntries = 5000;

interface Watched {
  readonly identity: string;
  readonly watcher: FSWatcher;
}

interface Watch extends FolderWatch {
  /** Answers the folders that are watched from now on, those anew that stand in the place of others. */
  look(): readonly string[];
}

/**
 * Watches folders as far as they are there; what comes later, or in the place of one that went, is found at the next
 * look.
 * @param onChange is told the place in a folder, or the folder where the system does not tell.
 */
export function watchFolders(folders: () => readonly string[], onChange: (place: string) => void): Watch {
  const watched = new Map<string, Watched>();
  const forget = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  return {
    look() {
      const wanted = new Map([...new Set(folders())].map((folder) => [folder, identityOf(folder)]));
      for (const [folder, { identity }] of watched) if (wanted.get(folder) !== identity) forget(folder);
      const fresh: string[] = [];
      for (const [folder, identity] of wanted) {
        if (identity === undefined || watched.has(folder)) continue;
        try {
          const watcher = watch(folder, { persistent: false }, (_event, name) =>
            onChange(name === null ? folder : path.join(folder, name)),
          );
          watcher.on('error', () => forget(folder));
          watched.set(folder, { identity, watcher });
          fresh.push(folder);
        } catch {
          // It went at this moment, or the system watches no more.
        }
      }
      return fresh;
    },
    dispose() {
      for (const folder of [...watched.keys()]) forget(folder);
    },
  };
}

/** Of the folder at a place: a watcher stays with the one that was there, and says nothing of what follows it. */
function identityOf(folder: string): string | undefined {
  try {
    const stat = statSync(folder, { bigint: true, throwIfNoEntry: false });
    return stat?.isDirectory() === true ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : undefined;
  } catch {
    // This user may not look there.
    return undefined;
  }
}

/**
 * Watches a folder of each of some others, such as `.vscode/capabilities`, and all folders below it. However many steps
 * of them come or go at once, what follows in them is heard. Links are followed nowhere but on the way to it, and there
 * only as far as they stay in the folder that it is watched for.
 * @param onChange is told the place, and each folder that is watched from then on.
 */
function watchBelow(
  parents: () => readonly string[],
  steps: readonly string[],
  onChange: (place: string) => void,
): FolderWatch {
  let ways: readonly Way[] = [];
  const folders = watchFolders(
    () => {
      ways = parents().map((parent) => wayTo(parent, steps));
      return ways.flatMap(({ above, top }) => [...above.keys(), ...(top === undefined ? [] : withFoldersBelow(top))]);
    },
    (place) => {
      if (!ways.some((way) => concerns(way, place))) return;
      looking.start();
      onChange(place);
    },
  );
  /** What came into a folder before it was watched is found by looking again. */
  const look = (): void => {
    for (let fresh = folders.look(); fresh.length > 0; fresh = folders.look())
      for (const folder of fresh)
        if (ways.some(({ top }) => top !== undefined && isAtOrBelow(folder, top))) onChange(folder);
  };
  const looking = new Debounce(look, lookMs);
  return {
    look,
    dispose() {
      looking.dispose();
      folders.dispose();
    },
  };
}

interface Way {
  /** Folders on the way, each with its next step: of these nothing else counts. */
  readonly above: ReadonlyMap<string, string>;
  /** Where the way leads; undefined where a link leads it out of the folder that it begins in. */
  readonly top: string | undefined;
}

function wayTo(parent: string, steps: readonly string[]): Way {
  const above = new Map<string, string>();
  let folder = parent;
  for (const step of steps) {
    above.set(folder, step);
    folder = path.join(folder, step);
    if (!isWithin(folder, parent)) return { above, top: undefined };
  }
  return { above, top: folder };
}

function concerns({ above, top }: Way, place: string): boolean {
  if (top !== undefined && isAtOrBelow(place, top)) return true;
  return above.get(path.dirname(place)) === path.basename(place);
}

const isAtOrBelow = (place: string, folder: string): boolean => place === folder || place.startsWith(folder + path.sep);

/** True too where nothing is there yet. */
function isWithin(folder: string, parent: string): boolean {
  try {
    return isAtOrBelow(realpathSync(folder), realpathSync(parent));
  } catch {
    return true;
  }
}

/**
 * Watches `.vscode/capabilities` of workspace folders. On macOS and Windows the system tells the editor of all that is
 * below a folder, and there a watched folder could not be renamed by the person.
 */
export const watchPolicyFolders = (
  workspaces: () => readonly string[],
  onChange: (place: string) => void,
): FolderWatch =>
  watchBelow(process.platform === 'linux' ? workspaces : () => [], ['.vscode', 'capabilities'], onChange);

function withFoldersBelow(top: string): readonly string[] {
  const found = [top];
  let left = mostEntries;
  for (let at = 0; at < found.length && left > 0; at++) {
    const folder = found[at] ?? '';
    for (const entry of entriesOf(folder)) {
      if (left-- <= 0 || found.length >= mostBelow) break;
      if (entry.isDirectory()) found.push(path.join(folder, entry.name));
    }
  }
  return found;
}

/** One by one, for a folder can hold more than anybody wants to wait for. */
function* entriesOf(folder: string): Generator<Dirent> {
  let open: Dir | undefined;
  try {
    open = opendirSync(folder);
    for (let entry = open.readSync(); entry; entry = open.readSync()) yield entry;
  } catch {
    // It is not there, or went at this moment.
  } finally {
    open?.closeSync();
  }
}
