import type { WorkerPool } from '../../../core/ports';
import type { SearchEngine } from './engine';

/**
 * Makes the search engine for this machine: the editor's ripgrep where its application folder is known and holds one, else our own.
 * Neither is loaded before the first search.
 */
export async function makeSearchEngine(worker: WorkerPool, appRoot?: string): Promise<SearchEngine> {
  const { findRipgrep } = await import('./findRipgrep');
  const binary = appRoot === undefined ? undefined : await findRipgrep(appRoot);
  if (binary !== undefined) return new (await import('./ripgrep')).RipgrepSearch({ binary });
  return new (await import('./builtIn')).BuiltInSearch(worker);
}
