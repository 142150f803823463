import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { HostAgent } from '../../core/hooks/hostEvent';
import { serverPlaces } from '../../core/protection/serverPlaces';

/** A larger file of servers counts as one that has our name. */
const largestFile = 1_000_000;
/** Our name, or letters that are written so that they cannot be read at a glance. */
const ourName = /agent[-_. ]?capab|\\[uUx]/i;

/**
 * Whether a repository may have given an agent a server that has our name: then its tools cannot be told from ours. The
 * folder and all above it are looked at, up to the user's home, whose files are the user's own.
 */
export function repositoryTakesOurName(agent: HostAgent, cwd: string | undefined): boolean {
  const home = userInfo().homedir;
  for (let folder = path.resolve(cwd ?? '.'); folder !== home; folder = path.dirname(folder)) {
    const files = serverPlaces[agent].folder;
    if (files.some((file) => takesOurName(agent, path.join(folder, file)))) return true;
    if (path.dirname(folder) === folder) return false;
  }
  return false;
}

function takesOurName(agent: HostAgent, file: string): boolean {
  try {
    const { size } = statSync(file);
    // VS Code names tools after what a server calls itself, so that any server may take our name.
    return agent === 'vscode' || size > largestFile || ourName.test(readFileSync(file, 'utf8'));
  } catch (error) {
    return !(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'));
  }
}
