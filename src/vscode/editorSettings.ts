import * as vscode from 'vscode';
import { Emitter } from '../core/base/event';
import type { JsonObject } from '../core/base/json';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { ProfileSettings, SaveTarget } from '../core/profileEditor';
import { settingSpecs, type SettingsLayers } from '../core/settings';

const section = 'agentCapabilities';

/** The editor's settings scope by scope; never the merged value, because the scopes meet by rules of our own (design.md 6). */
export class EditorSettings implements Disposable, ProfileSettings {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #managed: () => Readonly<Record<string, unknown>>;
  readonly onDidChange = this.#changed.event;

  /** @param managed the content of the managed file, as it was read last. */
  constructor(managed: () => Readonly<Record<string, unknown>>) {
    this.#managed = managed;
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) this.#changed.fire();
      }),
    );
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire()));
  }

  /** To be called when the managed file changed. */
  refresh(): void {
    this.#changed.fire();
  }

  /** All scopes of every setting. */
  layers(): SettingsLayers {
    const config = vscode.workspace.getConfiguration(section);
    const user: Record<string, unknown> = {};
    const workspace: Record<string, unknown> = {};
    for (const { key } of settingSpecs) {
      const found = config.inspect(key);
      if (found?.globalValue !== undefined) user[key] = found.globalValue;
      const own = found?.workspaceFolderValue ?? found?.workspaceValue;
      if (own !== undefined) workspace[key] = own;
    }
    return { managed: this.#managed(), user, workspace };
  }

  target(): SaveTarget {
    const folders = vscode.workspace.workspaceFolders?.length ?? 0;
    const wanted = vscode.workspace.getConfiguration(section).inspect('saveTo')?.globalValue;
    return folders === 0 || wanted === 'user' ? 'user' : 'workspace';
  }

  read(target: SaveTarget): unknown {
    const found = vscode.workspace.getConfiguration(section).inspect('profiles');
    return target === 'user' ? found?.globalValue : found?.workspaceValue;
  }

  async write(target: SaveTarget, value: JsonObject | undefined): Promise<void> {
    const where = target === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    await vscode.workspace.getConfiguration(section).update('profiles', value, where);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
