import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/**
 * The folder whose rules count for an agent that works in `cwd`: the nearest one above it that is a repository or has
 * settings of ours, else `cwd` itself. Never the home folder or one above, unless that is `cwd`. Throws for a folder that
 * is not there.
 */
export function hookWorkspace(cwd: string): string {
  const start = path.resolve(cwd);
  if (!statSync(start).isDirectory()) throw new Error(`\`${start}\` is no folder`);
  const home = userInfo().homedir;
  for (let at = start; ; at = path.dirname(at)) {
    if (at !== start && (at === home || home.startsWith(`${at}${path.sep}`))) return start;
    if (marks.some((mark) => existsSync(path.join(at, mark)))) return at;
    if (path.dirname(at) === at) return start;
  }
}

const marks = ['.git', path.join('.vscode', 'capabilities'), path.join('.vscode', 'settings.json')];
