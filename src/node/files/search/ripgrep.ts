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
      const delivery = new Delivery(job, expression, candidates, sink, signal);
      const { end: first, found } = await collect(run);
      await listing;
      let end = first;
      if (end.how === 'done') await delivery.take(found.sort((a, b) => comparePaths(a.path, b.path)));
      if (end.how === 'stopped') end = await run('sorted', (files) => delivery.take(files));
      if (end.how === 'refused') {
        // By our own engine, from where it broke off.
        const { last } = delivery;
        const rest = candidates.allowed.filter((file) => last === undefined || comparePaths(file, last) > 0);
        const left = new LeftOut();
        left.addAll(delivery.countLeftOut([]));
        left.addAll(await searchFiles(job, rest, sink, signal));
        return left.counts;
      }
      return delivery.countLeftOut(end.unreadable);
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
class Delivery {
  readonly #job: SearchJob;
  readonly #question: LineQuestion;
  readonly #candidates: Candidates;
  readonly #sink: Sink<SearchFile>;
  readonly #signal: AbortSignal;
  readonly #room = new Room();
  readonly #slices = new TimeSlices();
  readonly #leftOut: LeftOutFile[] = [];
  #last: string | undefined;
  #isEnough = false;
  #searchAgain: ReturnType<typeof fileSearcher> | undefined;

  constructor(
    job: SearchJob,
    { isLoose }: RustPattern,
    candidates: Candidates,
    sink: Sink<SearchFile>,
    signal: AbortSignal,
  ) {
    this.#job = job;
    this.#question = { query: job.query, matcher: compileLineMatcher(job.query), isLoose };
    this.#candidates = candidates;
    this.#sink = sink;
    this.#signal = signal;
  }

  /** The last file that was read. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Answers false once there is enough. */
  async take(files: readonly FileRows[]): Promise<boolean> {
    for (let at = 0; at < files.length; at += admittedAtOnce) {
      for (const file of await this.#candidates.admit(files.slice(at, at + admittedAtOnce))) {
        if (this.#slices.isOver) await this.#slices.next(this.#signal);
        if (this.#signal.aborted) throw this.#signal.reason;
        const found = await this.#read(file);
        this.#last = file.path;
        if (found && 'reason' in found) this.#leftOut.push(found);
        else if (found && !(await this.#sink([found]))) {
          this.#isEnough = true;
          return false;
        }
      }
    }
    return true;
  }

  /** Counts what was left out, with what ripgrep could not read of the files that may be searched. */
  countLeftOut(unreadable: readonly string[]): LeftOutCounts {
    const denied = unreadable
      .filter((file) => this.#candidates.isAllowed(file))
      .map((file) => ({ path: file, reason: 'unreadable' }));
    return countReasons([...this.#leftOut, ...denied], this.#isEnough ? this.#last : undefined);
  }

  /** The lines of a file as its open handle has them; a file that is not what ripgrep read is searched here instead. */
  async #read({ path: file, rows }: FileRows): Promise<FileResult> {
    const { folder, handles } = this.#job;
    const place = { folder, handles, room: this.#room };
    const read = await this.#slices.run(
      readContained(place, file, (content) => linesAt(content, rows, this.#question)),
      this.#signal,
    );
    if (typeof read === 'object') return { path: file, ...read };
    if (read === undefined) return undefined;
    if (read !== 'changed') return { path: file, reason: read };
    this.#searchAgain ??= fileSearcher(withoutJudge(this.#job));
    return this.#slices.run(this.#searchAgain(file), this.#signal);
  }
}
