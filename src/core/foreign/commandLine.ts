import { type Access, familyOf } from '../vocabulary/access';
import { broughtRepositories } from './broughtRepository';
import { DiskFolders, type DiskPlaces } from './diskFolders';
import { isGoverningFile } from '../policy/rules/governingFiles';
import { pathKeys } from '../policy/rules/pathKey';
import { filledFolders } from './filledFolders';
import { namesOnDisk } from './namesOnDisk';
import type { PlaceLabels } from './placeLabels';
import type { PutsOnDisk } from './putsOnDisk';
import type { ShellReading } from '../shell/shellReading';

/** As many places of one call are kept, too. */
const mostTold = 100;

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
  const { labels } = places;
  // The shell that reads the line is told by nobody: zsh is the usual one where names in either case are one, on macOS.
  const mayBeZsh = places.isRemote || places.files.caseInsensitive;
  const reading = read(line, { mayBeZsh, ...(labels.cwd === undefined ? {} : { cwd: labels.cwd }) });
  const found: Access[] = [];
  const onDisk: Access[] = [];
  if (runsWhatItFetched(reading)) found.push({ effect: 'system.exec_fetched', resource: line.slice(0, 4000) });
  if (!places.isRemote)
    for (const words of await broughtRepositories(reading, places))
      found.push({ effect: 'system.exec', resource: words });
  const disk = new DiskFolders(places);
  const seesDots = isPowershell || /dotglob|GLOBIGNORE|\(.*D.*\)/.test(line);
  const puts = places.isRemote ? nothingPut : await putsOf(reading, disk, labels, seesDots);
  const isFilled = filledFolders(reading, disk, puts.unlisted);
  const names = new Map<string, ReturnType<typeof namesOnDisk>>();
  const namesOf = (pattern: string, changes: boolean): ReturnType<typeof namesOnDisk> => {
    const key = `${changes} ${pattern}`;
    const known = names.get(key) ?? namesOnDisk(pattern, disk, { seesDots, changes, isFilled });
    names.set(key, known);
    return known;
  };
  for (const { words: _words, isPattern, isListed, from, ...access } of reading.accesses) {
    if (familyOf(access.effect) !== 'fs') found.push(access);
    else if (!places.isRemote) {
      const { resource: path, suspected } = access;
      const named = await (suspected ? labels.ofSuspect(path) : labels.of(path));
      if (named === undefined) return undefined;
      for (const resource of named) found.push({ ...access, resource });
      if (!isPattern) continue;
      const changes = access.effect !== 'fs.read';
      const sources = from === undefined ? [] : await namesOf(from, true);
      if (sources.length > 0 && sources.every(({ certainty }) => certainty === 'there')) continue;
      for (const { path: name, certainty } of await namesOf(path, changes)) {
        if (isListed && certainty === 'there') continue;
        // What is changed is there, so rules that ask see it; what is read may be meant.
        const doubt = suspected ?? (changes && certainty !== 'guessed' ? undefined : 'written');
        for (const resource of await labels.ofSuspect(name))
          if (doubt === undefined) onDisk.push({ ...access, resource });
          else found.push({ ...access, resource, suspected: doubt });
      }
    }
  }
  if (reading.trees.length > 0 && !places.isRemote) {
    const { treesOnDisk } = await import('./treesOnDisk');
    found.push(...(await treesOnDisk(reading, disk, places, seesDots)));
  }
  return [...found, ...told([...onDisk, ...puts.accesses])];
}

/**
 * Accesses that names on the disk lead to. Each is asked about, recorded and kept like one that is written out, so of
 * very many only the first are: those that a preset may ask about before all others. Of the rest rules that deny judge.
 */
function told(all: readonly Access[]): readonly Access[] {
  const isSure = ({ suspected }: Access): boolean => suspected === undefined;
  const sorted = [...all.filter((one) => !isSure(one)), ...all.filter(isSure)];
  const each = [...new Map(sorted.map((one) => [`${one.effect} ${one.resource}`, one])).values()];
  if (each.length <= mostTold) return each;
  const first = each.filter(({ effect, resource }) => familyOf(effect) !== 'fs' || isGoverningFile(pathKeys(resource)));
  const sure = new Set([...new Set([...first, ...each])].filter(isSure).slice(0, mostTold));
  return each.map((one) => (sure.has(one) ? one : { ...one, suspected: 'written' }));
}

const nothingPut: PutsOnDisk = { accesses: [], unlisted: [] };

/** Where the line puts files. What finds that out is loaded with the first line that does. */
async function putsOf(
  reading: ShellReading,
  ...places: readonly [DiskFolders, PlaceLabels, boolean]
): Promise<PutsOnDisk> {
  if (reading.puts.length === 0) return nothingPut;
  const { putsOnDisk } = await import('./putsOnDisk');
  return putsOnDisk(reading, ...places);
}
