import { constants, type Dirent, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { compileFilter, type PathMatcher } from '../../core/globs';
import { below, type IgnoreChain, isIgnored, versionControl } from '../../core/files/ignoreChain';
import { IgnoreRules } from '../../core/ignore';
import { joinPath } from '../../core/paths';
import type { FileFilter, ListEntry, ListQuery } from '../../core/ports/fileSearch';
import { isTemporaryName } from './atomicWrite';

export interface WalkOptions {
  /** The machine's path of the workspace folder; entries are relative to it. */
  readonly folder: string;
  /** Where to start, relative to the folder. */
  readonly start: string;
  readonly query: FileFilter & Pick<ListQuery, 'depth' | 'markIgnored'> & { readonly directories?: boolean };
  readonly excludes: readonly string[];
  readonly caseInsensitive: boolean;
  /** Entries that are handed over at once. Default 500. */
  readonly batchSize?: number;
}

const maximalIgnoreFile = 1_000_000;

/** Reads a folder's `.gitignore`, which is not followed where it is a link; one that is too large counts as absent. */
export async function extendChain(folder: string, relative: string, above: IgnoreChain | undefined): Promise<IgnoreChain | undefined> {
  const handle = await open(
    path.join(folder, relative, '.gitignore'),
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  ).catch(() => undefined);
  if (!handle) return above;
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size > maximalIgnoreFile) return above;
    const rules = new IgnoreRules(await handle.readFile('utf8'));
    return rules.isEmpty ? above : { base: relative, rules, above };
  } catch {
    return above;
  } finally {
    await handle.close();
  }
}

/** The chain for the folder where a walk starts: the rules of the workspace folder and of every folder between. */
export async function chainAt(folder: string, start: string): Promise<IgnoreChain | undefined> {
  let chain = await extendChain(folder, '', undefined);
  let at = '';
  for (const name of start === '' ? [] : start.split('/')) {
    at = joinPath(at, name);
    chain = await extendChain(folder, at, chain);
  }
  return chain;
}

/** Tells for single files whether a walk with the same options would meet them; what it learns of a folder it keeps. */
export class WalkFilter {
  readonly #options: WalkOptions;
  readonly #matches: PathMatcher;
  readonly #excluded: PathMatcher | undefined;
  /** The rules in each folder that was asked about, undefined for a folder that the walk does not enter. */
  readonly #folders = new Map<string, Promise<{ readonly chain: IgnoreChain | undefined } | undefined>>();

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#matches = compileFilter(options.query.include, options.query.exclude, options);
    this.#excluded = options.excludes.length > 0 ? compileFilter(options.excludes, [], options) : undefined;
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
    const { folder, start, query } = this.#options;
    if (at === start) return { chain: query.includeIgnored ? undefined : await chainAt(folder, start) };
    if (at === '') return undefined;
    const slash = at.lastIndexOf('/');
    const above = await this.#folder(slash < 0 ? '' : at.slice(0, slash));
    if (above === undefined || this.#passesOver(at, true, above.chain)) return undefined;
    return query.includeIgnored ? above : { chain: await extendChain(folder, at, above.chain) };
  }

  #passesOver(at: string, directory: boolean, chain: IgnoreChain | undefined): boolean {
    if (this.#options.query.includeIgnored) return false;
    return versionControl.has(at.slice(at.lastIndexOf('/') + 1)) || isIgnored(chain, at, directory) || (this.#excluded?.(at) ?? false);
  }
}

/** Walks a folder, never following a link, and hands over what the filter lets through in batches. */
export async function walk(
  options: WalkOptions,
  sink: (batch: readonly ListEntry[]) => Promise<boolean> | boolean,
  signal: AbortSignal,
): Promise<void> {
  const { query, folder } = options;
  const everything = query.include.length === 0 && query.exclude.length === 0;
  const matches = compileFilter(query.include, query.exclude, options);
  const excluded: PathMatcher | undefined = options.excludes.length > 0 ? compileFilter(options.excludes, [], options) : undefined;
  const honour = !query.includeIgnored;
  const size = options.batchSize ?? 500;
  let batch: ListEntry[] = [];
  let slice = performance.now();
  const parent = options.start.includes('/') ? options.start.slice(0, options.start.lastIndexOf('/')) : '';
  const outer = honour && options.start !== '' ? await chainAt(folder, parent) : undefined;
  const stack: { at: string; depth: number; chain: IgnoreChain | undefined }[] = [{ at: options.start, depth: 1, chain: outer }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (signal.aborted) throw signal.reason;
    // Reading folders one by one without waiting is three times as fast; the thread is given back every few milliseconds.
    if (performance.now() - slice > 8) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      slice = performance.now();
    }
    const entries = namesIn(next.at === '' ? folder : `${folder}/${next.at}`, next.depth === 1);
    const rules = honour && entries.some((entry) => entry.name === '.gitignore');
    const chain = rules ? await extendChain(folder, next.at, next.chain) : next.chain;
    for (const entry of entries) {
      const { name } = entry;
      const at = next.at === '' ? name : `${next.at}/${name}`;
      const directory = entry.isDirectory();
      const ignored = honour && (versionControl.has(name) || isIgnored(chain, at, directory) || (excluded?.(at) ?? false));
      if (ignored && !(query.markIgnored && next.depth === 1)) continue;
      if ((!directory || query.directories) && !isTemporaryName(name) && (everything || matches(below(options.start, at)))) {
        const type = directory ? 'directory' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'symlink' : 'other';
        batch.push(ignored ? { path: at, type, ignored } : { path: at, type });
      }
      if (directory && !ignored && (query.depth === undefined || next.depth < query.depth))
        stack.push({ at, depth: next.depth + 1, chain });
    }
    if (batch.length >= size) {
      const full = batch;
      batch = [];
      if (!(await sink(full))) return;
    }
  }
  if (batch.length > 0) await sink(batch);
}

/** What is in a folder; one that cannot be read counts as empty, unless it is where the walk starts. */
function namesIn(absolute: string, start: boolean): Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true });
  } catch (error) {
    if (start) throw error;
    return [];
  }
}
