import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/lifecycle';

const scheme = 'agent-capabilities';
const kept = 50;

/** Shows texts in editors that cannot be changed or saved: a result, a whole confirmation, a runtime agent. */
export class ReadOnlyText implements vscode.TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? vscode.l10n.t('This text is gone; run the command again.');
  }

  /**
   * The address of a text; the same name again replaces it, also where it is open. A preview outlives its document, which
   * the editor closes after some minutes, and then hears of no change; another address makes it read anew.
   */
  put(name: string, text: string): vscode.Uri {
    const path = `/${name}`;
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === scheme && uri.path === path);
    const uri = open?.uri ?? vscode.Uri.from({ scheme, path, query: `${Date.now()}` });
    this.#texts.delete(path);
    this.#texts.set(path, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > kept) this.#texts.delete(oldest);
    this.#changed.fire(uri);
    return uri;
  }

  async open(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.put(name, text));
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
