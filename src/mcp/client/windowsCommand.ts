import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** What Windows runs without its ending being written, in this order, where the environment names none. */
const usualEndings = '.COM;.EXE;.BAT;.CMD';

type Environment = Readonly<Record<string, string | undefined>>;

/** Windows does not tell upper and lower case apart in the names of variables. */
const variable = (env: Environment, name: string): string | undefined =>
  Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];

/** The files that a command means, in the order in which Windows tries them: an ending can be left out. */
export function windowsNames(command: string, env: Environment): readonly string[] {
  const endings = (variable(env, 'PATHEXT') || usualEndings).split(';').filter((ending) => ending !== '');
  const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
  return [...(hasEnding ? [command] : []), ...endings.map((ending) => `${command}${ending}`)];
}

/**
 * The file that a bare command such as `npx` means on Windows: the first of its name in PATH. The current folder is not
 * looked at, in contrast to Windows' own search, because a repository could have put a program of that name there.
 * @returns the command itself where it is a path already, undefined where PATH has none of this name
 */
export function findOnWindowsPath(
  command: string,
  env: Environment,
  exists: (file: string) => boolean,
): string | undefined {
  if (/[\\/]/.test(command) || /^[a-z]:/i.test(command)) return command;
  const names = windowsNames(command, env);
  // A relative folder would be one of the workspace.
  const folders = (variable(env, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.replace(/^"(.*)"$/, '$1'))
    .filter((folder) => /^(?:[a-z]:[\\/]|\\\\)/i.test(folder));
  for (const folder of folders)
    for (const name of names) {
      const file = win32.join(folder, name);
      if (exists(file)) return file;
    }
  return undefined;
}

/**
 * Starts a program as Windows needs it: `npx` and its like are batch files, which only the command interpreter runs,
 * and whose arguments have to be escaped for it.
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
