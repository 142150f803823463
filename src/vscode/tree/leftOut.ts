import * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { leftOut } from '../../core/profiles/leftOut';
import type { MoreRows } from './capabilityView';

/** Shows in the tree what of this workspace counts for nothing. */
export class LeftOut implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #folders: Parameters<typeof leftOut>[0]['folders'] = [];
  readonly rows: MoreRows = {
    rows: () => [],
    problems: () => leftOut({ isTrusted: vscode.workspace.isTrusted, folders: this.#folders }),
    changes: [this.#changed.event],
  };

  constructor() {
    const refresh = (): void => void this.#refresh();
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(refresh));
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.path.endsWith('/.vscode/settings.json') && refresh()),
    );
    if ((vscode.workspace.workspaceFolders?.length ?? 0) > 1) refresh();
  }

  async #refresh(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    this.#folders = folders.length < 2 ? [] : await (await import('./folderProfiles')).folderProfiles(folders);
    this.#changed.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
