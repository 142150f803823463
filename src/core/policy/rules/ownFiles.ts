import { foldersAbove } from '../../base/slashPath';
import { say } from '../../base/sentence';
import type { FileSystem } from '../../ports/files';
import type { Boundary, BoundaryMatch } from '../../vocabulary/boundary';
import { accessLabel } from '../../ports/accessLabel';
import type { WorkspacePath } from '../../ports/workspacePath';
import { literalPath } from './literalPath';

/** Where the program keeps what is its own: its records, its state, its tokens. */
export interface OwnPlaces {
  /** Those that lie in a workspace folder, by every path that leads there; an empty path is the folder itself. */
  readonly inside: readonly WorkspacePath[];
  /** All of them, as paths of the machine with `/`, for tools that name files by those. */
  readonly absolute: readonly string[];
}

/**
 * The boundaries that close the program's own places to every tool, whoever it belongs to: who could write there would
 * forge the record of what was done, and who could read there would know what the record hides. No rule, grant or
 * answer opens them.
 */
export function ownFileBoundaries(
  places: OwnPlaces,
  files: Pick<FileSystem, 'folders' | 'labelPrefix'>,
): readonly Boundary[] {
  const labels = places.inside.map((place) => accessLabel(place, files));
  const absolute = places.absolute.map((place) => place.replace(/^\/+/, ''));
  if (labels.length + absolute.length === 0) return [];
  const inside = (path: string): readonly string[] =>
    path === '.' ? ['**'] : [literalPath(path), `${literalPath(path)}/**`];
  const above = [
    ...labels.flatMap((label) => foldersAbove(label).map(literalPath)),
    ...places.absolute.flatMap(foldersAbove).map(anywhere),
  ];
  return [
    rule('own-files', {
      accessAny: ['fs.*'],
      path: [...labels.flatMap(inside), ...absolute.flatMap((path) => [anywhere(path), `${anywhere(path)}/**`])],
    }),
    // Whoever takes the folder above away takes them with it; a tool of others does not say what it meets there.
    rule('own-files.folders-above', { accessAny: ['fs.delete', 'fs.chmod'], path: [...new Set(above)] }),
  ];
}

const ownIds = ['own-files', 'own-files.folders-above'] as const;

/** True for the id of a boundary that closes the program's own places. */
export const isOwnFilesId = (id: string): boolean => ownIds.some((one) => one === id);

function rule(id: (typeof ownIds)[number], match: BoundaryMatch): Boundary {
  return {
    id,
    severity: 'hard',
    match,
    exceptions: [],
    decision: 'deny',
    reason: say('own_files'),
    steer: say('steer_own_files'),
    scope: 'builtin',
  };
}

const anywhere = (path: string): string => `**/${literalPath(path.replace(/^\/+/, ''))}`;
