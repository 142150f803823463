import { foldersAbove } from '../base/slashPath';
import type { StopSign } from '../base/stopSign';
import type { ListEntry } from '../ports/fileSearch';
import type { FileStat, FileSystem } from '../ports/files';
import { accessLabel } from '../ports/accessLabel';
import type { WorkspacePath } from '../ports/workspacePath';
import type { Access } from '../vocabulary/access';

/** More entries are not counted. */
const mostEntries = 20_000;

/** What a delete takes away. */
export interface Gone {
  readonly files: readonly WorkspacePath[];
  readonly folders: readonly WorkspacePath[];
  readonly bytes: number;
  /** Entries that stay with the folders that hold them. */
  readonly kept: number;
  readonly isPartial: boolean;
}

interface Look {
  readonly access: Access;
  readonly keeps: (access: Access) => boolean;
  readonly stopped: StopSign;
}

/** Counts what a delete of a place would take away, in the way in which it is then done. */
export async function lookBelow(
  files: FileSystem,
  place: WorkspacePath,
  stat: FileStat,
  { access, keeps, stopped }: Look,
): Promise<Gone> {
  if (stat.type !== 'directory') return { files: [place], folders: [], bytes: sizeOf(stat), kept: 0, isPartial: false };
  if (access.recursive !== true) return { files: [], folders: [place], bytes: 0, kept: 0, isPartial: false };
  const entries: ListEntry[] = [];
  const kept = new Set<string>();
  const at = (path: string): WorkspacePath => ({ folder: place.folder, path });
  const stays = (path: string): boolean =>
    keeps({ effect: 'fs.delete', resource: accessLabel(at(path), files), ...permanence(access) });
  await files.list(
    { root: place, include: [], exclude: [], includeIgnored: true, directories: true },
    (batch) => {
      const some = batch.slice(0, mostEntries + 1 - entries.length);
      entries.push(...some);
      for (const { path } of some) if (!stopped.aborted && stays(path)) kept.add(path);
      return entries.length <= mostEntries && !stopped.aborted;
    },
    stopped,
  );
  const holders = new Set([...kept].flatMap(foldersAbove));
  const gone = entries.filter(
    ({ path }) => !kept.has(path) && !holders.has(path) && !foldersAbove(path).some((above) => kept.has(above)),
  );
  const root = kept.size === 0 ? [place] : [];
  const goneFiles = gone.filter(({ type }) => type !== 'directory').map(({ path }) => at(path));
  let bytes = 0;
  let measured = 0;
  for (const file of goneFiles) {
    if (stopped.aborted) break;
    const known = await files.stat(file);
    bytes += known ? sizeOf(known) : 0;
    measured++;
  }
  return {
    files: goneFiles,
    folders: [...root, ...gone.filter(({ type }) => type === 'directory').map(({ path }) => at(path))],
    bytes,
    kept: entries.length - gone.length - [...holders].filter((one) => one.startsWith(`${place.path}/`)).length,
    isPartial: entries.length > mostEntries || measured < goneFiles.length || stopped.aborted,
  };
}

const permanence = ({ permanent }: Access): Pick<Access, 'permanent'> => (permanent ? { permanent } : {});

/** A link has no content of its own. */
const sizeOf = ({ type, size }: FileStat): number => (type === 'file' ? size : 0);
