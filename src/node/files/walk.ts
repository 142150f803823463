import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { compileFilter, type PathMatcher } from '../../core/globs';
import { below, type IgnoreChain, isIgnored, versionControl } from '../../core/files/ignoreChain';
import { IgnoreRules } from '../../core/ignore';
import { joinPath } from '../../core/paths';
import type { ListEntry, ListQuery } from '../../core/ports/fileSearch';
import { isTemporaryName } from './atomicWrite';

export interface WalkOptions {
  /** The machine's path of the workspace folder; entries are relative to it. */
  readonly folder: string;
  /** Where to start, relative to the folder. */
  readonly start: string;
  readonly query: Omit<ListQuery, 'root'>;
  readonly excludes: readonly string[];
  readonly caseInsensitive: boolean;
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

/** Walks a folder, never following a link, and hands over what the filter lets through in batches. */
export async function walk(
  options: WalkOptions,
  sink: (batch: readonly ListEntry[]) => Promise<boolean> | boolean,
  signal: AbortSignal,
): Promise<void> {
  const { query, folder } = options;
  const matches = compileFilter(query.include, query.exclude, options);
  const excluded: PathMatcher = options.excludes.length > 0 ? compileFilter(options.excludes, [], options) : () => false;
  const honour = !query.includeIgnored;
  let batch: ListEntry[] = [];
  const stack: { at: string; depth: number; chain: IgnoreChain | undefined }[] = [
    { at: options.start, depth: 1, chain: honour ? await chainAt(folder, options.start) : undefined },
  ];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (signal.aborted) throw signal.reason;
    const entries = await readdir(path.join(folder, next.at), { withFileTypes: true }).catch((error: unknown) => {
      if (next?.depth === 1) throw error;
      return [];
    });
    for (const entry of entries) {
      if (isTemporaryName(entry.name)) continue;
      const at = joinPath(next.at, entry.name);
      const directory = entry.isDirectory();
      const ignored = honour && (versionControl.has(entry.name) || isIgnored(next.chain, at, directory) || excluded(at));
      if (ignored && !(query.markIgnored && next.depth === 1)) continue;
      if ((directory ? query.directories : true) && matches(below(options.start, at))) {
        const type = directory ? 'directory' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'symlink' : 'other';
        batch.push(ignored ? { path: at, type, ignored } : { path: at, type });
      }
      if (directory && !ignored && (query.depth === undefined || next.depth < query.depth)) {
        stack.push({ at, depth: next.depth + 1, chain: honour ? await extendChain(folder, at, next.chain) : undefined });
      }
    }
    if (batch.length >= 500) {
      const full = batch;
      batch = [];
      if (!(await sink(full))) return;
    }
  }
  if (batch.length > 0) await sink(batch);
}
