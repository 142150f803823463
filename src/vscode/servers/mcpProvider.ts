import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { serverLabel } from '../tools/agentToolNames';
import { mcpProviderId } from '../manifest/mcp';

interface McpProviderParts {
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
export function registerMcpProvider(parts: McpProviderParts): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  // Once shown it stays: a server that goes and comes back is not started again by the editor. Its list of tools may be
  // empty.
  let offered = parts.hasTools();
  store.add(
    parts.onDidChange(() => {
      if (offered || !parts.hasTools()) return;
      offered = true;
      changed.fire();
    }),
  );
  store.add(
    vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => {
        if (!offered) return [];
        const { url, token } = await parts.endpoint();
        return [
          new vscode.McpHttpServerDefinition(
            serverLabel,
            vscode.Uri.parse(url),
            { Authorization: `Bearer ${token}` },
            parts.version,
          ),
        ];
      },
    }),
  );
  return store;
}
