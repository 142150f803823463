import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../../../core/base/json';
import { compileFilter } from '../../../core/files/globs';
import { compileExpression } from '../../../core/files/lineMatcher';
import { comparePaths } from '../../../core/files/paths';
import type { WorkerPool } from '../../../core/ports/platform';
import { LeftOut } from '../../../core/files/leftOut';
import type { LeftOutCounts, SearchFile, Sink } from '../../../core/ports/fileSearch';
import { type SearchEngine, type SearchJob, walkFiles } from './engine';
import { FileQueue } from './fileQueue';
import { TimeSlices } from '../timeSlices';
import { type BatchResult, fileSearcher, type LeftOutFile, type SearchBatch } from './searchBatch';

/** From so many files on, worker threads search. */
const worthThreads = 2000;
const filesPerTask = 1500;
const taskTimeoutMs = 120_000;

/** Our own engine: for small folders in this thread, for large ones in worker threads where there are some. */
export class BuiltInSearch implements SearchEngine {
  readonly #worker: WorkerPool | undefined;

  constructor(worker?: WorkerPool) {
    this.#worker = worker;
  }

  async search(job: SearchJob, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts> {
    compileExpression(job.query);
    const files = new FileQueue();
    const stop = new AbortController();
    try {
      if (signal.aborted) throw signal.reason;
      const listing = collect(job, files, AbortSignal.any([signal, stop.signal]));
      const worker = this.#worker && (await files.reach(worthThreads)) >= worthThreads ? this.#worker : undefined;
      const summary = await searchParts(
        job,
        worker ? inThreads(job, files, worker, signal) : inThisThread(job, files, signal),
        sink,
      );
      // Also where there is enough before the end: every file is judged and counted.
      await listing;
      return summary;
    } finally {
      stop.abort();
    }
  }
}

/** Searches files that have been judged in this thread, and hands them over in the order given. */
export async function searchFiles(
  job: SearchJob,
  allowed: readonly string[],
  sink: Sink<SearchFile>,
  signal: AbortSignal,
): Promise<LeftOutCounts> {
  const files = new FileQueue();
  files.add(allowed);
  files.close();
  return searchParts(job, inThisThread(job, files, signal), sink);
}

async function searchParts(job: SearchJob, parts: AsyncIterable<Part>, sink: Sink<SearchFile>): Promise<LeftOutCounts> {
  const left: LeftOutFile[] = [];
  let searched = 0;
  let last: string | undefined;
  search: for await (const { found, leftOut, count } of parts) {
    left.push(...leftOut);
    searched += count;
    job.query.onProgress?.(searched);
    for (const file of found) {
      if (await sink([file])) continue;
      last = file.path;
      break search;
    }
  }
  return countReasons(left, last);
}

/**
 * Counts what was left out, up to the file with which a search ended early, so that it does not depend on how far
 * threads were ahead.
 */
export function countReasons(left: readonly LeftOutFile[], last: string | undefined): LeftOutCounts {
  const counts = new LeftOut();
  for (const { path: file, reason } of left) if (last === undefined || comparePaths(file, last) < 0) counts.add(reason);
  return counts.counts;
}

/** What a thread needs to know of a job: data, no functions. */
export function withoutJudge({ folder, handles, query }: SearchJob): Omit<SearchBatch, 'files'> {
  const { pattern, literal, ignoreCase, wholeWord, contextLines, maxPerFile } = query;
  return { folder, handles, query: { pattern, literal, ignoreCase, wholeWord, contextLines, maxPerFile } };
}

/** What came of a part of the files, and of how many. */
interface Part extends BatchResult {
  readonly count: number;
}

async function* inThisThread(job: SearchJob, files: FileQueue, signal: AbortSignal): AsyncIterable<Part> {
  const search = fileSearcher(withoutJudge(job));
  const slices = new TimeSlices();
  let count = 0;
  for await (const part of files.parts(filesPerTask)) {
    for (const file of part) {
      if (signal.aborted) throw signal.reason;
      const result = await slices.run(search(file), signal);
      count++;
      if (result || slices.isOver) {
        yield {
          found: result && !('reason' in result) ? [result] : [],
          leftOut: result && 'reason' in result ? [result] : [],
          count,
        };
        count = 0;
      }
      if (slices.isOver) await slices.next(signal);
    }
  }
}

/** Keeps four tasks under way, so that no thread waits, and answers them in order. */
async function* inThreads(
  job: SearchJob,
  files: FileQueue,
  worker: WorkerPool,
  signal: AbortSignal,
): AsyncIterable<Part> {
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const batch = withoutJudge(job);
  const running: { readonly task: Promise<unknown>; readonly count: number }[] = [];
  const parts = files.parts(filesPerTask);
  const start = async (): Promise<boolean> => {
    const { value } = await parts.next();
    if (!value) return false;
    const part: SearchBatch = { ...batch, files: value };
    const task = worker.run('searchFiles', part, { timeoutMs: taskTimeoutMs, signal: stopped });
    task.catch(() => undefined);
    running.push({ task, count: value.length });
    return true;
  };
  try {
    while (running.length < 4 && (await start()));
    for (let first = running.shift(); first; first = running.shift()) {
      const result = await first.task;
      await start();
      if (isBatchResult(result)) yield { ...result, count: first.count };
    }
  } finally {
    stop.abort();
  }
}

/** The worker holds the same bundle, so the shape of the whole tells the rest. */
function isBatchResult(value: unknown): value is BatchResult {
  return isObject(value) && Array.isArray(value['found']) && Array.isArray(value['leftOut']);
}

/**
 * Finds the files of a job and has them judged; never rejects before it is awaited, since the queue tells its reader.
 */
function collect(job: SearchJob, files: FileQueue, signal: AbortSignal): Promise<void> {
  const listing = collectFiles(job, files, signal);
  listing.then(
    () => files.close(),
    (error: unknown) => files.fail(error),
  );
  return listing;
}

async function collectFiles(job: SearchJob, files: FileQueue, signal: AbortSignal): Promise<void> {
  const { query, folder } = job;
  const start = query.root.path;
  const take = async (paths: readonly string[]): Promise<void> => {
    const verdicts = await query.judge(paths);
    files.add(paths.filter((_path, index) => verdicts[index]));
  };
  const facts = await lstat(path.join(folder, start));
  if (facts.isFile()) {
    const isMeant = compileFilter(query.include, query.exclude, job)(start.slice(start.lastIndexOf('/') + 1));
    return take(isMeant ? [start] : []);
  }
  await walkFiles(job, take, signal);
}
