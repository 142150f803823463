/** A root folder of the workspace. */
export interface WorkspaceFolder {
  /** The name that prefixes paths where there are several folders. */
  readonly name: string;
  /** The absolute path of the machine for scheme `file`, else the URI's path. */
  readonly path: string;
  readonly scheme: string;
}

/** A path that has been resolved against the workspace's folders: `path` is relative to the folder, with `/`, empty for the folder itself. */
export interface WorkspacePath {
  readonly folder: WorkspaceFolder;
  readonly path: string;
}

export type FileType = 'file' | 'directory' | 'symlink' | 'other';

export interface FileStat {
  readonly type: FileType;
  readonly size: number;
  readonly readonly: boolean;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly accessedMs: number;
  /** Permission bits where the file system has them. */
  readonly mode?: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: FileType;
}

/**
 * The files of the workspace. Every method re-checks containment on what it opened, so that a link swapped in between is refused;
 * all errors are ToolErrors with the codes `not_found`, `path_outside`, `is_a_directory`, `not_a_directory`, `no_space` and so on.
 */
export interface FileSystem {
  folders(): readonly WorkspaceFolder[];
  /** True where names that differ only in case are the same file. */
  readonly caseInsensitive: boolean;
  /** Facts about the path itself; undefined where nothing is there. A symlink that leads outside is refused. */
  stat(path: WorkspacePath): Promise<FileStat | undefined>;
  readFile(path: WorkspacePath, range?: { readonly offset: number; readonly length: number }): Promise<Uint8Array>;
  /** Writes whole content atomically; parents are created. `created` tells whether the file is new. */
  writeFile(path: WorkspacePath, content: Uint8Array): Promise<{ readonly created: boolean }>;
  readDirectory(path: WorkspacePath): Promise<readonly DirectoryEntry[]>;
  delete(path: WorkspacePath, options: { readonly recursive: boolean; readonly toTrash: boolean }): Promise<void>;
}
