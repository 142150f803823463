import type { AuditReader } from '../../core/audit/reader';
import type { RecentCalls } from '../../core/audit/recentCalls';
import type { RecentInputs } from '../../core/audit/recentInputs';
import type { AdminToken } from '../../core/policy/approvals/adminToken';
import type { PolicyEngine } from '../../core/policy/rules/engine';
import type { GrantStore } from '../../core/policy/grants/grants';
import type { FlowTracker } from '../../core/flow/tracker';
import type { FrozenPlans } from '../../core/policy/plans/plans';
import type { PolicyFileSource } from '../../core/policy/rules/policySources';
import type { Clock, Log } from '../../core/ports/platform';
import type { ResolverSetup } from '../../core/explain/resolverSetup';
import type { Event } from '../../core/base/event';
import type { Problem } from '../../core/base/problem';
import type { ShownOnce } from '../../core/secrets/shownOnce';
import type { Settings } from '../../core/settings/settings';
import type { TreeRow } from '../../core/present/treeRow';
import type { CommandContext, ContextCommand } from '../commands/context';
import type { ContextKeys } from '../settings/contextKeys';
import type { LearnedGrantsOptions } from '../confirm/learnedGrants';
import type { ModalQuestions } from '../confirm/modalQuestions';
import type { DecisionEditors } from '../confirm/decisionEditors';
import type { KeptCalls } from '../tools/keptCalls';
import type { WriteText } from '../files/fileText';
import { isTreeRow } from '../../core/present/treeRow';
import type { ResolvedProfile } from '../../core/profiles/profile';
import type { OwnRules } from './ruleStore';

/** What the commands about rules, approvals and plans work with, all of them together. */
export interface GovernanceContext extends Pick<CommandContext, 'outside' | 'queue' | 'registry' | 'texts'> {
  readonly settings: () => Settings;
  readonly policy: PolicyEngine;
  readonly grants: GrantStore;
  readonly plans: FrozenPlans;
  /** What sessions of agents have read. */
  readonly flow: { tracker(): Promise<Pick<FlowTracker, 'sessions' | 'clear'>> };
  /** What was hidden from sessions of agents, and what of it a person lets them see. */
  readonly hidden: () => Promise<Pick<ShownOnce, 'list' | 'allow' | 'withdraw'>>;
  readonly admin: AdminToken;
  readonly resolver: ResolverSetup;
  readonly problems: () => readonly Problem[];
  /** What is wrong with any profile, active or not. */
  readonly everyProfile: () => Promise<readonly Problem[]>;
  /** Fires when what is shown has to be read again. */
  readonly onDidChange: Event<void>;
  readonly files: PolicyFileSource;
  readonly audit: AuditReader;
  /** What grants are learned from. */
  readonly learned: LearnedGrantsOptions;
  /** The arguments of this window's last calls, for simulations. */
  readonly inputs: Pick<RecentInputs, 'of'>;
  /** Calls that lines of the chat lead back to. */
  readonly asked: KeptCalls;
  /** This window's last calls, and how often each rule decided. */
  readonly recent: RecentCalls;
  /** The user's settings, where their rules are written. */
  readonly ownRules: OwnRules;
  /** How files of rules in a folder and those of other clients are written. */
  readonly writeText: WriteText;
  /** The user's home folder, for paths that begin with `~`. */
  readonly home: string;
  /** The capabilities whose own boundaries hold now. */
  readonly profile: () => ResolvedProfile;
  /** Shows a group of the view, opened. */
  readonly revealGroup: (id: string) => Promise<void>;
  /** Where calls that wait are shown and decided. */
  readonly decisions: () => Promise<Pick<DecisionEditors, 'ask' | 'hasShown' | 'open' | 'pressed'>>;
  /** Asks before something is granted. */
  readonly questions: ModalQuestions;
  readonly keys: ContextKeys;
  readonly clock: Clock;
  readonly log: Log;
  /** The rows that a command is for: what the editor passed, else the view's selection. */
  readonly selection: (clicked?: TreeRow, selected?: readonly TreeRow[]) => readonly TreeRow[];
}

/** A command that gets a tree row, or ids from a program, or nothing from the palette. */
export type GovernanceCommand<Needs extends keyof GovernanceContext> = ContextCommand<GovernanceContext, Needs>;

/** The clicked or selected rows of a command that was called from the tree; none from the palette. */
export function clickedRows(
  context: Pick<GovernanceContext, 'selection'>,
  args: readonly unknown[],
): readonly TreeRow[] {
  const [clicked, selected] = args;
  if (!isTreeRow(clicked)) return [];
  return context.selection(clicked, Array.isArray(selected) ? selected.filter(isTreeRow) : undefined);
}
