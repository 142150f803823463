import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import type { FolderWatch } from '../../core/protection/protector';
import { policyFolderPattern, watchFiles } from './watchFiles';
import { localFolders } from './workspaceFiles';

/** Both watchers tell of most changes, and `git` changes many files at once: all of that is told as one. */
const burstMs = 25;

/** Watches `.vscode/capabilities` of folders of this machine, as far as they are there by the last look. */
type WatchPolicyFolders = (workspaces: () => readonly string[], onChange: (place: string) => void) => FolderWatch;

/**
 * Hears of everything in `.vscode/capabilities` of each workspace folder. On Linux the editor's own watcher loses a
 * folder that comes in one step with its parent, as `mkdir -p` and `git` make it, for as long as the window stands; so
 * the folders of this machine are watched beside it.
 */
export class PolicyFolders extends DisposableStore {
  readonly #changed = this.add(new Emitter<readonly vscode.Uri[]>());
  readonly #seen = new Map<string, vscode.Uri>();
  readonly #burst = this.add(new Debounce(() => this.#tell(), burstMs));
  /** Files that came, changed or went, and folders of which it is not known what. */
  readonly onDidChange = this.#changed.event;

  constructor(watch: WatchPolicyFolders) {
    super();
    const hear = (uri: vscode.Uri): void => {
      this.#seen.set(uri.toString(), uri);
      this.#burst.start();
    };
    const beside = this.add(watch(localFolders, (place) => hear(vscode.Uri.file(place))));
    beside.look();
    this.add(watchFiles('**/.vscode/capabilities/**', hear));
    this.add(
      watchFiles(policyFolderPattern, (uri) => {
        beside.look();
        hear(uri);
      }),
    );
    // A save is heard at once; the watcher of the file system may take its time.
    this.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.includes('/.vscode/capabilities/')) hear(uri);
      }),
    );
    this.add(
      vscode.workspace.onDidChangeWorkspaceFolders(({ added }) => {
        beside.look();
        for (const { uri } of added) hear(vscode.Uri.joinPath(uri, '.vscode'));
      }),
    );
  }

  #tell(): void {
    const uris = [...this.#seen.values()];
    this.#seen.clear();
    this.#changed.fire(uris);
  }
}

/** True of the folders whose coming and going says nothing of the files in them. */
export const isPolicyFolder = ({ path }: vscode.Uri): boolean => /\/\.vscode(?:\/capabilities)?\/?$/.test(path);
