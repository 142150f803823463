import path from 'node:path';
import type { WorkerPool } from '../../../core/ports/platform';
import { isExecutable } from '../../programs/searchPath';
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
  const binary = appRoot === undefined ? undefined : await findRipgrep(appRoot);
  if (binary === undefined) return new (await import('./builtIn')).BuiltInSearch(worker);
  const { RipgrepSearch } = await import('./ripgrep');
  return new RipgrepSearch({ binary });
}

/**
 * Where editors keep ripgrep below their application's folder; it moved between versions, and none of this is promised.
 */
function candidates(appRoot: string): readonly string[] {
  const { platform, arch } = process;
  const binary = platform === 'win32' ? 'rg.exe' : 'rg';
  const system = platform === 'win32' ? 'win32' : platform;
  const packages = [
    ['@vscode', 'ripgrep-universal', 'bin', `${system}-${arch}`],
    ['@vscode', 'ripgrep', 'bin'],
    ['@vscode', `ripgrep-${system}-${arch}`, 'bin'],
    ['vscode-ripgrep', 'bin'],
  ];
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((folder) =>
    packages.map((parts) => path.join(appRoot, folder, ...parts, binary)),
  );
}

/**
 * Finds the ripgrep that the editor ships. It is only looked for in the application's own folder, never by a setting or
 * on the search path: a workspace must not choose what is run. Undefined where there is none.
 */
export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  for (const candidate of candidates(appRoot)) if (await isExecutable(candidate)) return candidate;
  return undefined;
}
