import { homedir } from 'node:os';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { systemClock } from '../node/system';
import type { GovernanceContext } from '../vscode/governance/governanceCommand';
import { registerGovernance } from '../vscode/governance/register';
import { registerPolicyTesting } from '../vscode/testing/register';
import type { EditorParts } from './editorParts';

type GovernanceParts = Pick<
  EditorParts,
  'audit' | 'base' | 'core' | 'policyFolders' | 'outside' | 'policyFiles' | 'tree'
> &
  Pick<GovernanceContext, 'decisions' | 'learned'>;

/** The commands about rules, approvals, grants and plans, and the tests of the policy. */
export function editorGovernance(parts: GovernanceParts): Disposable {
  const { base, core, policyFolders, policyFiles, outside, audit, decisions, learned } = parts;
  const { commands, texts, log, asked, recent, inputs, questions, keys, settings, writeText } = base;
  const { view } = parts.tree;
  const { registry, profiles } = core.tools;
  const { engine: policy, grants, plans, admin, queue } = core.policy;
  const { resolver, flow, hidden } = core.gate;
  const store = new DisposableStore();
  store.add(
    registerGovernance(commands, {
      audit: audit.reader,
      decisions,
      learned,
      policy,
      grants,
      plans,
      admin,
      queue,
      resolver,
      flow,
      hidden,
      registry,
      settings: core.settings,
      problems: core.problems,
      everyProfile: () => core.agents.checks.everyProfile(),
      onDidChange: core.onDidChange,
      files: policyFiles,
      inputs,
      asked,
      recent,
      home: homedir(),
      ownRules: settings,
      writeText,
      profile: () => profiles.active(),
      revealGroup: (id) => view.reveal(id),
      texts,
      questions,
      outside,
      keys,
      clock: systemClock,
      log,
      selection: (clicked, selected) => view.selection(clicked, selected),
    }),
  );
  store.add(
    registerPolicyTesting({
      policy,
      profiles,
      registry,
      gate: core.gate,
      texts,
      log,
      refresh: async () => policyFiles.refresh(),
      folders: policyFolders,
    }),
  );
  return store;
}
