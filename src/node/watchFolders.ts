import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { Debounce } from '../core/base/debounce';
import type { FolderWatch } from '../core/protection/protector';

/** A storm of changes is one look. */
const lookMs = 20;
/** Of so many folders below one it is heard what changes in them. */
const mostBelow = 200;

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
 * of them come or go at once, what follows in them is heard; links are not followed.
 * @param onChange is told the place, and each folder that is watched from then on.
 */
function watchBelow(
  parents: () => readonly string[],
  steps: readonly string[],
  onChange: (place: string) => void,
): FolderWatch {
  // The way to it is watched for its own next step alone.
  const way = (): Map<string, string> => {
    const next = new Map<string, string>();
    for (const parent of parents()) {
      let folder = parent;
      for (const step of steps) {
        next.set(folder, step);
        folder = path.join(folder, step);
      }
    }
    return next;
  };
  const tops = (): readonly string[] => parents().map((parent) => path.join(parent, ...steps));
  const folders = watchFolders(
    () => [...way().keys(), ...tops().flatMap(withFoldersBelow)],
    (place) => {
      const step = way().get(path.dirname(place));
      if (step !== undefined && step !== path.basename(place)) return;
      looking.start();
      onChange(place);
    },
  );
  /** What came into a folder before it was watched is found by looking again. */
  const look = (): void => {
    for (let fresh = folders.look(); fresh.length > 0; fresh = folders.look())
      for (const folder of fresh) if (!way().has(folder)) onChange(folder);
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
  for (let at = 0; at < found.length && found.length < mostBelow; at++)
    try {
      const folder = found[at] ?? '';
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) found.push(path.join(folder, entry.name));
    } catch {
      // It is not there.
    }
  return found.slice(0, mostBelow);
}
