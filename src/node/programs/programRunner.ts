import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { toolError, type ToolError } from '../../core/vocabulary/errors';
import type { ProgramRequest, ProgramResult, ProgramRunner } from '../../core/ports/programs';
import { searchPath } from './searchPath';

/** What every program gets of the environment; all else of it, tokens and keys included, stays here. */
const inherited = [
  'HOME',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'SHELL',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
  'USER',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'SYSTEMROOT',
  'SystemRoot',
  'PATHEXT',
  'COMSPEC',
  'WINDIR',
];

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
  const out: Record<string, string> = {};
  for (const name of inherited) {
    const value = environment[name];
    if (value !== undefined) out[name] = value;
  }
  out['PATH'] = (await searchPath(environment, [root])).join(path.delimiter);
  return { ...out, ...own };
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

function start(
  command: string,
  request: ProgramRequest,
  cwd: string,
  env: Record<string, string>,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...request.args], {
      cwd,
      env,
      shell: false,
      windowsHide: true,
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let cut = false;
    let killTimer: NodeJS.Timeout | undefined;
    const signalGroup = (signal: NodeJS.Signals): void => {
      if (child.pid === undefined) return;
      try {
        if (process.platform === 'win32') child.kill(signal);
        else process.kill(-child.pid, signal);
      } catch {
        // The group has ended already.
      }
    };
    const end = (): void => {
      if (killTimer) return;
      signalGroup('SIGTERM');
      killTimer = setTimeout(() => signalGroup('SIGKILL'), graceMs);
    };
    const collect = (stream: NodeJS.ReadableStream): (() => string) => {
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        const room = request.maxOutputBytes - size;
        if (room > 0) chunks.push(chunk.subarray(0, room));
        size += chunk.byteLength;
        if (size > request.maxOutputBytes) {
          cut = true;
          end();
        }
      });
      return () => new TextDecoder().decode(Buffer.concat(chunks));
    };
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const onAbort = (): void => end();
    request.signal.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => {
      request.signal.removeEventListener('abort', onAbort);
      if (killTimer) {
        clearTimeout(killTimer);
        // Children that ignored the polite signal go with the group.
        signalGroup('SIGKILL');
      }
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      settle();
      reject(
        processError(
          error.code === 'ENOENT'
            ? `\`${request.command}\` is not installed, or its folder is missing`
            : `\`${request.command}\` cannot be started: ${error.message}`,
        ),
      );
    });
    child.on('close', (code) => {
      settle();
      if (request.signal.aborted) reject(toolError('cancelled', `\`${request.command}\` was ended before it finished`));
      else resolve({ exitCode: code ?? undefined, stdout: stdout(), stderr: stderr(), cut });
    });
    child.stdin.on('error', () => {
      // A program may end without reading its input.
    });
    child.stdin.end(request.stdin ?? '');
  });
}
