import type { Access } from '../vocabulary/access';
import type { FileSystem } from '../ports/files';
import { namesOnDisk } from './namesOnDisk';
import type { PlaceLabels } from './placeLabels';

/** Where the accesses of a line lead, and what it is called with. */
interface LinePlaces {
  readonly files: FileSystem;
  readonly labels: PlaceLabels;
  /** True where the line runs on another machine, whose files are no concern of ours. */
  readonly isRemote: boolean;
}

/**
 * The accesses of a command line that a foreign tool is given, named as policy names them. Undefined where a path leads
 * to what only the shell itself can tell. The reader of shell lines is loaded with the first of them.
 */
export async function commandLineAccesses(line: string, places: LinePlaces): Promise<readonly Access[] | undefined> {
  const [{ readShell }, { runsWhatItFetched }] = await Promise.all([
    import('../shell/readShell'),
    import('../shell/fetchedCode'),
  ]);
  const { cwd } = places.labels;
  const reading = readShell(line, cwd === undefined ? {} : { cwd });
  const { accesses } = reading;
  const found: Access[] = [];
  const names = new Map<string, Promise<readonly string[]>>();
  const namesOf = (pattern: string): Promise<readonly string[]> => {
    const known = names.get(pattern) ?? namesOnDisk(pattern, places, /dotglob|GLOBIGNORE|\(.*D.*\)/.test(line));
    names.set(pattern, known);
    return known;
  };
  if (runsWhatItFetched(reading)) found.push({ effect: 'system.exec_fetched', resource: line.slice(0, 4000) });
  for (const { words: _words, isPattern, ...access } of accesses) {
    if (!access.effect.startsWith('fs.')) found.push(access);
    else if (!places.isRemote) {
      const labels = await labelsOf(access.resource, places.labels, access.suspected !== undefined);
      if (labels === undefined) return undefined;
      for (const resource of labels) found.push({ ...access, resource });
      if (!isPattern) continue;
      const { suspected = 'written' } = access;
      for (const name of await namesOf(access.resource))
        for (const resource of (await labelsOf(name, places.labels, true)) ?? [])
          found.push({ ...access, resource, suspected });
    }
  }
  return found;
}

/** A word that only might be a path is no reason to refuse the call where its links lead out of the workspace. */
async function labelsOf(
  path: string,
  labels: PlaceLabels,
  isSuspected: boolean,
): Promise<readonly string[] | undefined> {
  try {
    return (await labels.of(path)) ?? (isSuspected ? [] : undefined);
  } catch (error) {
    if (!isSuspected) throw error;
    return [path];
  }
}
