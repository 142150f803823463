import path from 'node:path';
import { ownValue } from '../../core/base/json';
import { type FillInOptions, fillPlaces } from '../../core/foreign/fillIn';
import { referencesOf } from '../../core/foreign/references';
import type { McpClientPorts } from './clientPorts';

type FolderPorts = Pick<McpClientPorts, 'files' | 'trusted' | 'environment'>;

/**
 * Where a program of an entry runs: its `cwd`, else the first workspace folder; in an untrusted workspace the person's
 * home folder, because programs read settings where they start. Relative path arguments of its tools start there too.
 */
export function serverFolder(
  cwd: string | undefined,
  { files, trusted, environment }: FolderPorts,
): string | undefined {
  const first = workspaceFolder(files);
  const base = trusted() ? first : (environment['HOME'] ?? environment['USERPROFILE'] ?? first);
  let filled = fillPlaces(cwd ?? '', { workspaceFolder: first, environment });
  for (const { type, name, whole } of referencesOf(filled))
    if (type === 'env') filled = filled.replace(whole, () => ownValue(environment, name) ?? '');
  if (filled === '') return base;
  return base === undefined ? filled : path.resolve(base, filled);
}

/** The first folder of the workspace that is one of this machine. */
export function workspaceFolder(files: McpClientPorts['files']): string | undefined {
  return files.folders().find(({ scheme }) => scheme === 'file')?.path;
}

/** What `${…}` in an entry may name. */
export function entryValues({ secrets, files, environment }: McpClientPorts): FillInOptions {
  return { secrets, workspaceFolder: workspaceFolder(files), environment };
}
