import * as vscode from 'vscode';
import type { WorkspacePath } from '../../core/ports/workspacePath';
import { uriOf } from '../files/workspaceFiles';

/** So long the editor's watcher may take for a folder, in ms; where it takes longer, nobody waits for it. */
const seenWithinMs = 3000;

/** Makes a folder of the workspace, and ends when the editor's own watcher has told of it. */
export async function makeSeen(place: WorkspacePath, make: () => Promise<unknown>): Promise<void> {
  const uri = uriOf(place).toString();
  // A pattern without a base asks for no watching of its own, which would tell sooner than the one that matters.
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${place.path}`, false, true, true);
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
