import path from 'node:path';
import type { SettingGlob } from '../../../core/files/globs';
import type { SearchJob } from './engine';
import { type FileRows, rowArguments, RowReader } from './ripgrepRows';
import type { RustPattern } from './rustPattern';
import { longestComplaint, type ProgramEnd, startProgram } from './startProgram';

export interface RipgrepOptions {
  /** The machine's path of the binary, from `findRipgrep`. */
  readonly binary: string;
  /** Folders with fewer files are searched in this process, which is faster than starting another. Default 300. */
  readonly smallFolder?: number;
}

/** `refused` where ripgrep could not be started, did not understand what it was asked, or did not end by itself. */
export interface RunEnd {
  readonly how: 'done' | 'stopped' | 'refused';
  /** Files and folders that it could not read, as paths of the workspace folder. */
  readonly unreadable: readonly string[];
}

/** By path, or in the order in which the threads find them. */
export type RunOrder = 'sorted' | 'as-found';

/** Takes files with matches; answers false to stop. */
export type TakeRows = (files: readonly FileRows[]) => Promise<boolean> | boolean;

/** Runs ripgrep and hands over the files with matches; says how it ended. Cancelling kills the process. */
export function runRipgrep(
  job: SearchJob,
  expression: RustPattern,
  binary: string,
  order: RunOrder,
  signal: AbortSignal,
  take: TakeRows,
): Promise<RunEnd> {
  const { folder } = job;
  const { path: start } = job.query.root;
  const args = [...argumentsOf(job, expression), ...(order === 'sorted' ? ['--sort', 'path'] : [])];
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
    const running = startProgram(
      { binary, folder, args: [...args, '--', start === '' ? '.' : `./${start}`] },
      {
        output: (data) => {
          if (!stopped) hand(output.take(data));
        },
        end: (end) => {
          if (!stopped) hand(output.end());
          signal.removeEventListener('abort', abort);
          const { isDone, unreadable } = readEnd(end);
          void queue.then(
            () => resolve({ how: stopped ? 'stopped' : isDone ? 'done' : 'refused', unreadable }),
            reject,
          );
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

/**
 * What could not be read is told as `rg: path: message (os error 13)`; whatever else is told means that nothing was
 * searched.
 */
function readEnd(end: ProgramEnd): { readonly isDone: boolean; readonly unreadable: readonly string[] } {
  if (!end.started) return { isDone: false, unreadable: [] };
  const told = end.complaint.split(/\r?\n(?=rg: |$)/).filter((one) => one !== '');
  // The last one may be cut.
  if (end.complaint.length >= longestComplaint) told.pop();
  const unreadable = told.flatMap((one) => /^rg: (.+): [^:]* \(os error \d+\)$/s.exec(one)?.[1] ?? []);
  const isDone = end.code === 0 || end.code === 1 || (end.code === 2 && unreadable.length === told.length);
  return { isDone, unreadable: unreadable.map(ownPath) };
}

/** A path as ripgrep writes it, as ours: relative to the workspace folder, with `/`. */
function ownPath(text: string): string {
  const plain = path.sep === '/' ? text : text.replaceAll(path.sep, '/');
  return plain.startsWith('./') ? plain.slice(2) : plain;
}

function argumentsOf({ query, folder, excludes }: SearchJob, { pattern }: RustPattern): string[] {
  const ignore = query.includeIgnored
    ? ['--no-ignore']
    : [
        ...['--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-ignore-parent'],
        ...['.git', ...plainNames(excludes)].flatMap((name) => ['--glob', `!${name}`]),
      ];
  const rootRules =
    !query.includeIgnored && query.root.path !== '' ? ['--ignore-file', path.join(folder, '.gitignore')] : [];
  return [
    ...rowArguments,
    ...['--no-config', '--hidden', '--no-follow', '--crlf'],
    ...ignore,
    ...rootRules,
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...['--max-count', String(query.maxPerFile + 1)],
    ...nameTypes(query.include),
    ...['--regexp', pattern],
  ];
}

/**
 * The names that the editor leaves out wherever they are; ripgrep need not enter them. Other globs are left to the
 * walk's rules.
 */
function plainNames(excludes: readonly SettingGlob[]): string[] {
  return excludes.flatMap((glob) => (typeof glob === 'string' ? /^\*\*\/([\w.-]+)$/.exec(glob)?.[1] : undefined) ?? []);
}

/** Lets ripgrep skip files by their ending. A type filter, unlike a glob, does not bring ignored files back. */
function nameTypes(include: readonly string[]): string[] {
  const names = include.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));
  if (names.length === 0 || !names.every((name) => /^\*\.[A-Za-z0-9_.-]+$/.test(name))) return [];
  return [...names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}
