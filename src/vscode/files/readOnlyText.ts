import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/lifecycle';
import { keepNewest } from '../keepNewest';
import { commandId } from '../manifest/commands/commandId';
import type { CommandId } from '../manifest/commands/commandTable';

const scheme = 'agent-capabilities';
const kept = 50;
/** The command that shows a text, by the name of its tab: a window that was loaded anew has the tab and not the text. */
const shownBy: Readonly<Record<string, CommandId>> = {
  '/Capabilities.md': 'listCapabilities',
  '/Explanation.md': 'whyCall',
  '/Simulation.md': 'simulatePolicy',
};

/** Shows texts in editors that cannot be changed or saved: a result, a whole confirmation, a runtime agent. */
export class ReadOnlyText implements vscode.TextDocumentContentProvider, Disposable {
  readonly #titleOf: (command: string) => string;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  /** @param titleOf the title of a command, in the person's language. */
  constructor(titleOf: (command: string) => string) {
    this.#titleOf = titleOf;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const text = this.#texts.get(uri.path);
    if (text !== undefined) return text;
    const command = shownBy[uri.path];
    return command === undefined
      ? vscode.l10n.t('This text is gone; run the command again.')
      : vscode.l10n.t('This text is gone; run "{0}" again.', this.#titleOf(commandId(command)));
  }

  /**
   * The address of a text; the same name again replaces it, also where it is open. A preview outlives its document, which
   * the editor closes after some minutes, and then hears of no change; another address makes it read anew.
   */
  put(name: string, text: string): vscode.Uri {
    const path = `/${name}`;
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === scheme && uri.path === path);
    const uri = open?.uri ?? vscode.Uri.from({ scheme, path, query: `${Date.now()}` });
    keepNewest(this.#texts, path, text, kept);
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

/** Shows a markdown text as it reads. */
export async function preview(texts: Pick<ReadOnlyText, 'put'>, name: string, text: string): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', texts.put(name, text));
}
