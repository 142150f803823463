import {
  type ChildProcess,
  type ChildProcessByStdio,
  spawn,
  type SpawnOptionsWithStdioTuple,
  type StdioPipe,
} from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { toolError, type ToolError } from '../../core/vocabulary/errors';
import type { ProgramRequest, ProgramResult, ProgramRunner } from '../../core/ports/programs';
import { errnoOf } from '../errors/errno';
import { searchPath, variablesOf } from './searchPath';

/** What every program gets of the environment; all else of it, tokens and keys included, stays here. */
const inherited =
  'HOME LANG LANGUAGE LC_ALL LC_CTYPE LOGNAME SHELL TEMP TMP TMPDIR TZ USER USERPROFILE APPDATA LOCALAPPDATA SYSTEMROOT SystemRoot PATHEXT COMSPEC WINDIR'.split(
    ' ',
  );

/** After the polite signal a program has so long before it is killed. */
const graceMs = 1000;

const processError = (message: string): ToolError => toolError('process_error', message);

/** Runs programs without a shell, each in a process group of its own, so that its children end with it. */
export function createProgramRunner(environment: NodeJS.ProcessEnv = process.env): ProgramRunner {
  return {
    async run(request) {
      if (request.signal.aborted) throw toolError('cancelled', `\`${request.command}\` was cancelled`);
      const root = request.cwd.folder.path;
      const cwd = path.join(root, request.cwd.path);
      const command = await findCommand(request.command, root);
      return start(command, request, cwd, await childEnvironment(environment, request.env, root));
    },
  };
}

/**
 * Entries of PATH that are relative or lie in the workspace are left out: they would let a file of it stand in for a
 * program.
 */
async function childEnvironment(
  environment: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  root: string,
): Promise<Record<string, string>> {
  const folders = await searchPath(environment, [root]);
  return { ...variablesOf(environment, inherited), PATH: folders.join(path.delimiter), ...own };
}

/** A path in the workspace must still lead into it once its links are followed. */
async function findCommand(command: string, root: string): Promise<string> {
  if (!command.startsWith('./') && !command.startsWith('.\\')) return command;
  try {
    const [real, realRoot] = await Promise.all([realpath(path.join(root, command)), realpath(root)]);
    if (real.startsWith(realRoot + path.sep)) return real;
  } catch {
    throw processError(`\`${command}\` is not there`);
  }
  throw toolError('path_outside', `\`${command}\` leads out of the workspace`);
}

/** Starts a program; what the system refuses at once is an error with words, too. */
function spawned(
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithStdioTuple<StdioPipe, StdioPipe, StdioPipe>,
): ChildProcessByStdio<Writable, Readable, Readable> {
  try {
    return spawn(command, args, options);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'E2BIG' || code === 'ENAMETOOLONG')
      throw toolError(
        'too_large',
        `the arguments and variables for \`${command}\` are longer than the system takes; pass less`,
      );
    throw error instanceof Error ? notStarted(command, error) : error;
  }
}

function start(
  command: string,
  request: ProgramRequest,
  cwd: string,
  env: Record<string, string>,
): Promise<ProgramResult> {
  const child = spawned(command, request.args, {
    cwd,
    env,
    shell: false,
    windowsHide: true,
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const group = processGroup(child);
  const stdout = collect(child.stdout, request.maxOutputBytes, group.end);
  const stderr = collect(child.stderr, request.maxOutputBytes, group.end);
  request.signal.addEventListener('abort', group.end, { once: true });
  child.stdin.on('error', () => {
    // A program may end without reading its input.
  });
  child.stdin.end(request.stdin ?? '');
  return new Promise((resolve, reject) => {
    const settle = (answer: () => void): void => {
      request.signal.removeEventListener('abort', group.end);
      group.sweep();
      answer();
    };
    child.on('error', (error) => settle(() => reject(notStarted(request.command, error))));
    child.on('close', (code) =>
      settle(() => {
        if (request.signal.aborted)
          return reject(toolError('cancelled', `\`${request.command}\` was ended before it finished`));
        const cut = stdout.isCut() || stderr.isCut();
        resolve({ exitCode: code ?? undefined, stdout: stdout.text(), stderr: stderr.text(), cut });
      }),
    );
  });
}

const notStarted = (command: string, error: Error): ToolError =>
  processError(
    errnoOf(error) === 'ENOENT'
      ? `\`${command}\` is not installed, or its folder is missing`
      : `\`${command}\` cannot be started: ${error.message}`,
  );

/** A program with its children. */
function processGroup(child: ChildProcess): { readonly end: () => void; readonly sweep: () => void } {
  let killTimer: NodeJS.Timeout | undefined;
  const send = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (process.platform === 'win32') child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // The group has ended already.
    }
  };
  return {
    end() {
      if (killTimer) return;
      send('SIGTERM');
      killTimer = setTimeout(() => send('SIGKILL'), graceMs);
    },
    /** Children that ignored the polite signal go with the group. */
    sweep() {
      if (!killTimer) return;
      clearTimeout(killTimer);
      send('SIGKILL');
    },
  };
}

/** Gathers so many bytes of what a program writes; `onFull` hears where there are more. */
function collect(
  stream: NodeJS.ReadableStream,
  most: number,
  onFull: () => void,
): { readonly text: () => string; readonly isCut: () => boolean } {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < most) chunks.push(chunk.subarray(0, most - size));
    size += chunk.byteLength;
    if (size > most) onFull();
  });
  return { text: () => new TextDecoder().decode(Buffer.concat(chunks)), isCut: () => size > most };
}
