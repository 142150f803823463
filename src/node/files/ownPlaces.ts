import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { OwnPlaces } from '../../core/policy/rules/ownFiles';
import { isWithin } from '../folders/quietly';
import type { WorkspaceFolder, WorkspacePath } from '../../core/ports/workspacePath';

/**
 * Finds the program's own places in workspace folders: as they were named, and where links lead, on either side. A
 * place need not exist yet; what is there of it counts.
 */
export function ownPlaces(folders: readonly WorkspaceFolder[], places: readonly string[]): OwnPlaces {
  const inside = new Map<string, WorkspacePath>();
  const absolute = new Set<string>();
  for (const place of places) {
    const spellings = [...new Set([path.resolve(place), realOrMissing(path.resolve(place))])];
    for (const one of spellings) absolute.add(withSlashes(one));
    for (const folder of folders) {
      if (folder.scheme !== 'file') continue;
      for (const root of new Set([path.resolve(folder.path), realOrMissing(path.resolve(folder.path))]))
        for (const one of spellings) {
          if (!isWithin(one, root)) continue;
          const below = path.relative(root, one);
          inside.set(`${folder.path}\0${below}`, { folder, path: withSlashes(below) });
        }
    }
  }
  return { inside: [...inside.values()], absolute: [...absolute] };
}

const withSlashes = (text: string): string => (path.sep === '\\' ? text.replaceAll('\\', '/') : text);

/** Where a path leads, as far as it exists. */
function realOrMissing(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(realOrMissing(parent), path.basename(place));
  }
}
