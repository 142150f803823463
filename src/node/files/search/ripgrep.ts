import { spawn } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { compileExpression } from '../../../core/lineMatcher';
import { comparePaths, sortPaths } from '../../../core/paths';
import type { SearchFile, SearchSummary } from '../../../core/ports/fileSearch';
import { walk, WalkFilter } from '../walk';
import { BuiltInSearch, searchFiles } from './builtIn';
import type { SearchEngine, SearchJob } from './engine';
import { RipgrepOutput } from './ripgrepOutput';
import { rustPattern } from './rustPattern';

type Sink = (batch: readonly SearchFile[]) => Promise<boolean> | boolean;

export interface RipgrepOptions {
  /** The machine's path of the binary, from `findRipgrep`. */
  readonly binary: string;
  /** Folders with fewer files are searched in this process, which is faster than starting another. Default 300. */
  readonly smallFolder?: number;
}

/** So many matches are collected in no order; beyond that the search starts again in order, and stops when there is enough. */
const unorderedMatches = 3000;

/**
 * Searches with the ripgrep that the editor ships. Our own walk runs beside it and has every file judged, whether it matches or not; each file
 * in which ripgrep finds lines then has to pass the walk's rules and the judge. So both engines answer alike, whatever ignore rules and globs say.
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
      listing.catch(() => stop.abort());
      if (!(await candidates.isLarge(listing))) {
        return await searchFiles(job, sortPaths(candidates.allowed), sink, signal);
      }
      const found = await this.#unordered(job, stop.signal);
      await listing;
      if (found === 'refused') return await searchFiles(job, sortPaths(candidates.allowed), sink, signal);
      if (found === 'too many') return await this.#ordered(job, candidates, sink, signal);
      const files = (await candidates.admit(found)).sort((a, b) => comparePaths(a.path, b.path));
      if (files.length > 0) await sink(files);
      return { engine: 'ripgrep', leftOut: {} };
    } finally {
      signal.removeEventListener('abort', cancel);
      stop.abort();
    }
  }

  /** All files with matches, in the order in which the threads find them. */
  async #unordered(job: SearchJob, signal: AbortSignal): Promise<SearchFile[] | 'too many' | 'refused'> {
    const files: SearchFile[] = [];
    let matches = 0;
    const end = await this.#run(job, [], signal, (file) => {
      files.push(file);
      matches += file.count;
      return matches <= unorderedMatches;
    });
    if (end === 'refused') return 'refused';
    return end === 'stopped' ? 'too many' : files;
  }

  async #ordered(job: SearchJob, candidates: Candidates, sink: Sink, signal: AbortSignal): Promise<SearchSummary> {
    await this.#run(job, ['--sort', 'path'], signal, async (file) => ((await candidates.admit([file])).length > 0 ? sink([file]) : true));
    return { engine: 'ripgrep', leftOut: {} };
  }

  /** Runs ripgrep and hands over each file with matches; answers how it ended. Cancelling kills the process. */
  #run(
    job: SearchJob,
    more: readonly string[],
    signal: AbortSignal,
    take: (file: SearchFile) => Promise<boolean> | boolean,
  ): Promise<'done' | 'stopped' | 'refused'> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const child = spawn(
        this.#options.binary,
        [...argumentsOf(job), ...more, '--', job.query.root.path === '' ? '.' : `./${job.query.root.path}`],
        {
          cwd: job.folder,
          stdio: ['ignore', 'pipe', 'pipe'],
          windowsHide: true,
        },
      );
      let stopped = false;
      let complaint = '';
      const output = new RipgrepOutput(job.query);
      let queue: Promise<void> = Promise.resolve();
      const stop = (): void => {
        stopped = true;
        child.kill('SIGKILL');
      };
      const abort = (): void => {
        child.kill('SIGKILL');
        reject(signal.reason instanceof Error ? signal.reason : new Error('cancelled'));
      };
      signal.addEventListener('abort', abort, { once: true });
      child.stderr.on('data', (data: Buffer) => {
        if (complaint.length < 2000) complaint += data.toString();
      });
      child.stdout.on('data', (data: Buffer) => {
        if (stopped) return;
        const files = output.take(data);
        if (files.length === 0) return;
        child.stdout.pause();
        queue = queue.then(async () => {
          for (const file of files) {
            if (!stopped && !(await take(file))) stop();
          }
          child.stdout.resume();
        });
        queue.catch(reject);
      });
      child.on('error', () => {
        signal.removeEventListener('abort', abort);
        resolve('refused');
      });
      child.on('close', (code) => {
        signal.removeEventListener('abort', abort);
        void queue.then(() => resolve(stopped ? 'stopped' : code === 0 || code === 1 || complaint === '' ? 'done' : 'refused'), reject);
      });
    });
  }
}

function argumentsOf({ query, folder }: SearchJob): string[] {
  const ignore = query.includeIgnored
    ? ['--no-ignore']
    : ['--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-ignore-parent', '--glob', '!.git'];
  const rootRules = !query.includeIgnored && query.root.path !== '' ? ['--ignore-file', path.join(folder, '.gitignore')] : [];
  return [
    '--json',
    '--no-config',
    '--no-messages',
    '--hidden',
    '--no-follow',
    '--crlf',
    ...ignore,
    ...rootRules,
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    '--max-filesize',
    String(query.maxFileSize),
    '--max-count',
    String(query.maxPerFile + 1),
    '--context',
    String(query.contextLines),
    ...nameTypes(query.include),
    '--regexp',
    rustPattern(query),
  ];
}

/** Lets ripgrep skip files by their ending. A type filter, unlike a glob, does not bring ignored files back. */
function nameTypes(include: readonly string[]): string[] {
  const names = include.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));
  if (names.length === 0 || !names.every((name) => /^\*\.[A-Za-z0-9_.-]+$/.test(name))) return [];
  return [...names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}

/** The files that may be searched, collected while ripgrep runs. */
class Candidates {
  readonly allowed: string[] = [];
  readonly #denied = new Set<string>();
  readonly #filter: WalkFilter;
  readonly #job: SearchJob;
  readonly #small: number;
  #count = 0;
  #grown: (() => void) | undefined;

  constructor(job: SearchJob, small: number) {
    this.#job = job;
    this.#small = small;
    this.#filter = new WalkFilter({ ...job, start: job.query.root.path });
  }

  /** Resolves as soon as there are more files than a small folder has, or all are known. */
  async isLarge(listing: Promise<void>): Promise<boolean> {
    const grown = new Promise<void>((resolve) => {
      this.#grown = resolve;
      if (this.#count > this.#small) resolve();
    });
    await Promise.race([grown, listing]);
    return this.#count > this.#small;
  }

  async collect(signal: AbortSignal): Promise<void> {
    const { query, folder, excludes, caseInsensitive } = this.#job;
    await walk(
      { folder, start: query.root.path, query: { ...query, directories: false }, excludes, caseInsensitive, batchSize: 1000 },
      async (batch) => {
        const files: string[] = [];
        for (const entry of batch) if (entry.type === 'file') files.push(entry.path);
        this.#count += files.length;
        if (this.#count > this.#small) this.#grown?.();
        const verdicts = await query.judge(files);
        for (let index = 0; index < files.length; index++) {
          const file = files[index] ?? '';
          if (verdicts[index] === true) this.allowed.push(file);
          else this.#denied.add(file);
        }
        return true;
      },
      signal,
    );
  }

  /**
   * The files of a result that the walk would have met and that may be searched; to be asked once the walk is done. To look up every file of
   * a large folder by its path costs more than to ask again about the few that matched; one made since the walk is judged here.
   */
  async admit(found: readonly SearchFile[]): Promise<SearchFile[]> {
    const met: SearchFile[] = [];
    for (const file of found) if (!this.#denied.has(file.path) && (await this.#filter.meets(file.path))) met.push(file);
    const verdicts = await this.#job.query.judge(met.map((file) => file.path));
    return met.filter((_file, index) => verdicts[index] === true);
  }
}
