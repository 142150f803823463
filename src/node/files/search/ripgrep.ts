import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { compileExpression } from '../../../core/lineMatcher';
import { comparePaths } from '../../../core/paths';
import type { SearchFile, SearchSummary } from '../../../core/ports/fileSearch';
import { BuiltInSearch, searchFiles, withoutJudge } from './builtIn';
import { Candidates } from './candidates';
import { readContained, Room } from './contained';
import type { SearchEngine, SearchJob } from './engine';
import { directStarter, type ProgramStarter } from './programs';
import { linesAt } from './ripgrepLines';
import { type FileRows, rowArguments, RowReader } from './ripgrepRows';
import { rustPattern } from './rustPattern';
import { batchSearcher } from './searchBatch';

type Sink = (batch: readonly SearchFile[]) => Promise<boolean> | boolean;

export interface RipgrepOptions {
  /** The machine's path of the binary, from `findRipgrep`. */
  readonly binary: string;
  /** Folders with fewer files are searched in this process, which is faster than starting another. Default 300. */
  readonly smallFolder?: number;
  /** Default: from this process. */
  readonly starter?: ProgramStarter;
}

/** So many matches are collected in no order; beyond that the search starts again in order, and stops when there is enough. */
const unorderedMatches = 3000;
/** So many files with matches are asked about at once. */
const admittedAtOnce = 50;

/**
 * Searches with the ripgrep that the editor ships, which tells where the matches are. Our own walk goes beside it and has every file judged, whether
 * it matches or not; each file in which ripgrep finds something has to pass the walk's rules and the judge, and its lines are read here, through a
 * handle that is what stands at the path. So both engines answer alike, whatever ignore rules and globs say and whatever is swapped meanwhile.
 */
export class RipgrepSearch implements SearchEngine {
  readonly #options: RipgrepOptions;
  readonly #builtIn = new BuiltInSearch();

  constructor(options: RipgrepOptions) {
    this.#options = options;
  }

  async search(job: SearchJob, sink: Sink, signal: AbortSignal): Promise<SearchSummary> {
    // Refuses what is no expression, in the same words as the other engine.
    compileExpression(job.query);
    const facts = await lstat(path.join(job.folder, job.query.root.path));
    if (!facts.isDirectory()) return this.#builtIn.search(job, sink, signal);

    const small = this.#options.smallFolder ?? 300;
    const stop = new AbortController();
    const cancel = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const candidates = new Candidates(job, small);
      const listing = candidates.collect(signal);
      listing.catch((error: unknown) => stop.abort(error));
      if (!(await candidates.isLarge(listing))) return await searchFiles(job, candidates.allowed, sink, signal);
      const found = await this.#unordered(job, stop.signal);
      await listing;
      if (found === 'refused') return await searchFiles(job, candidates.allowed, sink, signal);
      const delivery = new Delivery(job, candidates, sink, signal);
      if (found === 'too many') await this.#run(job, ['--sort', 'path'], stop.signal, (files) => delivery.take(files));
      else await delivery.take(found.sort((a, b) => comparePaths(a.path, b.path)));
      return { engine: 'ripgrep', leftOut: Object.fromEntries(delivery.leftOut) };
    } finally {
      signal.removeEventListener('abort', cancel);
      stop.abort();
    }
  }

  /** All files with matches, in the order in which the threads find them. */
  async #unordered(job: SearchJob, signal: AbortSignal): Promise<FileRows[] | 'too many' | 'refused'> {
    const found: FileRows[] = [];
    let matches = 0;
    const end = await this.#run(job, [], signal, (files) => {
      for (const file of files) {
        found.push(file);
        matches += file.rows.length;
      }
      return matches <= unorderedMatches;
    });
    if (end === 'refused') return 'refused';
    return end === 'stopped' ? 'too many' : found;
  }

  /** Runs ripgrep and hands over the files with matches; answers how it ended. Cancelling kills the process. */
  #run(
    job: SearchJob,
    more: readonly string[],
    signal: AbortSignal,
    take: (files: readonly FileRows[]) => Promise<boolean> | boolean,
  ): Promise<'done' | 'stopped' | 'refused'> {
    const { binary, starter = directStarter } = this.#options;
    const { path: start } = job.query.root;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const output = new RowReader();
      let stopped = false;
      let queue: Promise<void> = Promise.resolve();
      const hand = (files: readonly FileRows[]): void => {
        const here = files.map((file) => ({ ...file, path: ownPath(file.path) }));
        if (here.length === 0) return;
        running.pause();
        queue = queue.then(async () => {
          if (stopped) return;
          if (await take(here)) return running.resume();
          stopped = true;
          running.kill();
        });
        queue.catch((error: unknown) => {
          running.kill();
          reject(error);
        });
      };
      const running = starter.start(
        { binary, folder: job.folder, args: [...argumentsOf(job), ...more, '--', start === '' ? '.' : `./${start}`] },
        {
          output: (data) => {
            if (!stopped) hand(output.take(data));
          },
          end: (how) => {
            if (!stopped) hand(output.end());
            signal.removeEventListener('abort', abort);
            const isDone = how.started && (how.code === 0 || how.code === 1 || how.complaint === '');
            void queue.then(() => resolve(stopped ? 'stopped' : isDone ? 'done' : 'refused'), reject);
          },
        },
      );
      const abort = (): void => {
        stopped = true;
        running.kill();
        reject(signal.reason instanceof Error ? signal.reason : new Error('cancelled'));
      };
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}

/** A path as ripgrep writes it, as ours: relative to the workspace folder, with `/`. */
function ownPath(text: string): string {
  const plain = path.sep === '/' ? text : text.replaceAll(path.sep, '/');
  return plain.startsWith('./') ? plain.slice(2) : plain;
}

/** Turns places of matches into results, file by file, until there is enough. */
class Delivery {
  readonly leftOut = new Map<string, number>();
  readonly #job: SearchJob;
  readonly #candidates: Candidates;
  readonly #sink: Sink;
  readonly #signal: AbortSignal;
  readonly #room = new Room();
  #searchAgain: ReturnType<typeof batchSearcher> | undefined;

  constructor(job: SearchJob, candidates: Candidates, sink: Sink, signal: AbortSignal) {
    this.#job = job;
    this.#candidates = candidates;
    this.#sink = sink;
    this.#signal = signal;
  }

  /** Answers false once there is enough. */
  async take(files: readonly FileRows[]): Promise<boolean> {
    for (let at = 0; at < files.length; at += admittedAtOnce) {
      for (const file of await this.#candidates.admit(files.slice(at, at + admittedAtOnce))) {
        if (this.#signal.aborted) throw this.#signal.reason;
        const found = this.#read(file);
        if (found && !(await this.#sink([found]))) return false;
      }
    }
    return true;
  }

  /** The lines of a file as its open handle has them; a file that is not what ripgrep read is searched here instead. */
  #read({ path: file, rows }: FileRows): SearchFile | undefined {
    const { folder, handles, query } = this.#job;
    const place = { folder, handles, maxSize: query.maxFileSize, room: this.#room };
    const read = readContained(place, file, (bytes) => linesAt(bytes, rows, query) ?? 'changed');
    if (typeof read === 'object') return { path: file, ...read };
    if (read !== 'changed') return this.#leave(read);
    this.#searchAgain ??= batchSearcher(withoutJudge(this.#job));
    const { found, leftOut } = this.#searchAgain([file]);
    for (const reason of Object.keys(leftOut)) this.#leave(reason);
    return found[0];
  }

  #leave(reason: string | undefined): undefined {
    if (reason !== undefined) this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
    return undefined;
  }
}

function argumentsOf({ query, folder, excludes }: SearchJob): string[] {
  const ignore = query.includeIgnored
    ? ['--no-ignore']
    : [
        ...['--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-ignore-parent'],
        ...['.git', ...plainNames(excludes)].flatMap((name) => ['--glob', `!${name}`]),
      ];
  const rootRules = !query.includeIgnored && query.root.path !== '' ? ['--ignore-file', path.join(folder, '.gitignore')] : [];
  return [
    ...rowArguments,
    ...['--no-config', '--no-messages', '--hidden', '--no-follow', '--crlf'],
    ...ignore,
    ...rootRules,
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...['--max-filesize', String(query.maxFileSize)],
    ...['--max-count', String(query.maxPerFile + 1)],
    ...nameTypes(query.include),
    ...['--regexp', rustPattern(query)],
  ];
}

/** The names that the editor leaves out wherever they are; ripgrep need not enter them. Other globs are left to the walk's rules. */
function plainNames(excludes: readonly string[]): string[] {
  return excludes.flatMap((glob) => /^\*\*\/([\w.-]+)$/.exec(glob)?.[1] ?? []);
}

/** Lets ripgrep skip files by their ending. A type filter, unlike a glob, does not bring ignored files back. */
function nameTypes(include: readonly string[]): string[] {
  const names = include.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));
  if (names.length === 0 || !names.every((name) => /^\*\.[A-Za-z0-9_.-]+$/.test(name))) return [];
  return [...names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}
