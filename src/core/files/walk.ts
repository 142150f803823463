import type { StopSign } from '../base/stopSign';
import type { FileFilter, ListEntry, ListQuery, Sink } from '../ports/fileSearch';
import type { FileType } from '../ports/workspacePath';
import {
  compileExclude,
  compileFilter,
  compileSettingGlobs,
  type PathMatcher,
  type SettingGlob,
  type SettingMatcher,
} from './globs';
import type { IgnoreRules } from './ignore';
import { folderOf, joinPath } from './paths';

/** An answer that is there already, or a promise of one; `await` takes both. */
type Soon<T> = T | Promise<T>;

export interface FolderEntry {
  readonly name: string;
  /** Relative to the workspace folder. */
  readonly path: string;
  readonly type: FileType;
}

/** What is in a folder, in the order of names. */
export interface FolderListing {
  readonly entries: readonly FolderEntry[];
  readonly hasIgnoreFile: boolean;
}

/** Reads what a walk meets; folders are named relative to the workspace folder. */
export interface WalkedFolders {
  /** Throws what the file system throws. */
  list(at: string): Soon<FolderListing>;
  /** The rules of the folder's own `.gitignore`; undefined where it has none that counts. */
  ignoreRules(at: string): Soon<IgnoreRules | undefined>;
  /** The rules that a repository keeps for itself, the weakest of its rules; undefined where it has none. */
  repositoryRules(): Soon<IgnoreRules | undefined>;
  /** Gives the thread back where the walk has held it for long; throws where it is to stop. */
  pause?(stopped: StopSign): Promise<void> | undefined;
}

interface WalkOptions {
  /** Where to start, relative to the workspace folder. */
  readonly start: string;
  readonly query: FileFilter & Pick<ListQuery, 'depth' | 'markIgnored'> & { readonly directories?: boolean };
  /** What the editor leaves out. */
  readonly excludes: readonly SettingGlob[];
  readonly caseInsensitive?: boolean;
  readonly folders: WalkedFolders;
  /** Entries that are handed over at once. Default 500. */
  readonly batchSize?: number;
}

/** The rules that hold in a folder: its own `.gitignore` and those above, the nearest first. */
interface IgnoreChain {
  readonly base: string;
  readonly rules: IgnoreRules;
  readonly above: IgnoreChain | undefined;
}

/** Folders that no walk enters unless ignored files are wanted. */
const versionControl: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'CVS']);

/** Judges one path by the chain, the nearest rules first, as git does. */
function isIgnored(chain: IgnoreChain | undefined, path: string, isDirectory: boolean): boolean {
  for (let at = chain; at; at = at.above) {
    const verdict = at.rules.judge(below(at.base, path), isDirectory);
    if (verdict) return verdict === 'ignored';
  }
  return false;
}

/** A path relative to a folder above it, which is what globs and rules are about. */
function below(start: string, path: string): string {
  return start === '' ? path : path.slice(start.length + 1);
}

/** Adds the rules of a folder's own `.gitignore`, where it has one. */
async function extended(
  folders: WalkedFolders,
  base: string,
  above: IgnoreChain | undefined,
): Promise<IgnoreChain | undefined> {
  const rules = await folders.ignoreRules(base);
  return rules ? { base, rules, above } : above;
}

/** What holds in a folder: the rules of the repository, of the workspace folder and of every folder between. */
async function chainAt(folders: WalkedFolders, folder: string): Promise<IgnoreChain | undefined> {
  let chain = await extended(folders, '', await repositoryChain(folders));
  let at = '';
  for (const name of folder === '' ? [] : folder.split('/')) {
    at = joinPath(at, name);
    chain = await extended(folders, at, chain);
  }
  return chain;
}

async function repositoryChain(folders: WalkedFolders): Promise<IgnoreChain | undefined> {
  const rules = await folders.repositoryRules();
  return rules && { base: '', rules, above: undefined };
}

/** Tells for single files whether a walk with the same options would meet them; what it learns of a folder it keeps. */
export class WalkFilter {
  readonly #options: WalkOptions;
  readonly #matches: PathMatcher;
  readonly #excluded: SettingMatcher | undefined;
  /** True where what is left out depends on what stands beside it. */
  readonly #asksBeside: boolean;
  /** The rules in each folder that was asked about, undefined for a folder that the walk does not enter. */
  readonly #folders = new Map<string, Promise<{ readonly chain: IgnoreChain | undefined } | undefined>>();

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#matches = compileFilter(options.query.include, options.query.exclude, options);
    this.#excluded = compileSettingGlobs(options.excludes, options);
    this.#asksBeside = options.excludes.some((one) => typeof one !== 'string');
  }

  /** `file` is relative to the workspace folder and below the start. */
  async meets(file: string): Promise<boolean> {
    if (!this.#matches(below(this.#options.start, file))) return false;
    const inside = await this.#folder(folderOf(file));
    return inside !== undefined && !(await this.#passesOver(file, false, inside.chain));
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
    const { start, query, folders } = this.#options;
    if (at === start) return { chain: query.includeIgnored ? undefined : await chainAt(folders, start) };
    if (at === '') return undefined;
    const above = await this.#folder(folderOf(at));
    if (above === undefined || (await this.#passesOver(at, true, above.chain))) return undefined;
    return query.includeIgnored ? above : { chain: await extended(folders, at, above.chain) };
  }

  async #passesOver(at: string, directory: boolean, chain: IgnoreChain | undefined): Promise<boolean> {
    const { query, folders } = this.#options;
    if (query.includeIgnored) return false;
    if (versionControl.has(at.slice(at.lastIndexOf('/') + 1)) || isIgnored(chain, at, directory)) return true;
    if (!this.#excluded) return false;
    const beside = this.#asksBeside ? (await listed(folders, folderOf(at), false)).entries : [];
    return this.#excluded(at, (name) => has(beside, name));
  }
}

/**
 * Walks a folder, never following a link, and hands over what the filter lets through in batches, in the order of
 * `comparePaths`.
 */
export async function walk(options: WalkOptions, sink: Sink<ListEntry>, stopped: StopSign): Promise<void> {
  const { query, folders, start } = options;
  const everything = query.include.length === 0;
  const matches = compileFilter(query.include, [], options);
  const unwanted = query.exclude.length > 0 ? compileExclude(query.exclude, options) : undefined;
  const excluded = compileSettingGlobs(options.excludes, options);
  const honour = !query.includeIgnored;
  const size = options.batchSize ?? 500;
  let batch: ListEntry[] = [];
  const pause = async (): Promise<void> => {
    if (stopped.aborted) throw stopped.reason;
    await folders.pause?.(stopped);
  };
  /** False where nobody wants more. */
  const handOver = async (): Promise<boolean> => {
    const full = batch;
    batch = [];
    if (!(await sink(full))) return false;
    await pause();
    return true;
  };
  const isLeftOut = ({ entries, chain }: Frame, { name, path: at, type }: FolderEntry): boolean =>
    versionControl.has(name) ||
    isIgnored(chain, at, type === 'directory') ||
    (excluded?.(at, (other) => has(entries, other)) ?? false);
  const isAskedFor = ({ path: at, type }: FolderEntry): boolean =>
    (type !== 'directory' || query.directories === true) && (everything || matches(below(start, at)));
  const stack: Frame[] = [];
  const enter = async (at: string, above: IgnoreChain | undefined): Promise<void> => {
    const { entries, hasIgnoreFile } = await listed(folders, at, stack.length === 0);
    const chain = honour && hasIgnoreFile ? await extended(folders, at, above) : above;
    if (entries.length > 0) stack.push({ entries, next: 0, chain });
  };
  if (!honour) await enter(start, undefined);
  else await enter(start, await (start === '' ? repositoryChain(folders) : chainAt(folders, folderOf(start))));
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const entry = frame.entries[frame.next++];
    if (!entry) {
      stack.pop();
      continue;
    }
    const { path: at, type } = entry;
    const depth = stack.length;
    const ignored = honour && isLeftOut(frame, entry);
    if (ignored && !(query.markIgnored && depth === 1)) continue;
    if (unwanted?.(below(start, at))) continue;
    if (isAskedFor(entry)) {
      batch.push(ignored ? { path: at, type, ignored } : entry);
      if (batch.length >= size && !(await handOver())) return;
    }
    if (type !== 'directory' || ignored || (query.depth !== undefined && depth >= query.depth)) continue;
    await pause();
    await enter(at, frame.chain);
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
async function listed(folders: WalkedFolders, at: string, isStart: boolean): Promise<FolderListing> {
  try {
    return await folders.list(at);
  } catch (error) {
    if (isStart) throw error;
    return { entries: [], hasIgnoreFile: false };
  }
}
