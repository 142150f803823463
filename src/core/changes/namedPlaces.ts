import type { GateCall } from '../call/gateCall';
import { isInside } from '../files/isInside';
import { missingFolders, splitPath, withSlashes } from '../files/paths';
import { readWhole } from '../files/readWhole';
import type { Image, NotKept, PlaceState } from '../ports/changes';
import type { FileSystem, PathStyle } from '../ports/files';
import type { Crypto } from '../ports/platform';
import type { WorkspacePath } from '../ports/workspacePath';

/** Of one call so many places are kept. */
const mostPlaces = 100;

/** The places that a call of another program names as ones that it writes or deletes, each once. */
export async function namedPlaces(
  { accesses }: Pick<GateCall, 'accesses'>,
  judged: Pick<FileSystem, 'folders'>,
  files: FileSystem,
): Promise<readonly WorkspacePath[]> {
  const found = new Map<string, WorkspacePath>();
  const add = (place: WorkspacePath): unknown => found.set(`${place.folder.path}\0${place.path}`, place);
  for (const { effect, resource, suspected } of accesses) {
    if (suspected !== undefined || (effect !== 'fs.write' && effect !== 'fs.delete')) continue;
    const absolute = absoluteOf(resource, judged, files.style);
    const named = absolute === undefined ? undefined : inFolders(absolute, files);
    if (!named || found.size >= mostPlaces) continue;
    try {
      // What deletes takes the link itself, what writes goes through it.
      const place = await files.canonical(named, { follow: effect === 'fs.write' });
      const parent = effect === 'fs.write' ? splitPath(place)?.parent : undefined;
      for (const folder of parent ? await missingFolders(files, parent) : []) add(folder);
      add(place);
    } catch {
      // It leads out of the folders, or nowhere.
    }
  }
  return [...found.values()];
}

/** The path of the machine that policy knows by a label. */
function absoluteOf(label: string, files: Pick<FileSystem, 'folders'>, style: PathStyle): string | undefined {
  if ((style === 'windows' ? /^(?:[/\\]|[a-z]:)/i : /^\//).test(label)) return label;
  const all = files.folders();
  const only = all.length === 1 ? all[0] : undefined;
  if (only) return only.scheme === 'file' ? `${only.path}/${label === '.' ? '' : label}` : undefined;
  const folder = all.find(({ name }) => label === name || label.startsWith(`${name}/`));
  return folder?.scheme === 'file' ? folder.path + label.slice(folder.name.length) : undefined;
}

/** A path of the machine in the innermost folder that holds it. */
export function inFolders(
  absolute: string,
  files: Pick<FileSystem, 'folders' | 'caseInsensitive' | 'style'>,
): WorkspacePath | undefined {
  const same = (text: string): string => (files.caseInsensitive ? text.toLowerCase() : text);
  const folder = files
    .folders()
    .filter(({ scheme, path }) => scheme === 'file' && isInside(same(absolute), same(path)))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (!folder) return undefined;
  const path = absolute.slice(folder.path.replace(/(?<![/\\])[/\\]+$/, '').length);
  return { folder, path: withSlashes(path, files.style).replace(/^\/+|(?<!\/)\/+$/g, '') };
}

/** What stands at a place, with its bytes where they may be kept. */
export interface Seen {
  readonly state: PlaceState;
  readonly image?: Image;
  /** What tells that it changed where its bytes are not kept. */
  readonly stamp?: string;
  readonly notKept?: NotKept;
}

interface LookOptions {
  readonly files: FileSystem;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly isSecret: (place: WorkspacePath) => boolean;
  /** More bytes are not kept. */
  readonly room: number;
}

export async function lookAt(place: WorkspacePath, { files, crypto, isSecret, room }: LookOptions): Promise<Seen> {
  const facts = await files.stat(place);
  if (!facts) return { state: { kind: 'nothing' } };
  const mode = facts.mode === undefined ? {} : { mode: facts.mode & 0o7777 };
  switch (facts.type) {
    case 'directory':
      return { state: { kind: 'folder', ...mode } };
    case 'symlink': {
      const target = await files.readLink?.(place);
      return target === undefined ? { state: { kind: 'link' }, notKept: 'kind' } : { state: { kind: 'link', target } };
    }
    case 'file': {
      const { size, modifiedMs } = facts;
      const without = (notKept: NotKept): Seen => ({
        state: { kind: 'file', size, ...mode },
        stamp: `${size} ${modifiedMs}`,
        notKept,
      });
      if (isSecret(place)) return without('secret');
      if (size > room) return without('too_large');
      const bytes = await readWhole(files, place, room + 1);
      // It grew meanwhile, and a part of it is nothing to put back.
      if (bytes.length > room) return without('too_large');
      const hash = crypto.sha256(bytes);
      return { state: { kind: 'file', hash, size: bytes.length, ...mode }, image: { hash, bytes } };
    }
    case 'other':
      return { state: { kind: 'other' }, notKept: 'kind' };
  }
}

/** True where nothing happened between two looks, permission bits left aside. */
export function isUnchanged(
  before: Pick<Seen, 'state' | 'stamp'>,
  { state: now, stamp }: Pick<Seen, 'state' | 'stamp'>,
): boolean {
  const { state: was } = before;
  if (was.kind !== now.kind) return false;
  if (was.kind === 'file' && now.kind === 'file')
    return was.hash === undefined || now.hash === undefined
      ? before.stamp !== undefined && before.stamp === stamp
      : was.hash === now.hash;
  return was.kind !== 'link' || now.kind !== 'link' || was.target === now.target;
}
