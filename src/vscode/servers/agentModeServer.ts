import * as vscode from 'vscode';
import { Emitter, type Event } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import { serverLabel } from '../tools/agentToolNames';

interface AgentModeServerOptions {
  /** Starts the window's loopback server on first use and answers where it is and its token. */
  readonly endpoint: () => Promise<{ readonly url: string; readonly token: string }>;
  /** True while the profile offers tools that exist at run time only; until the first, no server is shown. */
  readonly hasTools: () => boolean;
  readonly onDidChange: Event<void>;
  /** Differs in every window, so that the editor asks anew for tools that it kept from the last one. */
  readonly version: string;
}

/**
 * The window's loopback server as agent mode sees it, which starts it by itself with the first message. The token lives
 * as long as the window.
 */
export class AgentModeServer extends DisposableStore {
  readonly #changed = this.add(new Emitter<void>());
  readonly #server: AgentModeServerOptions;
  // Once shown it stays: a server that goes and comes back is not started again by the editor. Its list of tools may be
  // empty.
  #isShown: boolean;
  /** Fires when the server is shown from now on. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(server: AgentModeServerOptions) {
    super();
    this.#server = server;
    this.#isShown = server.hasTools();
    this.add(
      server.onDidChange(() => {
        if (this.#isShown || !server.hasTools()) return;
        this.#isShown = true;
        this.#changed.fire();
      }),
    );
  }

  /** The server, in the editor's words; none where it has nothing to offer yet. */
  async definitions(): Promise<vscode.McpServerDefinition[]> {
    if (!this.#isShown) return [];
    const { url, token } = await this.#server.endpoint();
    return [
      new vscode.McpHttpServerDefinition(
        serverLabel,
        vscode.Uri.parse(url),
        { Authorization: `Bearer ${token}` },
        this.#server.version,
      ),
    ];
  }
}
