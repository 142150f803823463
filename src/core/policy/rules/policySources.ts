import type { Event } from '../../base/event';
import { type Problem, problem } from '../../base/problem';
import { say } from '../../base/sentence';
import type { Settings } from '../../settings/settings';
import type { Boundary } from '../../vocabulary/boundary';
import { BoundaryFiles, type PolicyFile } from './boundaryFile';
import { parseBoundaries } from './parse';
import { presetBoundaries } from './presets';

export type { PolicyFile } from './boundaryFile';

/** Policy files of the workspace's folders as they are kept in memory. */
export interface PolicyFileSource {
  read(): readonly PolicyFile[];
  readonly onDidChange: Event<void>;
  /**
   * Reads what changed since, and fires where something did; the gate waits for it before it judges a call. Left out
   * where files cannot change.
   */
  refresh?(): Promise<void>;
}

/**
 * Gathers the boundaries in force from every scope: preset, managed file, user settings, workspace settings and
 * `boundaries.json`. A file that cannot be read keeps what `previous` held of it (invariant: nothing lost) and is
 * reported.
 */
export function gatherBoundaries(
  settings: Settings,
  files: readonly PolicyFile[],
  previous: ReadonlyMap<string, readonly Boundary[]> = new Map(),
  reader = new BoundaryFiles(),
): {
  readonly boundaries: readonly Boundary[];
  readonly byFile: ReadonlyMap<string, readonly Boundary[]>;
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const boundaries: Boundary[] = [];
  boundaries.push(
    ...presetBoundaries(settings.get('policy.preset'), {
      allowedPrivateHosts: settings.get('network.allowedPrivateHosts'),
      adminApproval: settings.get('policy.adminApproval'),
    }),
  );
  for (const scope of ['managed', 'user', 'workspace'] as const) {
    const raw = settings.layers[scope]['policy.boundaries'];
    if (raw === undefined) continue;
    const parsed = parseBoundaries(raw, scope);
    boundaries.push(...parsed.value);
    problems.push(...parsed.problems);
  }
  const byFile = new Map<string, readonly Boundary[]>();
  for (const file of files) {
    const read = reader.read(file);
    const kept = read.isDamaged ? previous.get(file.path) : undefined;
    problems.push(
      ...(kept
        ? read.problems
            .filter(({ code }) => code === 'json_syntax' || code === 'unreadable_file')
            .map((one) =>
              problem({ ...one, said: say('rules_stay', one.said ?? say('as_it_is', one.message), file.path) }),
            )
        : read.problems),
    );
    const inForce = kept ?? read.boundaries;
    // What could only be read in part is no version to come back to.
    if (kept || !read.isDamaged) byFile.set(file.path, inForce);
    boundaries.push(...inForce);
  }
  return { boundaries, byFile, problems };
}
