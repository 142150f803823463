import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { lazy } from '../core/base/lazy';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { replaceListedText } from '../node/files/replaceFile';
import { nodeCrypto } from '../node/system';
import { AgentFileWriter } from '../vscode/agent/agentFileWriter';
import type { RuntimeAgentPanel } from '../vscode/agent/runtimeAgentPanel';
import { textWriter } from '../vscode/files/fileText';
import type { EditorParts } from './editorParts';

/** The custom agent of the active profile as it stands in the editor's list, and the page that shows what it is. */
interface EditorAgent extends Disposable, Pick<EditorParts, 'agentFile'> {
  /** Loaded when it is first shown. */
  readonly panel: Pick<RuntimeAgentPanel, 'show'>;
}

export function editorAgent({ base, core }: Pick<EditorParts, 'base' | 'core'>): EditorAgent {
  const { context, log, storage, texts, userStorage } = base;
  const { isTrusted, onDidChange, report, settings } = core;
  const { flow, ports } = core.gate;
  const { ownAgent, runtimeAgent } = core.agents;
  const store = new DisposableStore();
  const agentFile = store.add(
    new AgentFileWriter({
      profiles: core.tools.profiles,
      settings,
      runtimeAgent,
      ownAgent,
      isTrusted,
      report,
      onDidChange,
      files: ports.files,
      crypto: nodeCrypto,
      storage,
      userStorage,
      log,
      texts,
      userFolder: vscode.Uri.file(path.join(homedir(), '.copilot', 'agents')),
      // Not in the folder above: the editor looks for plugins there at each change, and reads its agents once more.
      writeText: textWriter((file, text) => replaceListedText(context.globalStorageUri.fsPath, file, text)),
      extensionId: context.extension.id.toLowerCase(),
    }),
  );
  const panel = lazy(async (): Promise<RuntimeAgentPanel> => {
    const { RuntimeAgentPanel: Panel } = await import('../vscode/agent/runtimeAgentPanel');
    const labels = () => flow.loaded?.sessions() ?? [];
    return store.add(
      new Panel({ agent: runtimeAgent, labels, changes: [onDidChange, flow.onDidChange], crypto: nodeCrypto }),
    );
  });
  return { agentFile, panel: { show: async () => (await panel()).show() }, dispose: () => store.dispose() };
}
