import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';

const scheme = 'agent-capabilities';
const kept = 50;

/** Shows texts in editors that cannot be changed or saved: a result, a whole confirmation, a runtime agent. */
export class ReadOnlyText implements vscode.TextDocumentContentProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #texts = new Map<string, string>();
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? vscode.l10n.t('This text is gone; run the command again.');
  }

  /** The address of a text; the same name again replaces it, also where it is open. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.#texts.delete(uri.path);
    this.#texts.set(uri.path, text);
    const oldest = this.#texts.keys().next();
    if (this.#texts.size > kept && oldest.value !== undefined) this.#texts.delete(oldest.value);
    this.#changed.fire(uri);
    return uri;
  }

  async open(name: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.put(name, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#store.dispose();
  }
}
