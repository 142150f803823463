import type { DirectoryEntry, FileStat, MoveOptions } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';

/** What a file system behind the editor offers. Errors are ToolErrors; a missing path is `not_found`. */
export interface RawFiles {
  stat(path: WorkspacePath): Promise<FileStat>;
  readFile(path: WorkspacePath): Promise<Uint8Array>;
  writeFile(path: WorkspacePath, content: Uint8Array): Promise<void>;
  createDirectory(path: WorkspacePath): Promise<void>;
  readDirectory(path: WorkspacePath): Promise<readonly DirectoryEntry[]>;
  delete(path: WorkspacePath, options: { readonly recursive: boolean; readonly toTrash: boolean }): Promise<void>;
  rename(from: WorkspacePath, to: WorkspacePath, options: MoveOptions): Promise<void>;
}
