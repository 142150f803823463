import { readWhole } from '../files/readWhole';
import type { Image, NotKept, PlaceState } from '../ports/changes';
import type { FileStat, FileSystem } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';
import type { CallRecorder, Told } from './recorder';

/** A folder with more entries is not kept when it is deleted. */
const mostEntries = 20_000;

interface Keeping {
  readonly recorder: CallRecorder;
  readonly isSecret: (path: WorkspacePath) => boolean;
  readonly isRecursive: boolean;
}

/**
 * What a delete takes away, with the bytes of it: the place itself, and for a folder everything below, the innermost
 * first. Empty where nothing is there.
 */
export async function deletedStates(
  files: FileSystem,
  path: WorkspacePath,
  { recorder, isSecret, isRecursive }: Keeping,
): Promise<readonly Told[]> {
  const stat = await files.stat(path);
  if (!stat) return [];
  if (stat.type !== 'directory' || !isRecursive) return [await one(path, recorder.mostBytes)];
  const itself: PlaceState = { kind: 'folder', ...modeOf(stat) };
  const below: string[] = [];
  let isTooMany = false;
  await files.list(
    { root: path, include: [], exclude: [], includeIgnored: true, directories: true },
    (batch) => {
      for (const entry of batch) below.push(entry.path);
      isTooMany = below.length > mostEntries;
      return !isTooMany;
    },
    { aborted: false, reason: undefined },
  );
  if (isTooMany) return [gone(path, itself, [], 'too_many')];
  // A folder comes before what is in it; deleted is the other way round.
  below.sort().reverse();
  const told: Told[] = [];
  let room = recorder.mostBytes;
  for (const entry of below) {
    const found = await one({ folder: path.folder, path: entry }, room);
    if (found.notKept === 'too_large') return [gone(path, itself, [], 'too_large')];
    for (const { bytes } of found.images ?? []) room -= bytes.length;
    told.push(found);
  }
  return [...told, gone(path, itself)];

  async function one(place: WorkspacePath, most: number): Promise<Told> {
    const facts = await files.stat(place);
    if (!facts) return gone(place, { kind: 'nothing' });
    const mode = modeOf(facts);
    switch (facts.type) {
      case 'directory':
        return gone(place, { kind: 'folder', ...mode });
      case 'symlink': {
        const target = await files.readLink?.(place);
        return target === undefined ? gone(place, { kind: 'link' }, [], 'kind') : gone(place, { kind: 'link', target });
      }
      case 'file': {
        const state: PlaceState = { kind: 'file', size: facts.size, ...mode };
        if (isSecret(place)) return gone(place, state, [], 'secret');
        if (facts.size > most) return gone(place, state, [], 'too_large');
        const bytes = await readWhole(files, place);
        const hash = recorder.crypto.sha256(bytes);
        return gone(place, { kind: 'file', size: bytes.length, hash, ...mode }, [{ hash, bytes }]);
      }
      default:
        return gone(place, { kind: 'other' }, [], 'kind');
    }
  }
}

const modeOf = ({ mode }: FileStat): { readonly mode?: number } => (mode === undefined ? {} : { mode: mode & 0o7777 });

function gone(
  { folder, path }: WorkspacePath,
  before: PlaceState,
  images: readonly Image[] = [],
  notKept?: NotKept,
): Told {
  return {
    scheme: folder.scheme,
    root: folder.path,
    path,
    action: 'delete',
    before,
    after: { kind: 'nothing' },
    images,
    ...(notKept === undefined ? {} : { notKept }),
  };
}
