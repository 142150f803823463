import { parse, type ParseError } from 'jsonc-parser';
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
    const errors: ParseError[] = [];
    const raw: unknown = parse(file.text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
    const first = errors[0];
    if (first) {
      const before = file.text.slice(0, first.offset).split('\n');
      problems.push({
        severity: 'error',
        code: 'invalid_json',
        message: `\`${file.path}\` is not valid JSON; the rules that it held before stay in force`,
        file: file.path,
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
      });
    }
    const kept = first ? previous.get(file.path) : undefined;
    const parsed = kept ? { value: kept, problems: [] } : parseBoundaries(raw, 'workspace');
    problems.push(...parsed.problems.map((problem) => ({ ...problem, file: file.path })));
    byFile.set(file.path, parsed.value);
    boundaries.push(...parsed.value);
  }
  return { boundaries, byFile, problems };
}

function isPreset(value: string): value is PresetName {
  return presetNames.some((name) => name === value);
}
