import type { SettingGlob } from '../../../core/files/globs';
import type { FolderMemory } from '../folderMemory';
import type { HandleMode } from '../handles';
import type { SearchFile, SearchQuery, SearchSummary } from '../../../core/ports/fileSearch';

export interface SearchJob {
  /** The machine's path of the workspace folder. */
  readonly folder: string;
  readonly query: SearchQuery;
  readonly excludes: readonly SettingGlob[];
  readonly caseInsensitive: boolean;
  readonly handles: HandleMode;
  /** Reads the folders of the walk. */
  readonly memory: FolderMemory;
}

/** Finds lines in files; each engine gives the same answers for the same job. */
export interface SearchEngine {
  search(
    job: SearchJob,
    sink: (batch: readonly SearchFile[]) => Promise<boolean> | boolean,
    signal: AbortSignal,
  ): Promise<SearchSummary>;
}
