import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { compileFilter } from '../../../core/globs';
import { compileLineMatcher, type LineMatcher } from '../../../core/lineMatcher';
import { comparePaths } from '../../../core/paths';
import type { SearchFile, SearchSummary } from '../../../core/ports/fileSearch';
import { openVerified } from '../handles';
import { walk } from '../walk';
import type { SearchEngine, SearchJob } from './engine';
import { searchText } from '../../../core/files/searchText';

/** Searches in this process: for small folders, and where no other engine is there. */
export class BuiltInSearch implements SearchEngine {
  async search(
    job: SearchJob,
    sink: (batch: readonly SearchFile[]) => Promise<boolean> | boolean,
    signal: AbortSignal,
  ): Promise<SearchSummary> {
    compileLineMatcher(job.query);
    return searchFiles(job, await allowedFiles(job, signal), sink, signal);
  }
}

/** Searches files that have been judged, in the order given. */
export async function searchFiles(
  job: SearchJob,
  files: readonly string[],
  sink: (batch: readonly SearchFile[]) => Promise<boolean> | boolean,
  signal: AbortSignal,
): Promise<SearchSummary> {
  const matcher = compileLineMatcher(job.query);
  const left = new Map<string, number>();
  for (const file of files) {
    if (signal.aborted) throw signal.reason;
    const found = await searchFile(job, file, matcher, left);
    if (found && !(await sink([found]))) break;
  }
  return { engine: 'built-in', leftOut: Object.fromEntries(left) };
}

async function allowedFiles(job: SearchJob, signal: AbortSignal): Promise<readonly string[]> {
  const files = await filesOf(job, signal);
  const allowed: string[] = [];
  for (let at = 0; at < files.length; at += 1000) {
    const batch = files.slice(at, at + 1000);
    const verdicts = await job.query.judge(batch);
    allowed.push(...batch.filter((_file, index) => verdicts[index]));
  }
  return allowed;
}

async function filesOf(job: SearchJob, signal: AbortSignal): Promise<readonly string[]> {
  const start = job.query.root.path;
  const facts = await lstat(path.join(job.folder, start));
  if (facts.isFile())
    return compileFilter(job.query.include, job.query.exclude, job)(start.slice(start.lastIndexOf('/') + 1)) ? [start] : [];
  const found: string[] = [];
  await walk(
    {
      folder: job.folder,
      start,
      query: { ...job.query, directories: false },
      excludes: job.excludes,
      caseInsensitive: job.caseInsensitive,
    },
    (batch) => {
      for (const entry of batch) if (entry.type === 'file') found.push(entry.path);
      return true;
    },
    signal,
  );
  return found.sort(comparePaths);
}

async function searchFile(job: SearchJob, file: string, matcher: LineMatcher, left: Map<string, number>): Promise<SearchFile | undefined> {
  const count = (reason: string): undefined => void left.set(reason, (left.get(reason) ?? 0) + 1);
  // A folder above may have become a link since the walk: the open file must be the one that was judged.
  const handle = await openVerified(path.join(job.folder, file), file, job.handles, {}).catch(() => undefined);
  if (!handle) return count('unreadable');
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return undefined;
    if (facts.size > job.query.maxFileSize) return count('too large');
    const bytes = await handle.readFile();
    const found = searchText(bytes, matcher, job.query);
    if (found === 'binary') return count('binary');
    return found && { path: file, ...found };
  } catch {
    return count('unreadable');
  } finally {
    await handle.close();
  }
}
