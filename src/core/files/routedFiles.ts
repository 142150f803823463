import { toolError } from '../vocabulary/errors';
import type { FileSystem, MoveOptions } from '../ports/files';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';
import { ForwardingFiles } from './forwardingFiles';

/**
 * Sends each path to the file system of its folder's scheme: `file` to the one of the machine, all others to the
 * editor's. Folders of both kinds may stand in one workspace.
 */
export class RoutedFiles extends ForwardingFiles {
  readonly #virtual: FileSystem;
  override readonly folders: () => readonly WorkspaceFolder[];

  constructor(local: FileSystem, virtual: FileSystem, folders: () => readonly WorkspaceFolder[]) {
    super(local);
    this.#virtual = virtual;
    this.folders = folders;
  }

  protected override below(path?: WorkspacePath): FileSystem {
    return path === undefined || path.folder.scheme === 'file' ? this.files : this.#virtual;
  }

  override async rename(from: WorkspacePath, to: WorkspacePath, options: MoveOptions): Promise<void> {
    if (this.below(from) !== this.below(to)) {
      throw toolError(
        'unsupported',
        'the two places are on different file systems; write a copy with write_file and delete the original',
      );
    }
    return super.rename(from, to, options);
  }
}
