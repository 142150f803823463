import * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Problem } from '../../core/base/problem';
import { leftOut } from '../../core/profiles/leftOut';
import type { MoreRows } from './capabilityView';

/** Shows in the tree what of this workspace counts for nothing. */
export class LeftOut extends DisposableStore implements MoreRows {
  readonly #changed = this.add(new Emitter<void>());
  readonly changes = [this.#changed.event];
  #folders: Parameters<typeof leftOut>[0]['folders'] = [];

  constructor() {
    super();
    const refresh = (): void => void this.#refresh();
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(refresh));
    this.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.path.endsWith('/.vscode/settings.json') && refresh()),
    );
    if ((vscode.workspace.workspaceFolders?.length ?? 0) > 1) refresh();
  }

  problems(): readonly Problem[] {
    return leftOut({ isTrusted: vscode.workspace.isTrusted, folders: this.#folders });
  }

  async #refresh(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    this.#folders = folders.length < 2 ? [] : await (await import('./folderProfiles')).folderProfiles(folders);
    this.#changed.fire();
  }
}
