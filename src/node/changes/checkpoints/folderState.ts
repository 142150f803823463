import { readFile, rename, writeFile } from 'node:fs/promises';
import { isObject } from '../../../core/base/json';

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

/** Undefined where there is none, or none that can be read. */
export async function readState(file: string): Promise<FolderState | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    // Written below, in a private folder.
    return isObject(value) && typeof value['tree'] === 'string' ? (value as object as FolderState) : undefined;
  } catch {
    return undefined;
  }
}

export async function writeState(file: string, state: FolderState): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
