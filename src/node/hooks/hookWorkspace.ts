import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { isWithin, realOf } from '../folders/quietly';

/**
 * The folders whose rules count for an agent that works in `cwd`, the innermost first: the nearest one above it that is
 * a repository or has settings of ours, else `cwd` itself; then each further one above that has settings of ours, so
 * that a repository within a workspace does not lift the rules of that one. Looked for along the path as it is written
 * and as links lead. Never the home folder or one above, unless that is `cwd`. Throws for a folder that is not there.
 */
export function hookWorkspaces(cwd: string): readonly [string, ...string[]] {
  const start = path.resolve(cwd);
  if (!statSync(start).isDirectory()) throw new Error(`\`${start}\` is no folder`);
  const [nearest, ...others] = marked(start);
  const real = realOrWritten(start);
  const led = real === start ? [] : marked(real).filter((folder) => hasOwn(folder));
  const known = new Set([realOrWritten(nearest)]);
  const further = [...others, ...led].filter(
    (folder) => !known.has(realOrWritten(folder)) && known.add(realOrWritten(folder)),
  );
  return [nearest, ...further];
}

/** The nearest marked folder, or the first of all, and those above it with settings of ours. */
function marked(start: string): readonly [string, ...string[]] {
  const home = userInfo().homedir;
  let nearest: string | undefined;
  const others: string[] = [];
  for (let at = start; ; at = path.dirname(at)) {
    if (at !== start && (at === home || home.startsWith(`${at}${path.sep}`))) break;
    if (nearest !== undefined) others.push(...(hasOwn(at) ? [at] : []));
    else if (hasOwn(at) || existsSync(path.join(at, '.git'))) nearest = at;
    if (path.dirname(at) === at) break;
  }
  return [nearest ?? start, ...others];
}

const own = [path.join('.vscode', 'capabilities'), path.join('.vscode', 'settings.json')];
const hasOwn = (folder: string): boolean => own.some((mark) => existsSync(path.join(folder, mark)));

/**
 * How deep a place lies in the tree of a folder that holds it, as the length of that folder's path; -1 where it lies
 * elsewhere, both by what is written and by where links lead.
 */
export function depthIn(folder: string, place: string): number {
  return isWithin(place, folder) || isWithin(realOrWritten(place), realOrWritten(folder)) ? folder.length : -1;
}

const realOrWritten = (place: string): string => realOf(place) ?? path.resolve(place);
