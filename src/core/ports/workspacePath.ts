/** A root folder of the workspace. */
export interface WorkspaceFolder {
  /** The name that prefixes paths where there are several folders; no two folders share one. */
  readonly name: string;
  /** The absolute path of the machine for scheme `file`, else the URI's path. */
  readonly path: string;
  readonly scheme: string;
}

/**
 * A path that has been resolved against the workspace's folders: `path` is relative to the folder, with `/`, empty for
 * the folder itself.
 */
export interface WorkspacePath {
  readonly folder: WorkspaceFolder;
  readonly path: string;
}

export type FileType = 'file' | 'directory' | 'symlink' | 'other';
