import type { Disposable } from '../../../core/base/lifecycle';
import type { WorkerPool } from '../../../core/ports/platform';
import type { SearchEngine } from './engine';

export interface SearchParts {
  readonly worker: WorkerPool;
  /** The editor's application folder; undefined where there is no editor. */
  readonly appRoot?: string;
  /** The machine's path of the bundle of `src/spawnHelper.ts`; without it ripgrep is started from this process. */
  readonly helperScript?: string;
  /** Takes what has to be disposed in the end. */
  readonly own?: (one: Disposable) => void;
}

/**
 * Makes the search engine for this machine: the editor's ripgrep where its application folder is known and holds one,
 * else our own. Neither is loaded before the first search.
 */
export async function makeSearchEngine({ worker, appRoot, helperScript, own }: SearchParts): Promise<SearchEngine> {
  const { findRipgrep } = await import('./findRipgrep');
  const binary = appRoot === undefined ? undefined : await findRipgrep(appRoot);
  if (binary === undefined) return new (await import('./builtIn')).BuiltInSearch(worker);
  const { RipgrepSearch } = await import('./ripgrep');
  if (helperScript === undefined) return new RipgrepSearch({ binary });
  const { HelperStarter } = await import('./helperStarter');
  const starter = new HelperStarter({ script: helperScript });
  own?.(starter);
  return new RipgrepSearch({ binary, starter });
}
