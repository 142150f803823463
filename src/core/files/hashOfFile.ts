import type { FileSystem } from '../ports/files';
import type { Crypto } from '../ports/platform';
import { resolvePath } from './paths';
import { readWhole } from './readWhole';

/** Larger files are not read for it. In bytes. */
const largest = 4_000_000;

/** The SHA-256 of a file as it is now, by its shown path; undefined where it cannot be read, or is too large. */
export async function hashOfFile(
  { files, crypto }: { readonly files: FileSystem; readonly crypto: Pick<Crypto, 'sha256'> },
  shown: string,
): Promise<string | undefined> {
  try {
    const path = await resolvePath(files, shown);
    const stat = await files.stat(path);
    if (stat?.type !== 'file' || stat.size > largest) return undefined;
    return crypto.sha256(await readWhole(files, path, largest));
  } catch {
    // What cannot be read here is known by its place alone.
    return undefined;
  }
}
