import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';

/** A server may write thousands of lines in a second; a shown log is drawn at most so often, in milliseconds. */
const drawnEveryMs = 250;

interface ServerLogsOptions {
  readonly servers: { log(name: string): readonly string[]; readonly onDidLog: Event<string> };
  readonly texts: { renew(name: string, text: string): vscode.Uri };
}

/**
 * The logs of MCP servers in editors that follow what is written: a log that is scrolled to its end stays at its end,
 * one in which somebody reads further up stays where it is.
 */
export class ServerLogs extends DisposableStore {
  readonly #options: ServerLogsOptions;
  /** The names of the servers whose logs are open, by the addresses of their texts. */
  readonly #open = new Map<string, string>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(options: ServerLogsOptions) {
    super();
    this.#options = options;
    this.add(options.servers.onDidLog((name) => this.#follow(name)));
    this.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#open.delete(uri.toString())));
  }

  /** Opens a server's log, which is kept up to date as long as it is open. */
  async show(name: string): Promise<void> {
    const uri = this.#put(name);
    const document = await vscode.workspace.openTextDocument(uri);
    this.#open.set(uri.toString(), name);
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    toEnd(editor);
  }

  override dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    super.dispose();
  }

  #follow(name: string): void {
    if (this.#waiting.has(name) || ![...this.#open.values()].includes(name)) return;
    this.#waiting.set(
      name,
      setTimeout(() => {
        this.#waiting.delete(name);
        this.#redraw(name);
      }, drawnEveryMs),
    );
  }

  #redraw(name: string): void {
    const atEnd = vscode.window.visibleTextEditors.filter(
      ({ document, visibleRanges }) =>
        this.#open.get(document.uri.toString()) === name &&
        visibleRanges.some(({ end }) => end.line >= document.lineCount - 2),
    );
    const address = this.#put(name).toString();
    if (atEnd.length === 0) return;
    // The editor takes the new text a little later.
    const changed = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() !== address) return;
      changed.dispose();
      for (const editor of atEnd) toEnd(editor);
    });
    setTimeout(() => changed.dispose(), 5000);
  }

  #put(name: string): vscode.Uri {
    const lines = this.#options.servers.log(name);
    const text = lines.length === 0 ? vscode.l10n.t('The server has said nothing so far.') : lines.join('\n');
    return this.#options.texts.renew(`mcp-${name.replace(/[^\w.-]+/g, '_')}.log`, `${text}\n`);
  }
}

function toEnd(editor: vscode.TextEditor): void {
  const end = editor.document.lineAt(editor.document.lineCount - 1).range;
  editor.revealRange(end);
}
