import type { FileSystem } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';

/** Opens a file, reads it from its start, and closes it; of a longer file no more than `most` bytes. */
export async function readWhole(
  files: Pick<FileSystem, 'open'>,
  path: WorkspacePath,
  most = Infinity,
): Promise<Uint8Array> {
  const file = await files.open(path);
  try {
    return await file.read(0, Math.min(file.stat.size, most));
  } finally {
    await file.close();
  }
}
