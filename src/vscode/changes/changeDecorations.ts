import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';

/** Marks files in the explorer that an agent changed last. */
export class ChangeDecorations extends DisposableStore implements vscode.FileDecorationProvider {
  readonly #changed = this.add(new vscode.EventEmitter<vscode.Uri[]>());
  readonly onDidChangeFileDecorations = this.#changed.event;
  #marked = new Map<string, vscode.Uri>();
  #words = '';

  constructor() {
    super();
    this.add(vscode.window.registerFileDecorationProvider(this));
  }

  /**
   * @param profile the name of the profile by which they were changed.
   * @param agent the name of the agent that did it by a tool of its own.
   */
  set(uris: readonly vscode.Uri[], profile: string, agent?: string): void {
    const before = this.#marked;
    this.#marked = new Map(uris.map((uri) => [uri.toString(), uri]));
    this.#words =
      agent === undefined
        ? vscode.l10n.t('Changed by an agent (profile {0})', visible(profile))
        : vscode.l10n.t('Changed by {0}', agent);
    const touched = new Map([...before, ...this.#marked]);
    if (touched.size > 0) this.#changed.fire([...touched.values()]);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (!this.#marked.has(uri.toString())) return undefined;
    return new vscode.FileDecoration('Ag', this.#words);
  }
}
