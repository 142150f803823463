import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { serverLabel } from '../tools/agentToolNames';
import { mcpProviderId } from '../manifest/mcp';

interface AgentModeServer {
  /** Starts the window's loopback server on first use and answers where it is and its token. */
  readonly endpoint: () => Promise<{ readonly url: string; readonly token: string }>;
  /** True while the profile offers tools that exist at run time only; until the first, no server is shown. */
  readonly hasTools: () => boolean;
  readonly onDidChange: Event<void>;
  /** Differs in every window, so that the editor asks anew for tools that it kept from the last one. */
  readonly version: string;
}

/**
 * Offers the window's loopback server to agent mode, which starts it by itself with the first message. The token lives
 * as long as the window.
 */
export function registerMcpProvider(server: AgentModeServer): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  // Once shown it stays: a server that goes and comes back is not started again by the editor. Its list of tools may be
  // empty.
  let isShown = server.hasTools();
  store.add(
    server.onDidChange(() => {
      if (isShown || !server.hasTools()) return;
      isShown = true;
      changed.fire();
    }),
  );
  store.add(
    vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => {
        if (!isShown) return [];
        const { url, token } = await server.endpoint();
        return [
          new vscode.McpHttpServerDefinition(
            serverLabel,
            vscode.Uri.parse(url),
            { Authorization: `Bearer ${token}` },
            server.version,
          ),
        ];
      },
    }),
  );
  return store;
}
