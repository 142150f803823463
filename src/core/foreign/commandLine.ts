import { type Access, familyOf } from '../vocabulary/access';
import { type DiskPlaces, namesOnDisk } from './namesOnDisk';

/** Where the accesses of a line lead. */
interface LinePlaces extends DiskPlaces {
  /** True where the line runs on another machine, whose files are no concern of ours. */
  readonly isRemote: boolean;
  readonly language?: 'posix' | 'powershell';
}

/**
 * The accesses of a command line that a foreign tool is given, named as policy names them. Undefined where a path leads
 * to what only the shell itself can tell. The reader of shell lines is loaded with the first of them.
 */
export async function commandLineAccesses(line: string, places: LinePlaces): Promise<readonly Access[] | undefined> {
  const isPowershell = places.language === 'powershell';
  const [read, { runsWhatItFetched }] = await Promise.all([
    isPowershell
      ? import('../shell/powershell').then(({ readPowershell }) => readPowershell)
      : import('../shell/readShell').then(({ readShell }) => readShell),
    import('../shell/fetchedCode'),
  ]);
  const { cwd } = places.labels;
  // The shell that reads the line is told by nobody: zsh is the usual one where names in either case are one, on macOS.
  const mayBeZsh = places.isRemote || places.files.caseInsensitive;
  const reading = read(line, { mayBeZsh, ...(cwd === undefined ? {} : { cwd }) });
  const { accesses } = reading;
  const found: Access[] = [];
  const names = new Map<string, Promise<readonly string[]>>();
  const namesOf = (pattern: string): Promise<readonly string[]> => {
    const seesDots = isPowershell || /dotglob|GLOBIGNORE|\(.*D.*\)/.test(line);
    const known = names.get(pattern) ?? namesOnDisk(pattern, places, seesDots);
    names.set(pattern, known);
    return known;
  };
  if (runsWhatItFetched(reading)) found.push({ effect: 'system.exec_fetched', resource: line.slice(0, 4000) });
  for (const { words: _words, isPattern, ...access } of accesses) {
    if (familyOf(access.effect) !== 'fs') found.push(access);
    else if (!places.isRemote) {
      const { resource: path } = access;
      const labels = await (access.suspected ? places.labels.ofSuspect(path) : places.labels.of(path));
      if (labels === undefined) return undefined;
      for (const resource of labels) found.push({ ...access, resource });
      if (!isPattern) continue;
      const { suspected = 'written' } = access;
      for (const name of await namesOf(access.resource))
        for (const resource of await places.labels.ofSuspect(name)) found.push({ ...access, resource, suspected });
    }
  }
  return found;
}
