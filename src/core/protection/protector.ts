import type { Sentence } from '../base/sentence';
import type { Disposable } from '../base/lifecycle';
import type { Agent } from './agents';
import type { AgentProtection, CanaryResult } from './meter';
import type { FileChange, Plan } from './plan';

/** Puts our hook into the files of other agents, takes it out again, and tells how far each is under the gate. */
export interface Protector {
  planInstall(agent: Agent): Plan;
  planUninstall(agent: Agent): Plan;
  /** Writes what was planned; throws a SaidError where a file is not as it was looked at. */
  install(agent: Agent, changes: readonly FileChange[]): void;
  uninstall(agent: Agent, changes: readonly FileChange[]): void;
  /** What an agent still wants from its user before the hook holds. */
  notes(agent: Agent): readonly Sentence[];
  /** Makes a dry call through an installed entry; undefined where none is installed. */
  try(agent: Agent): Promise<CanaryResult | undefined>;
  status(agent: Agent): AgentProtection;
  /** The meters of all agents, those that are used here first. */
  all(): readonly AgentProtection[];
  /** Makes entries start the hook of this version. */
  refreshLauncher(): void;
  /** Tells of every change of a file on which the meters depend. */
  watch(onChange: () => void): FolderWatch;
}

export interface FolderWatch extends Disposable {
  /** Looks for folders that are there by now. */
  look(): void;
}
