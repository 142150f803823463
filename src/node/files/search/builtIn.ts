import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../../../core/base/json';
import { compileFilter } from '../../../core/globs';
import { compileExpression } from '../../../core/lineMatcher';
import { sortPaths } from '../../../core/paths';
import type { WorkerPool } from '../../../core/ports';
import type { SearchFile, SearchSummary } from '../../../core/ports/fileSearch';
import { walk } from '../walk';
import type { SearchEngine, SearchJob } from './engine';
import { type BatchResult, batchSearcher, type SearchBatch } from './searchBatch';

type Sink = (batch: readonly SearchFile[]) => Promise<boolean> | boolean;

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

  async search(job: SearchJob, sink: Sink, signal: AbortSignal): Promise<SearchSummary> {
    compileExpression(job.query);
    return searchFiles(job, await allowedFiles(job, signal), sink, signal, this.#worker);
  }
}

/** Searches files that have been judged, and hands them over in the order given. */
export async function searchFiles(
  job: SearchJob,
  files: readonly string[],
  sink: Sink,
  signal: AbortSignal,
  worker?: WorkerPool,
): Promise<SearchSummary> {
  const { judge: _judge, root: _root, include: _include, exclude: _exclude, ...query } = job.query;
  const batch = { folder: job.folder, handles: job.handles, query };
  const left = new Map<string, number>();
  const parts = worker && files.length >= worthThreads ? inThreads(batch, files, worker, signal) : inThisThread(batch, files, signal);
  for await (const { found, leftOut } of parts) {
    for (const [reason, count] of Object.entries(leftOut)) left.set(reason, (left.get(reason) ?? 0) + count);
    if (found.length > 0 && !(await sink(found))) break;
  }
  return { engine: 'built-in', leftOut: Object.fromEntries(left) };
}

/** Gives the thread back after every few milliseconds of work. */
async function* inThisThread(batch: Omit<SearchBatch, 'files'>, files: readonly string[], signal: AbortSignal): AsyncIterable<BatchResult> {
  const search = batchSearcher(batch);
  let slice = performance.now();
  for (const file of files) {
    if (signal.aborted) throw signal.reason;
    const result = search([file]);
    if (result.found.length > 0 || Object.keys(result.leftOut).length > 0) yield result;
    if (performance.now() - slice < 8) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    slice = performance.now();
  }
}

/** Keeps four tasks under way, so that no thread waits, and answers them in order. */
async function* inThreads(
  batch: Omit<SearchBatch, 'files'>,
  files: readonly string[],
  worker: WorkerPool,
  signal: AbortSignal,
): AsyncIterable<BatchResult> {
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  signal.addEventListener('abort', cancel, { once: true });
  const running: Promise<unknown>[] = [];
  let next = 0;
  const start = (): void => {
    if (next >= files.length) return;
    const part: SearchBatch = { ...batch, files: files.slice(next, next + filesPerTask) };
    next += filesPerTask;
    const task = worker.run('searchFiles', part, { timeoutMs: taskTimeoutMs, signal: stop.signal });
    task.catch(() => undefined);
    running.push(task);
  };
  try {
    for (let count = 0; count < 4; count++) start();
    for (let task = running.shift(); task; task = running.shift()) {
      const result = await task;
      start();
      if (isBatchResult(result)) yield result;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    stop.abort();
  }
}

/** The worker holds the same bundle, so the shape of the whole tells the rest. */
function isBatchResult(value: unknown): value is BatchResult {
  return isObject(value) && Array.isArray(value['found']) && isObject(value['leftOut']);
}

async function allowedFiles(job: SearchJob, signal: AbortSignal): Promise<readonly string[]> {
  const files = await filesOf(job, signal);
  const allowed: string[] = [];
  for (let at = 0; at < files.length; at += 1000) {
    const batch = files.slice(at, at + 1000);
    const verdicts = await job.query.judge(batch);
    for (const [index, file] of batch.entries()) if (verdicts[index]) allowed.push(file);
  }
  return allowed;
}

async function filesOf(job: SearchJob, signal: AbortSignal): Promise<readonly string[]> {
  const start = job.query.root.path;
  const facts = await lstat(path.join(job.folder, start));
  if (facts.isFile()) {
    return compileFilter(job.query.include, job.query.exclude, job)(start.slice(start.lastIndexOf('/') + 1)) ? [start] : [];
  }
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
  return sortPaths(found);
}
