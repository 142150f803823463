import type { FileSystem } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';
import { changePlace } from './changePlace';
import { lookAt, type Seen } from './namedPlaces';
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
  const { crypto, mostBytes } = recorder;
  const itself = await lookAt(path, { files, crypto, isSecret, room: mostBytes });
  if (itself.state.kind === 'nothing') return [];
  if (itself.state.kind !== 'folder' || !isRecursive) return [gone(path, itself)];
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
  if (isTooMany) return [gone(path, { ...itself, notKept: 'too_many' })];
  // A folder comes before what is in it; deleted is the other way round.
  below.sort().reverse();
  const told: Told[] = [];
  let room = mostBytes;
  for (const entry of below) {
    const place = { folder: path.folder, path: entry };
    const found = await lookAt(place, { files, crypto, isSecret, room });
    if (found.notKept === 'too_large') return [gone(path, { ...itself, notKept: 'too_large' })];
    room -= found.image?.bytes.length ?? 0;
    told.push(gone(place, found));
  }
  return [...told, gone(path, itself)];
}

const gone = (path: WorkspacePath, { state, image, notKept }: Omit<Seen, 'stamp'>): Told => ({
  ...changePlace(path),
  action: 'delete',
  before: state,
  after: { kind: 'nothing' },
  images: image ? [image] : [],
  ...(notKept === undefined ? {} : { notKept }),
});
