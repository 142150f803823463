import { localFolders } from '../vscode/files/workspaceFiles';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { AgentProtection } from '../core/protection/meter';
import { systemClock } from '../node/system';
import type { EditorParts } from './editorParts';

/** The agents that meet the gate by their hooks. */
export interface OtherAgents extends Disposable {
  /** Answers their hooks from now on, and keeps the meters up to date. Called once the gate can judge. */
  begin(): void;
  /** The meters of all agents as they are now, every installed hook tried. */
  meters(): Promise<readonly AgentProtection[]>;
}

export function otherAgents({
  base,
  core,
  tree,
  audit: { sink: audit, keep },
  agentFile,
}: Pick<EditorParts, 'agentFile' | 'audit' | 'base' | 'core' | 'tree'>): OtherAgents {
  const { context, commands, questions, texts, log, recent } = base;
  const store = new DisposableStore();
  const { profiles } = core.tools;
  const followed = tree.protection.addCommands(commands, {
    questions,
    texts,
    audit,
    clock: systemClock,
    protector: async () =>
      (await import('./editorProtection')).editorProtection({
        hook: context.asAbsolutePath(path.join('dist', 'hook.js')),
        folders: localFolders,
        ourTools: () => profiles.active().tools.map(({ modelName }) => modelName),
        otherTools: () => tree.otherTools().map(({ name }) => name),
      }),
    changes: [profiles.onDidChange],
    recent,
    agentFile,
    memory: base.userStorage,
    offers: () => core.settings().get('customAgent.notice'),
    onProblem: (message) => log.error(message),
  });

  async function answer(): Promise<void> {
    const { answerHooks } = await import('./hookGate');
    await core.tools.loadHostTools();
    const { editorPrivateFolder } = await import('../node/hooks/privateFolder');
    if (store.isDisposed) return;
    const privateFolder = editorPrivateFolder(process.env);
    const hooks = answerHooks({ core, keep, log, folders: localFolders, privateFolder, leavesSettings: true });
    if (!hooks) return;
    store.add(hooks);
    store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => hooks.announce()));
  }

  return {
    begin() {
      answer().catch((error: unknown) => log.error(`hooks: ${String(error)}`));
      followed.begin().catch((error: unknown) => log.error(`protection: ${String(error)}`));
    },
    meters: () => followed.meters(),
    dispose: () => store.dispose(),
  };
}
