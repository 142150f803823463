import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/lifecycle';
import { setLast } from '../../core/base/maps';
import { commandId } from '../manifest/commands/commandId';
import type { CommandId } from '../manifest/commands/commandTable';

const scheme = 'agent-capabilities';
const kept = 50;
/**
 * The command that shows a text, by the name of its tab: a window that was loaded anew has the tab and not the text.
 */
const shownBy: Readonly<Record<string, CommandId>> = {
  '/Capabilities.md': 'listCapabilities',
  '/Explanation.md': 'whyCall',
  '/Simulation.md': 'simulatePolicy',
};

/** Shows texts in editors that cannot be changed or saved: a result, a whole confirmation, a runtime agent. */
export class ReadOnlyText implements vscode.TextDocumentContentProvider, Disposable {
  readonly #titleOf: (command: string) => string;
  /** By their address. */
  readonly #texts = new Map<string, string>();
  #count = 0;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  /** @param titleOf the title of a command, in the person's language. */
  constructor(titleOf: (command: string) => string) {
    this.#titleOf = titleOf;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const text = this.#texts.get(uri.toString());
    if (text !== undefined) return text;
    const command = shownBy[uri.path];
    return command === undefined
      ? vscode.l10n.t('This text is gone; run the command again.')
      : vscode.l10n.t('This text is gone; run "{0}" again.', this.#titleOf(commandId(command)));
  }

  /**
   * A new address for a text, also under a name that was there before: a page reads an address once and whole. Of a
   * change that comes while it is loading it hears nothing, and after some minutes of none at all.
   */
  put(name: string, text: string): vscode.Uri {
    return this.#keep(vscode.Uri.from({ scheme, path: `/${name}`, query: `${Date.now()}.${++this.#count}` }), text);
  }

  /** The address of a text by its name: where an editor has one of this name, it has the new one from then on. */
  renew(name: string, text: string): vscode.Uri {
    const there = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === scheme && uri.path === `/${name}`);
    const uri = there ? this.#keep(there.uri, text) : this.put(name, text);
    this.#changed.fire(uri);
    return uri;
  }

  async open(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.renew(name, text));
  }

  #keep(uri: vscode.Uri, text: string): vscode.Uri {
    setLast(this.#texts, uri.toString(), text, kept);
    return uri;
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

/** Shows a markdown text as it reads. */
export async function preview(texts: Pick<ReadOnlyText, 'put'>, name: string, text: string): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', texts.put(name, text));
}
