import { samePath } from '../files/paths';
import type { Change, ChangePlace, PlaceState } from '../ports/changes';
import type { Difference } from '../ports/checkpoints';
import type { FileSystem } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';

/** Where a path is, as a change names it. */
export const changePlace = ({ folder, path }: WorkspacePath): ChangePlace => ({
  scheme: folder.scheme,
  root: folder.path,
  path,
});

/** The place of a change here; undefined where its folder is not open. */
export function openPlace(
  { scheme, root, path }: ChangePlace,
  files: Pick<FileSystem, 'folders'>,
): WorkspacePath | undefined {
  const folder = files.folders().find((one) => one.scheme === scheme && one.path === root);
  return folder && { folder, path };
}

/** Where a change left what it is about: a move where it goes. */
export const leftAt = (change: Change): ChangePlace => (change.action === 'move' ? (change.to ?? change) : change);

/** A name that only changes its case is the same file where case does not count. */
export const isSameName = (a: WorkspacePath, b: WorkspacePath, files: Pick<FileSystem, 'caseInsensitive'>): boolean =>
  files.caseInsensitive && samePath(folded(a), folded(b));

const folded = ({ folder, path }: WorkspacePath): WorkspacePath => ({
  folder,
  path: path.normalize('NFC').toLowerCase(),
});

/** What was done to a place of which only is known what stands there after it. */
export const actionOf = ({ kind }: PlaceState): Change['action'] =>
  kind === 'nothing' ? 'delete' : kind === 'folder' ? 'make_folder' : 'write';

/** The same state without the name of its bytes, which says something about a short secret. */
export function unnamed(state: PlaceState): PlaceState {
  if (state.kind !== 'file') return state;
  const { hash: _hash, ...rest } = state;
  return rest;
}

/** A move as what went and what came; every other difference as it is. */
export function withoutMove({ movedTo, ...one }: Difference): readonly Difference[] {
  if (movedTo === undefined) return [one];
  const nothing = { kind: 'nothing' } as const;
  return [
    { ...one, after: nothing },
    { root: one.root, path: movedTo, before: nothing, after: one.before },
  ];
}
