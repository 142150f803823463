import type { WorkerPool } from '../../../core/ports/platform';
import type { SearchEngine } from './engine';

export interface SearchEngineOptions {
  readonly worker: WorkerPool;
  /** The editor's application folder; undefined where there is no editor. */
  readonly appRoot?: string;
}

/**
 * Makes the search engine for this machine: the editor's ripgrep where its application folder is known and holds one,
 * else our own. Neither is loaded before the first search.
 */
export async function makeSearchEngine({ worker, appRoot }: SearchEngineOptions): Promise<SearchEngine> {
  const { findRipgrep } = await import('./findRipgrep');
  const binary = appRoot === undefined ? undefined : await findRipgrep(appRoot);
  if (binary === undefined) return new (await import('./builtIn')).BuiltInSearch(worker);
  const { RipgrepSearch } = await import('./ripgrep');
  return new RipgrepSearch({ binary });
}
