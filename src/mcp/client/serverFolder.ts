import path from 'node:path';

/** Where a server runs: its `cwd`, else the first workspace folder. Relative path arguments of its tools start there. */
export function serverFolder(cwd: string, workspaceFolder: string | undefined): string | undefined {
  if (cwd === '') return workspaceFolder;
  return workspaceFolder === undefined ? cwd : path.resolve(workspaceFolder, cwd);
}
