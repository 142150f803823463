import { homedir } from 'node:os';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { systemClock } from '../node/system';
import type { OutsideCalls } from '../vscode/confirm/outsideCalls';
import type { PolicyFiles } from '../vscode/files/policyFiles';
import type { GovernanceContext } from '../vscode/governance/governanceCommand';
import { registerGovernance } from '../vscode/governance/register';
import { registerPolicyTesting } from '../vscode/testing/register';
import type { Core } from './compose';
import type { EditorBase } from './editorBase';
import type { EditorTree } from './editorTree';

interface EditorGovernanceOptions extends Pick<GovernanceContext, 'audit' | 'decisions' | 'learned'> {
  readonly base: EditorBase;
  readonly core: Core;
  readonly policyFiles: PolicyFiles;
  readonly view: EditorTree['view'];
  readonly outside: OutsideCalls;
}

/** The commands about rules, approvals, grants and plans, and the tests of the policy. */
export function editorGovernance(options: EditorGovernanceOptions): Disposable {
  const { base, core, policyFiles, view, outside, ...governed } = options;
  const { commands, texts, log, asked, recent, inputs, questions, keys, settings, writeText } = base;
  const { registry, profiles } = core.tools;
  const { engine: policy, grants, plans, admin, queue } = core.policy;
  const { resolver, flow, hidden } = core.gate;
  const store = new DisposableStore();
  store.add(
    registerGovernance(commands, {
      ...governed,
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
    }),
  );
  return store;
}
