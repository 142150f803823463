import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { SaidError, say } from '../../../core/base/sentence';
import { isExecutable, searchPath, variablesOf } from '../../programs/searchPath';

/** A run of git: its arguments, and what it reads. */
interface GitRun {
  readonly args: readonly string[];
  readonly stdin?: Uint8Array | string;
  readonly signal: AbortSignal;
}

/**
 * Runs git for one folder of the workspace. Answers what it wrote; throws a `GitFault` where it ended otherwise than
 * with 0, and what the signal says.
 */
export type Git = (run: GitRun) => Promise<Buffer>;

/** Git ran and said no. */
export class GitFault extends Error {}

/** The first that reads no settings but those that it is told to read. */
const leastVersion = [2, 32] as const;
/** What tells its version answers within so long, in milliseconds. */
const versionMs = 10_000;

interface GitOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Our own folder for objects, index and settings. */
  readonly gitFolder: string;
  /** A folder of the workspace, of which git takes the files and nothing else: no settings, filters, hooks. */
  readonly workTree: string;
}

/** What no setting of the user, the machine or the workspace may change for us; said anew with each run. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.autocrlf=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.quotePath=false',
  'core.untrackedCache=false',
  'core.preloadIndex=true',
  'core.sharedRepository=0600',
  // Rewriting the whole index for one file would be most of the work.
  'core.splitIndex=true',
  'core.compression=1',
  'core.fsync=none',
  'gc.auto=0',
  'submodule.recurse=false',
].flatMap((one) => ['-c', one]);

/** Finds git outside of the workspace; throws a `SaidError` where there is none that can be used. */
export async function findGit(environment: NodeJS.ProcessEnv, roots: readonly string[]): Promise<string> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  let fault = say('not_installed', 'git');
  for (const folder of await searchPath(environment, roots)) {
    const file = path.join(folder, name);
    if (!(await isExecutable(file))) continue;
    const version = await versionOf(file);
    const [major, minor] = version;
    const [leastMajor, leastMinor] = leastVersion;
    if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return file;
    const least = leastVersion.join('.');
    fault = major === 0 ? say('git_versionless') : say('git_old', version.join('.'), least);
  }
  throw new SaidError(fault);
}

/** Zeros where it tells none. */
async function versionOf(file: string): Promise<readonly [number, number]> {
  const told = await new Promise<string>((resolve) =>
    execFile(file, ['--version'], { cwd: path.dirname(file), timeout: versionMs, windowsHide: true }, (_error, out) =>
      resolve(out),
    ),
  );
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(told) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0)];
}

/** @param command the path of git. */
export function gitFor(command: string, { environment, gitFolder, workTree }: GitOptions): Git {
  const env: NodeJS.ProcessEnv = {
    LC_ALL: 'C',
    GIT_DIR: gitFolder,
    GIT_WORK_TREE: workTree,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    ...variablesOf(environment, ['SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR']),
  };
  return ({ args, stdin, signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // It starts in our folder, so that no file of the workspace stands in for anything.
      const child = spawn(command, [...settings, ...args], { cwd: gitFolder, env, shell: false, windowsHide: true });
      const [out, told]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => told.length < 20 && told.push(chunk));
      const onAbort = (): void => void child.kill('SIGKILL');
      signal.addEventListener('abort', onAbort, { once: true });
      child.on('error', (error) => {
        signal.removeEventListener('abort', onAbort);
        reject(error);
      });
      child.on('close', (code) => {
        signal.removeEventListener('abort', onAbort);
        if (signal.aborted) reject(signal.reason);
        else if (code === 0) resolve(Buffer.concat(out));
        else reject(new GitFault(`git ${args[0] ?? ''}: ${Buffer.concat(told).toString('utf8').trim().slice(-500)}`));
      });
      child.stdin.on('error', () => {
        // It may end without reading everything.
      });
      child.stdin.end(stdin ?? '');
    });
}
