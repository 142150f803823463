import type { Event } from '../../base/event';
import { type Problem, problem } from '../../base/problem';
import { say } from '../../base/sentence';
import type { Settings } from '../../settings/settings';
import { writtenText } from '../../settings/settingValues';
import type { Boundary, BoundaryScope } from '../../vocabulary/boundary';
import { BoundaryFiles, type PolicyFile } from './boundaryFile';
import { parseBoundaries, unreadableBoundary } from './parse';
import { presetBoundaries, presetOptions } from './presets';

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

/** The settings from which boundaries come. */
export const boundarySettings = [
  'policy.preset',
  'policy.adminApproval',
  'policy.boundaries',
  'policy.bundles',
  'network.allowedPrivateHosts',
] as const;

/** The boundaries that a scope or a preset brought, and the text that they were read from. */
interface Read {
  readonly text: string;
  readonly boundaries: readonly Boundary[];
  readonly problems: readonly Problem[];
}

/**
 * Gathers the boundaries in force from every scope: the program's own places, preset, managed file, user settings,
 * workspace settings and `boundaries.json`. A file that cannot be read keeps what it held before (invariant: nothing
 * lost) and is reported. What says the same as the last time is the same objects, so that it is not compiled again.
 */
export class BoundarySources {
  readonly #files: BoundaryFiles;
  readonly #read = new Map<string, Read>();
  #byFile: ReadonlyMap<string, readonly Boundary[]> = new Map();

  constructor(files = new BoundaryFiles()) {
    this.#files = files;
  }

  /** @param own the boundaries of the program's own places. */
  gather(
    settings: Settings,
    files: readonly PolicyFile[],
    own: readonly Boundary[] = [],
  ): { readonly boundaries: readonly Boundary[]; readonly problems: readonly Problem[] } {
    const problems: Problem[] = [];
    const boundaries: Boundary[] = [];
    const take = (from: Omit<Read, 'text'>): void => {
      boundaries.push(...from.boundaries);
      problems.push(...from.problems);
    };
    take(this.#once('own', own, () => ({ boundaries: own, problems: [] })));
    const preset = settings.get('policy.preset');
    const options = presetOptions(settings);
    const ofPreset = (): Omit<Read, 'text'> => ({ boundaries: presetBoundaries(preset, options), problems: [] });
    take(this.#once('preset', [preset, options], ofPreset));
    for (const scope of ['managed', 'user', 'workspace'] as const) {
      const raw = settings.layers[scope]['policy.boundaries'];
      if (raw === undefined) continue;
      take(this.#once(scope, raw, () => parsed(raw, scope)));
    }
    for (const { name, settings: said, managedRules, fault } of settings.layers.bundles)
      take(
        this.#once(`bundle ${name}`, [said['policy.boundaries'], managedRules, fault], () => {
          if (managedRules !== undefined) return parsed(managedRules, 'managed');
          if (fault) return { boundaries: [unreadableBoundary('bundle', `bundle ${name}`, fault)], problems: [] };
          return parsed(said['policy.boundaries'], 'bundle');
        }),
      );
    const byFile = new Map<string, readonly Boundary[]>();
    for (const file of files) {
      const read = this.#files.read(file);
      const kept = read.isDamaged ? this.#byFile.get(file.path) : undefined;
      const inForce = kept ?? read.boundaries;
      take({ boundaries: inForce, problems: kept ? stillInForce(file.path, read.problems) : read.problems });
      // What could only be read in part is no version to come back to.
      if (kept || !read.isDamaged) byFile.set(file.path, inForce);
    }
    this.#byFile = byFile;
    return { boundaries, problems };
  }

  #once(place: string, from: unknown, read: () => Omit<Read, 'text'>): Read {
    const text = writtenText(from);
    const known = this.#read.get(place);
    if (known?.text === text) return known;
    const now = { text, ...read() };
    this.#read.set(place, now);
    return now;
  }
}

function parsed(raw: unknown, scope: BoundaryScope): Omit<Read, 'text'> {
  const { value, problems } = parseBoundaries(raw, scope);
  return { boundaries: value, problems };
}

/** The problems of a file that cannot be read as a whole while what it held before counts. */
function stillInForce(path: string, problems: readonly Problem[]): readonly Problem[] {
  return problems
    .filter(({ code }) => code === 'json_syntax' || code === 'unreadable_file')
    .map((one) => problem({ ...one, said: say('rules_stay', one.said ?? say('as_it_is', one.message), path) }));
}
