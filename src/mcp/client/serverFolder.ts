import path from 'node:path';
import { fillPlaces } from '../../core/foreign/fillIn';
import { referencesOf } from '../../core/foreign/references';
import type { McpParts } from './clientPorts';

type FolderParts = Pick<McpParts, 'files' | 'trusted' | 'environment'>;

/**
 * Where a program of an entry runs: its `cwd`, else the first workspace folder; in an untrusted workspace the person's
 * home folder, because programs read settings where they start. Relative path arguments of its tools start there too.
 */
export function serverFolder(
  cwd: string | undefined,
  { files, trusted, environment }: FolderParts,
): string | undefined {
  const workspaceFolder = files.folders().find(({ scheme }) => scheme === 'file')?.path;
  const base = trusted() ? workspaceFolder : (environment['HOME'] ?? environment['USERPROFILE'] ?? workspaceFolder);
  let filled = fillPlaces(cwd ?? '', { workspaceFolder, environment });
  for (const { type, name, whole } of referencesOf(filled))
    if (type === 'env') filled = filled.replace(whole, () => environment[name] ?? '');
  if (filled === '') return base;
  return base === undefined ? filled : path.resolve(base, filled);
}
