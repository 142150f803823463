import { access, constants, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * The entries of PATH that are absolute and lie in none of the folders: others would let a file of a workspace stand in
 * for a program.
 */
export async function searchPath(environment: NodeJS.ProcessEnv, roots: readonly string[]): Promise<readonly string[]> {
  const entries = (environment['PATH'] ?? environment['Path'] ?? '')
    .split(path.delimiter)
    .filter((entry) => path.isAbsolute(entry));
  const [homes, places] = await Promise.all([Promise.all(roots.map(real)), Promise.all(entries.map(real))]);
  const isOutside = (place: string): boolean =>
    homes.every((home) => !`${place}${path.sep}`.startsWith(`${home}${path.sep}`));
  return entries.filter((entry, at) => isOutside(places[at] ?? entry));
}

/** The variables of some names, as far as they are set. */
export function variablesOf(environment: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

export function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Where a folder really is; a missing one is where it says. */
function real(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}
