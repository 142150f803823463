import type { SettingGlob } from '../../../core/files/globs';
import { walk, type WalkedFolders } from '../../../core/files/walk';
import type { StopSign } from '../../../core/base/stopSign';
import type { HandleMode } from '../handles';
import type { LeftOutCounts, SearchFile, SearchQuery, Sink } from '../../../core/ports/fileSearch';

export interface SearchJob {
  /** The machine's path of the workspace folder. */
  readonly folder: string;
  readonly query: SearchQuery;
  readonly excludes: readonly SettingGlob[];
  readonly caseInsensitive: boolean;
  readonly handles: HandleMode;
  readonly folders: WalkedFolders;
}

/** Finds lines in files; each engine gives the same answers for the same job. */
export interface SearchEngine {
  search(job: SearchJob, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts>;
}

/** Finds the files of a job below its root, in the order of `comparePaths`. */
export function walkFiles(
  job: SearchJob,
  take: (files: readonly string[]) => Promise<void>,
  stopped: StopSign,
): Promise<void> {
  const { query } = job;
  return walk(
    { ...job, start: query.root.path, query: { ...query, directories: false }, batchSize: 1000 },
    async (batch) => {
      const files: string[] = [];
      for (const entry of batch) if (entry.type === 'file') files.push(entry.path);
      await take(files);
      return true;
    },
    stopped,
  );
}
