import type { Event } from '../base/event';
import { readJsonDocument } from '../definitions/jsonDocument';
import type { Problem } from '../problem';
import type { Settings } from '../settings';
import type { Boundary } from './boundary';
import { parseBoundaries } from './parse';
import { presetBoundaries, presetNames, type PresetName } from './presets';

/** The text of a policy file of the workspace, or undefined where there is none. */
export interface PolicyFile {
  readonly path: string;
  readonly text: string;
}

/** Policy files of the workspace's folders as they are kept in memory. */
export interface PolicyFileSource {
  read(): readonly PolicyFile[];
  readonly onDidChange: Event<void>;
  /** Reads what changed since, and fires where something did; the gate waits for it before it judges a call. Left out where files cannot change. */
  refresh?(): Promise<void>;
}

/**
 * Gathers the boundaries in force from every scope: preset, managed file, user settings, workspace settings and `boundaries.json`.
 * A file that cannot be read keeps what `previous` held of it (invariant: nothing lost) and is reported.
 */
export function gatherBoundaries(
  settings: Settings,
  files: readonly PolicyFile[],
  previous: ReadonlyMap<string, readonly Boundary[]> = new Map(),
): {
  readonly boundaries: readonly Boundary[];
  readonly byFile: ReadonlyMap<string, readonly Boundary[]>;
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const boundaries: Boundary[] = [];
  const preset = settings.string('policy.preset');
  const admin = settings.string('policy.adminApproval');
  boundaries.push(
    ...presetBoundaries(isPreset(preset) ? preset : 'balanced', {
      allowedPrivateHosts: settings.strings('network.allowedPrivateHosts'),
      adminApproval: admin === 'critical' || admin === 'high' ? admin : 'never',
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
    const text = readJsonDocument(file.text, file.path);
    const isDamaged = text.problems.some((problem) => problem.severity === 'error');
    problems.push(
      ...text.problems.map((problem) =>
        problem.severity === 'error' && previous.has(file.path)
          ? { ...problem, message: `${problem.message}; the rules that \`${file.path}\` held before stay in force` }
          : problem,
      ),
    );
    const kept = isDamaged ? previous.get(file.path) : undefined;
    const parsed = kept ? { value: kept, problems: [] } : parseBoundaries(text.value, 'workspace');
    problems.push(...parsed.problems.map((problem) => text.place(problem)));
    byFile.set(file.path, parsed.value);
    boundaries.push(...parsed.value);
  }
  return { boundaries, byFile, problems };
}

function isPreset(value: string): value is PresetName {
  return presetNames.some((name) => name === value);
}
