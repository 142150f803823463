import type { StopSign } from '../../core/base/stopSign';
import {
  compileExclude,
  compileFilter,
  compileSettingGlobs,
  type PathMatcher,
  type SettingGlob,
  type SettingMatcher,
} from '../../core/files/globs';
import { below, type IgnoreChain, isIgnored, versionControl } from '../../core/files/ignoreChain';
import { joinPath } from '../../core/files/paths';
import type { FileFilter, ListEntry, ListQuery } from '../../core/ports/fileSearch';
import { isTemporaryName } from './temporaryNames';
import type { FolderEntry, FolderListing, FolderMemory } from './folderMemory';
import { TimeSlices } from './timeSlices';

interface WalkOptions {
  /** The machine's path of the workspace folder; entries are relative to it. */
  readonly folder: string;
  /** Where to start, relative to the folder. */
  readonly start: string;
  readonly query: FileFilter & Pick<ListQuery, 'depth' | 'markIgnored'> & { readonly directories?: boolean };
  readonly excludes: readonly SettingGlob[];
  readonly caseInsensitive: boolean;
  /** Reads the folders. */
  readonly memory: FolderMemory;
  /** Entries that are handed over at once. Default 500. */
  readonly batchSize?: number;
}

/** Adds the rules of a folder's own `.gitignore`, where it has one. */
function extendChain(options: WalkOptions, relative: string, above: IgnoreChain | undefined): IgnoreChain | undefined {
  const rules = options.memory.ignoreRules(options.folder, relative);
  return rules ? { base: relative, rules, above } : above;
}

/** What holds everywhere in a repository, the weakest of its rules. */
function repositoryChain(options: WalkOptions): IgnoreChain | undefined {
  const rules = options.memory.repositoryRules(options.folder);
  return rules && { base: '', rules, above: undefined };
}

/**
 * The chain for the folder where a walk starts: the rules of the repository, of the workspace folder and of every
 * folder between.
 */
function chainAt(options: WalkOptions, start: string): IgnoreChain | undefined {
  let chain = extendChain(options, '', repositoryChain(options));
  let at = '';
  for (const name of start === '' ? [] : start.split('/')) {
    at = joinPath(at, name);
    chain = extendChain(options, at, chain);
  }
  return chain;
}

/** What holds in the folder where a walk starts before that folder's own rules. */
function chainAbove(options: WalkOptions): IgnoreChain | undefined {
  const { start } = options;
  if (start === '') return repositoryChain(options);
  return chainAt(options, start.slice(0, Math.max(0, start.lastIndexOf('/'))));
}

/** Tells for single files whether a walk with the same options would meet them; what it learns of a folder it keeps. */
export class WalkFilter {
  readonly #options: WalkOptions;
  readonly #matches: PathMatcher;
  readonly #excluded: SettingMatcher | undefined;
  /** The rules in each folder that was asked about, undefined for a folder that the walk does not enter. */
  readonly #folders = new Map<string, Promise<{ readonly chain: IgnoreChain | undefined } | undefined>>();

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#matches = compileFilter(options.query.include, options.query.exclude, options);
    this.#excluded = compileSettingGlobs(options.excludes, options);
  }

  /** `file` is relative to the workspace folder and below the start. */
  async meets(file: string): Promise<boolean> {
    const slash = file.lastIndexOf('/');
    if (isTemporaryName(file.slice(slash + 1)) || !this.#matches(below(this.#options.start, file))) return false;
    const inside = await this.#folder(slash < 0 ? '' : file.slice(0, slash));
    return inside !== undefined && !this.#passesOver(file, false, inside.chain);
  }

  #folder(at: string): Promise<{ readonly chain: IgnoreChain | undefined } | undefined> {
    let known = this.#folders.get(at);
    if (!known) {
      known = this.#enter(at);
      this.#folders.set(at, known);
    }
    return known;
  }

  async #enter(at: string): Promise<{ readonly chain: IgnoreChain | undefined } | undefined> {
    const { start, query } = this.#options;
    if (at === start) return { chain: query.includeIgnored ? undefined : chainAt(this.#options, start) };
    if (at === '') return undefined;
    const slash = at.lastIndexOf('/');
    const above = await this.#folder(slash < 0 ? '' : at.slice(0, slash));
    if (above === undefined || this.#passesOver(at, true, above.chain)) return undefined;
    return query.includeIgnored ? above : { chain: extendChain(this.#options, at, above.chain) };
  }

  #isBeside(at: string, name: string): boolean {
    const { folder, memory } = this.#options;
    return has(listed(memory, folder, at.slice(0, Math.max(0, at.lastIndexOf('/'))), false).entries, name);
  }

  #passesOver(at: string, directory: boolean, chain: IgnoreChain | undefined): boolean {
    if (this.#options.query.includeIgnored) return false;
    return (
      versionControl.has(at.slice(at.lastIndexOf('/') + 1)) ||
      isIgnored(chain, at, directory) ||
      (this.#excluded?.(at, (name) => this.#isBeside(at, name)) ?? false)
    );
  }
}

/**
 * Walks a folder, never following a link, and hands over what the filter lets through in batches, in the order of
 * `comparePaths`. The thread is given back every few milliseconds: reading folders one by one without waiting is three
 * times as fast.
 */
export async function walk(
  options: WalkOptions,
  sink: (batch: readonly ListEntry[]) => Promise<boolean> | boolean,
  stopped: StopSign,
): Promise<void> {
  const { query, folder, memory } = options;
  const everything = query.include.length === 0;
  const matches = compileFilter(query.include, [], options);
  const unwanted = query.exclude.length > 0 ? compileExclude(query.exclude, options) : undefined;
  const excluded = compileSettingGlobs(options.excludes, options);
  const honour = !query.includeIgnored;
  const size = options.batchSize ?? 500;
  let batch: ListEntry[] = [];
  const slices = new TimeSlices();
  memory.use();
  const pause = async (): Promise<void> => {
    if (stopped.aborted) throw stopped.reason;
    if (slices.isOver) await slices.next(stopped);
  };
  const stack: Frame[] = [];
  const enter = (at: string, above: IgnoreChain | undefined): void => {
    const { entries, hasIgnoreFile } = listed(memory, folder, at, stack.length === 0);
    const chain = honour && hasIgnoreFile ? extendChain(options, at, above) : above;
    if (entries.length > 0) stack.push({ entries, next: 0, chain });
  };
  enter(options.start, honour ? chainAbove(options) : undefined);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const { entries } = frame;
    const entry = entries[frame.next++];
    if (!entry) {
      stack.pop();
      continue;
    }
    const { name, path: at, type } = entry;
    const directory = type === 'directory';
    const depth = stack.length;
    const ignored =
      honour &&
      (versionControl.has(name) ||
        (frame.chain && isIgnored(frame.chain, at, directory)) ||
        (excluded?.(at, (other) => has(entries, other)) ?? false));
    if (ignored && !(query.markIgnored && depth === 1)) continue;
    if (unwanted?.(below(options.start, at))) continue;
    if ((!directory || query.directories) && (everything || matches(below(options.start, at)))) {
      batch.push(ignored ? { path: at, type, ignored } : entry);
      if (batch.length >= size) {
        const full = batch;
        batch = [];
        if (!(await sink(full))) return;
        await pause();
      }
    }
    if (!directory || ignored || (query.depth !== undefined && depth >= query.depth)) continue;
    await pause();
    enter(at, frame.chain);
  }
  if (stopped.aborted) throw stopped.reason;
  if (batch.length > 0) await sink(batch);
}

function has(entries: readonly FolderEntry[], name: string): boolean {
  return entries.some((one) => one.name === name);
}

/** A folder that the walk is in. */
interface Frame {
  readonly entries: readonly FolderEntry[];
  next: number;
  readonly chain: IgnoreChain | undefined;
}

/** What is in a folder; one that cannot be read counts as empty, unless it is where the walk starts. */
function listed(memory: FolderMemory, folder: string, at: string, isStart: boolean): FolderListing {
  try {
    return memory.list(folder, at);
  } catch (error) {
    if (isStart) throw error;
    return { entries: [], hasIgnoreFile: false };
  }
}
