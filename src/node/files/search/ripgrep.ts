import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { compileExpression, compileLineMatcher } from '../../../core/files/lineMatcher';
import { comparePaths } from '../../../core/files/paths';
import { LeftOut } from '../../../core/files/leftOut';
import type { LeftOutCounts, SearchFile, Sink } from '../../../core/ports/fileSearch';
import { BuiltInSearch, countReasons, searchFiles, withoutJudge } from './builtIn';
import { Candidates } from './candidates';
import { readContained, Room } from './contained';
import type { SearchEngine, SearchJob } from './engine';
import { type LineQuestion, linesAt } from './ripgrepLines';
import type { FileRows } from './ripgrepRows';
import { type RipgrepOptions, type RunEnd, type RunOrder, runRipgrep, type TakeRows } from './ripgrepRun';
import { rustPattern, type RustPattern } from './rustPattern';
import { TimeSlices } from '../timeSlices';
import { fileSearcher, type FileResult, type LeftOutFile } from './searchBatch';

/**
 * So many matches are collected in no order; beyond that the search starts again in order, and stops when there is
 * enough.
 */
const unorderedMatches = 3000;
/** So many files with matches are asked about at once. */
const admittedAtOnce = 50;

/**
 * Searches with the ripgrep that the editor ships, which tells where the matches are. Our own walk goes beside it and
 * has every file judged, whether it matches or not; each file in which ripgrep finds something has to pass the walk's
 * rules and the judge, and its lines are read here, through a handle that is what stands at the path. So both engines
 * answer alike, whatever ignore rules and globs say and whatever is swapped meanwhile.
 */
export class RipgrepSearch implements SearchEngine {
  readonly #options: RipgrepOptions;
  readonly #builtIn = new BuiltInSearch();

  constructor(options: RipgrepOptions) {
    this.#options = options;
  }

  async search(job: SearchJob, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts> {
    // Refuses what is no expression, in the same words as the other engine.
    compileExpression(job.query);
    const expression = rustPattern(job.query);
    const facts = await lstat(path.join(job.folder, job.query.root.path));
    if (!expression || !facts.isDirectory()) return this.#builtIn.search(job, sink, signal);

    const small = this.#options.smallFolder ?? 300;
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    try {
      const candidates = new Candidates(job, small);
      const listing = candidates.collect(signal);
      listing.catch((error: unknown) => stop.abort(error));
      if (!(await candidates.isLarge(listing))) return await searchFiles(job, candidates.allowed, sink, signal);
      const run = (order: RunOrder, take: TakeRows): Promise<RunEnd> =>
        runRipgrep(job, expression, this.#options.binary, order, stopped, take);
      const { take, last, countLeftOut } = delivery(job, expression, candidates, sink, signal);
      const { end: first, found } = await collect(run);
      await listing;
      let end = first;
      if (end.how === 'done') await take(found.sort((a, b) => comparePaths(a.path, b.path)));
      if (end.how === 'stopped') end = await run('sorted', take);
      if (end.how === 'refused') {
        // By our own engine, from where it broke off.
        const from = last();
        const rest = candidates.allowed.filter((file) => from === undefined || comparePaths(file, from) > 0);
        const left = new LeftOut();
        left.addAll(countLeftOut([]));
        left.addAll(await searchFiles(job, rest, sink, signal));
        return left.counts;
      }
      return countLeftOut(end.unreadable);
    } finally {
      stop.abort();
    }
  }
}

/**
 * All files with matches, in the order in which the threads find them; stopped where they are too many to be sorted.
 */
async function collect(
  run: (order: RunOrder, take: TakeRows) => Promise<RunEnd>,
): Promise<{ readonly end: RunEnd; readonly found: FileRows[] }> {
  const found: FileRows[] = [];
  let matches = 0;
  const end = await run('as-found', (files) => {
    for (const file of files) {
      found.push(file);
      matches += file.rows.length;
    }
    return matches <= unorderedMatches;
  });
  return { end, found };
}

/** Turns places of matches into results, file by file, until there is enough. */
function delivery(
  job: SearchJob,
  { isLoose }: RustPattern,
  candidates: Candidates,
  sink: Sink<SearchFile>,
  signal: AbortSignal,
) {
  const question: LineQuestion = { query: job.query, matcher: compileLineMatcher(job.query), isLoose };
  const place = { folder: job.folder, handles: job.handles, room: new Room() };
  const slices = new TimeSlices();
  const leftOut: LeftOutFile[] = [];
  let last: string | undefined;
  let isEnough = false;
  let searchAgain: ReturnType<typeof fileSearcher> | undefined;

  /** The lines of a file as its open handle has them; a file that is not what ripgrep read is searched here instead. */
  async function read({ path: file, rows }: FileRows): Promise<FileResult> {
    const found = await slices.run(
      readContained(place, file, (content) => linesAt(content, rows, question)),
      signal,
    );
    if (typeof found === 'object') return { path: file, ...found };
    if (found === undefined) return undefined;
    if (found !== 'changed') return { path: file, reason: found };
    searchAgain ??= fileSearcher(withoutJudge(job));
    return slices.run(searchAgain(file), signal);
  }

  return {
    /** The last file that was read. */
    last: () => last,

    /** Answers false once there is enough. */
    async take(files: readonly FileRows[]): Promise<boolean> {
      for (let at = 0; at < files.length; at += admittedAtOnce) {
        for (const file of await candidates.admit(files.slice(at, at + admittedAtOnce))) {
          if (slices.isOver) await slices.next(signal);
          if (signal.aborted) throw signal.reason;
          const found = await read(file);
          last = file.path;
          if (found && 'reason' in found) leftOut.push(found);
          else if (found && !(await sink([found]))) {
            isEnough = true;
            return false;
          }
        }
      }
      return true;
    },

    /** Counts what was left out, with what ripgrep could not read of the files that may be searched. */
    countLeftOut(unreadable: readonly string[]): LeftOutCounts {
      const denied = unreadable
        .filter((file) => candidates.isAllowed(file))
        .map((file) => ({ path: file, reason: 'unreadable' }));
      return countReasons([...leftOut, ...denied], isEnough ? last : undefined);
    },
  };
}
