import { readFile } from 'node:fs/promises';
import { isObject, nameTable, parsedJson } from '../../../core/base/json';
import { replaceFile } from '../../files/replaceFile';

/** What is known of the last checkpoint of a folder, beside what git holds. */
export interface FolderState {
  readonly tree: string;
  readonly files: number;
  /** Of all files that are held. */
  readonly bytes: number;
  /** What was taken in since the first checkpoint. */
  readonly added: number;
  readonly modes: Readonly<Record<string, number>>;
}

/** Undefined where there is none, or none that can be read: all is begun anew then. */
export async function readState(file: string): Promise<FolderState | undefined> {
  const value = parsedJson(await readFile(file, 'utf8').catch(() => undefined));
  if (!isObject(value)) return undefined;
  const { tree, files, bytes, added, modes } = value;
  if (typeof tree !== 'string' || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})?$/.test(tree)) return undefined;
  if (!isCount(files) || !isCount(bytes) || !isCount(added) || !isObject(modes)) return undefined;
  const known = nameTable<number>();
  for (const [name, mode] of Object.entries(modes)) {
    if (!isCount(mode)) return undefined;
    known[name] = mode;
  }
  return { tree, files, bytes, added, modes: known };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

export async function writeState(file: string, state: FolderState): Promise<void> {
  await replaceFile(file, JSON.stringify(state));
}
