import { userInfo } from 'node:os';
import path from 'node:path';
import { movingVariables, type UserFolders } from '../../core/vocabulary/agentPlaces';
import { nearestThere, realOf } from './quietly';

/**
 * The home folder as the programs of a shell find it, by `HOME`, or `USERPROFILE` on Windows. For files that belong to
 * other programs only: what is ours is in the private folder, which no variable moves.
 */
export function homeOf(environment: NodeJS.ProcessEnv): string {
  const named = environment[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  return path.resolve(named || userInfo().homedir);
}

/**
 * Where a shell's agents keep their files. Links to a folder that a variable names are followed, as Codex does; of one
 * that is not there yet those above it, so that it has the same name once it is made.
 */
export function userFolders(environment: NodeJS.ProcessEnv): UserFolders {
  const moved = movingVariables.flatMap((variable) => {
    const folder = environment[variable];
    return folder ? [[variable, realOrToBe(path.resolve(folder))] as const] : [];
  });
  return { home: homeOf(environment), moved: Object.fromEntries(moved) };
}

function realOrToBe(folder: string): string {
  const there = nearestThere(folder);
  return path.join(realOf(there) ?? there, path.relative(there, folder));
}
