import * as vscode from 'vscode';
import { statIfThere } from './fileText';

/** So long the editor's watcher may take for a folder, in ms; where it takes longer, nobody waits for it. */
const seenWithinMs = 3000;

/**
 * Makes a folder of the workspace, and ends when the editor's own watcher has told of it: of what is put into a folder
 * before that, and changed later, the watcher mostly tells nothing.
 * @param path from the folder of the workspace, with `/`.
 */
export async function makeSeen(folder: vscode.Uri, path: string, make: () => PromiseLike<unknown>): Promise<void> {
  const uri = vscode.Uri.joinPath(folder, path).toString();
  // A pattern without a base asks for no watching of its own, which would tell sooner than the one that matters.
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${path}`, false, true, true);
  let timer: NodeJS.Timeout | undefined;
  const seen = new Promise<void>((resolve) => {
    watcher.onDidCreate((created) => created.toString() === uri && resolve());
    timer = setTimeout(resolve, seenWithinMs);
  });
  try {
    await make();
    await seen;
  } finally {
    clearTimeout(timer);
    watcher.dispose();
  }
}

/** Makes the folders of this path that are missing, one by one, each seen before the next. */
export async function makeFoldersSeen(folder: vscode.Uri, path: string): Promise<void> {
  const names = path.split('/');
  for (let count = 1; count <= names.length; count++) {
    const part = names.slice(0, count).join('/');
    const uri = vscode.Uri.joinPath(folder, part);
    if (!(await statIfThere(uri))) await makeSeen(folder, part, () => vscode.workspace.fs.createDirectory(uri));
  }
}
