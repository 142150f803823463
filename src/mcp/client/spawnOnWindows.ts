import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findOnWindowsPath } from './windowsCommand';

/**
 * Starts a program as Windows needs it: `npx` and its like are batch files, which only the command interpreter runs, and
 * whose arguments have to be escaped for it.
 */
export async function spawnOnWindows(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  const found = findOnWindowsPath(command, options.env ?? {}, existsSync);
  if (found === undefined) throw new Error(`\`${command}\` was not found in PATH: name the program's whole path`);
  const { default: crossSpawn } = await import('cross-spawn');
  return crossSpawn(found, args, options);
}

/** Ends a program with all that it started; a batch file's interpreter ended alone would leave the program running. */
export function endTreeOnWindows(pid: number): void {
  spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
    'error',
    () => undefined,
  );
}
