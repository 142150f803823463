import type { StopSign } from '../base/stopSign';
import type { LeftOutCounts, ListEntry, ListQuery, SearchFile, SearchQuery, Sink } from '../ports/fileSearch';
import type { WorkspaceFolder } from '../ports/workspacePath';
import type { SettingGlob } from './globs';
import { IgnoreRules } from './ignore';
import { LeftOut } from './leftOut';
import { joinPath } from './paths';
import type { RawFiles } from './rawFiles';
import { searchText } from './searchText';
import { walk, type WalkedFolders } from './walk';

const mostIgnoreBytes = 1_000_000;

/** Lists what only the editor reaches, by the rules of `FileSystem.list`; `excludes` is what the editor leaves out. */
export function listVirtual(
  raw: RawFiles,
  excludes: readonly SettingGlob[],
  query: ListQuery,
  sink: Sink<ListEntry>,
  stopped: StopSign,
): Promise<void> {
  const folders = foldersOf(raw, query.root.folder);
  // Such folders may be slow, so that what is found is told early.
  return walk({ start: query.root.path, query, excludes, folders, batchSize: 50 }, sink, stopped);
}

/** Searches what only the editor reaches, by the rules of `FileSystem.search`. */
export async function searchVirtual(
  raw: RawFiles,
  excludes: readonly SettingGlob[],
  query: SearchQuery,
  sink: Sink<SearchFile>,
  signal: AbortSignal,
): Promise<LeftOutCounts> {
  // The engine for expressions is large, and needed here only.
  const { compileLineMatcher } = await import('./lineMatcher');
  const matcher = compileLineMatcher(query);
  const left = new LeftOut();
  const { folder } = query.root;
  const paths: string[] = [];
  const take = (batch: readonly ListEntry[]): boolean => {
    for (const entry of batch) if (entry.type === 'file') paths.push(entry.path);
    return true;
  };
  if ((await raw.stat(query.root)).type === 'file') paths.push(query.root.path);
  else await listVirtual(raw, excludes, { ...query, directories: false }, take, signal);
  const verdicts = await query.judge(paths);
  for (const path of paths.filter((_path, index) => verdicts[index])) {
    if (signal.aborted) throw signal.reason;
    const bytes = await raw.readFile({ folder, path }).catch(() => undefined);
    const found = bytes === undefined ? 'unreadable' : searchText(bytes, matcher, query);
    if (typeof found === 'string') left.add(found);
    else if (found && !(await sink([{ path, ...found }]))) break;
  }
  return left.counts;
}

function foldersOf(raw: RawFiles, folder: WorkspaceFolder): WalkedFolders {
  return {
    async list(at) {
      const found = await raw.readDirectory({ folder, path: at });
      const entries = found.map(({ name, type }) => ({ name, path: joinPath(at, name), type }));
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      return { entries, hasIgnoreFile: entries.some(({ name }) => name === '.gitignore') };
    },
    async ignoreRules(at) {
      const bytes = await raw.readFile({ folder, path: joinPath(at, '.gitignore') }).catch(() => undefined);
      if (!bytes || bytes.length > mostIgnoreBytes) return undefined;
      const rules = new IgnoreRules(new TextDecoder().decode(bytes));
      return rules.isEmpty ? undefined : rules;
    },
    repositoryRules: () => undefined,
  };
}
