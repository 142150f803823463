import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { callsLeft } from '../core/policy/plans/frozenPlan';
import type { EditorParts } from './editorParts';

/**
 * What is said and asked of a person who called for nothing: the status bar, and the questions about profiles and
 * prompts of a workspace. All of it comes behind the start.
 */
export function editorNotices({
  base: { keys, storage },
  core,
  editor,
  agentFile,
  tree: { protection },
}: Pick<EditorParts, 'agentFile' | 'base' | 'core' | 'editor' | 'tree'>): Disposable {
  const store = new DisposableStore();
  const { profiles } = core.tools;
  const { plans, queue, reader } = core.policy;
  void import('../vscode/tree/statusBar').then(({ showStatus }) => {
    if (store.isDisposed) return;
    store.add(
      showStatus({
        profile: () => profiles.active(),
        pendingApprovals: () => queue?.pending().length ?? 0,
        plan: () => plans.active && { title: plans.active.title, left: callsLeft(plans.active) },
        unprotected: () => protection.red,
        reader: () => reader?.status(),
        labels: () => core.gate.flow.labels(),
        agent: () => agentFile.listed,
        changes: [profiles, plans, protection, queue, reader, core.gate.flow, agentFile].flatMap(
          (one) => one?.onDidChange ?? [],
        ),
      }),
    );
  });
  void import('../vscode/confirm/workspaceWishes').then(({ askAboutPrompts, askAboutWidening, tellOfHeldBack }) => {
    if (store.isDisposed) return;
    store.add(askAboutWidening(profiles, keys, storage));
    store.add(tellOfHeldBack(profiles, editor));
    store.add(askAboutPrompts({ prompts: core.agents.prompts, profiles }, keys, storage));
  });
  return store;
}
