import type { PolicyRevision } from '../core/audit/event';
import type { AgentOfProfile } from '../core/agent/ownAgent';
import type { PromptFiles } from '../core/agent/promptFiles';
import type { Event } from '../core/base/event';
import type { Disposable } from '../core/base/lifecycle';
import type { Problem } from '../core/base/problem';
import type { createValidator } from '../core/base/validator';
import type { CallApprover, CallChanges, CallFlow } from '../core/call/gateCall';
import type { ChannelPoller } from '../core/definitions/channelPoller';
import type { DefinitionLoader } from '../core/definitions/loader';
import type { ResolverSetup } from '../core/explain/resolverSetup';
import type { FlowTracker } from '../core/flow/tracker';
import type { ToolRouter } from '../core/gate/router';
import type { AdminToken } from '../core/policy/approvals/adminToken';
import type { ApprovalQueue } from '../core/policy/approvals/approvals';
import type { ReaderStatus } from '../core/policy/approvals/readerApprovals';
import type { GrantStore } from '../core/policy/grants/grants';
import type { CallLimits } from '../core/policy/limits/limits';
import type { FrozenPlans } from '../core/policy/plans/plans';
import type { BoundaryFiles } from '../core/policy/rules/boundaryFile';
import type { PolicyEngine } from '../core/policy/rules/engine';
import type { ChangesPort } from '../core/ports/changes';
import type { HttpClient } from '../core/ports/http';
import type { ToolPorts } from '../core/ports/toolPorts';
import type { Discovery } from '../core/profiles/discovery';
import type { ResolvedProfile } from '../core/profiles/profile';
import type { ProfileChecks } from '../core/profiles/profileChecks';
import type { ProfileStore } from '../core/profiles/profileStore';
import type { RuntimeAgent } from '../core/profiles/runtimeAgent';
import type { CapabilityRegistry } from '../core/registry/registry';
import type { ShownOnce } from '../core/secrets/shownOnce';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import type { TodoStore } from '../core/todos/store';
import type { FlowLabel } from '../core/vocabulary/flow';
import type { McpServers } from '../mcp/client/servers';
import type { Platform } from './platform';

/** What a part of the system is made from: of what was made before it, and of the platform, what it names. */
export type MadeFrom<Parts extends keyof CoreParts, Given extends keyof Platform> = Pick<CoreParts, Parts> & {
  readonly platform: Pick<Platform, Given>;
};

/** What parts of the system are made from, in order of dependency. */
interface CoreParts {
  readonly isTrusted: () => boolean;
  /** Makes a listener that logs what fails. */
  readonly failed: (what: string) => (error: unknown) => void;
  /** The rules of the workspace are read once, for the gate and for the resolver. */
  readonly boundaryReader: BoundaryFiles;
  readonly settings: SettingsInForce;
  readonly http: HttpClient;
  readonly tools: Tools;
  readonly policy: Policy;
  readonly servers: Servers;
}

/** What tools there are, and which of them a profile offers. */
export interface Tools extends Disposable {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly discovery: Discovery;
  /** Makes the tools of other agents known, by their ids: `host:claude:Bash`. They are offered nowhere. */
  loadHostTools(): Promise<void>;
}

/** What decides whether a call may run: rules, grants, approvals, limits and frozen plans. */
export interface Policy extends Disposable {
  readonly engine: PolicyEngine;
  readonly grants: GrantStore;
  readonly plans: FrozenPlans;
  readonly limits: CallLimits;
  readonly admin: AdminToken;
  /** The queue of confirmations; undefined on the command line, where nobody waits. */
  readonly queue: ApprovalQueue | undefined;
  /** Who answers a confirmation: the queue, or the way in which the command was started. */
  readonly approvals: CallApprover;
  /** What the second reader did; without a status while it did nothing in this window. */
  readonly reader: { status(): ReaderStatus | undefined; readonly onDidChange: Event<void> } | undefined;
  /** Names the rules and limits in force, for the record. */
  revision(): PolicyRevision;
  /** Reads the rules and limits of every scope again. */
  apply(): void;
  /** What is wrong with the rules and limits that were read last. */
  problems(): readonly Problem[];
}

/** Capabilities of one's own: the definitions of the workspace, and channels. */
export interface Definitions extends Disposable {
  /** Undefined where none are loaded. */
  readonly loader: DefinitionLoader | undefined;
  /** Refreshes what channels recommend while somebody watches. */
  readonly poller: ChannelPoller;
  /** The capabilities of approved definitions: who approved one wants its tools; a profile that names it says more. */
  own(): readonly string[];
  /** True for a channel whose tools exist, false for one that is only named; undefined where none has this name. */
  channelState(name: string): boolean | undefined;
  /** Asks every channel of the settings for its manifest again. */
  reloadChannels(): Promise<void>;
}

/** The way of a call: what judges and runs it, what handlers may use, and what tells why it may run or not. */
export interface Gate extends Disposable {
  readonly router: ToolRouter;
  /** The preview as if a profile were active, by the rules as they are now; for tests of a policy. */
  previewAs(profile: ResolvedProfile): ToolRouter['preview'];
  readonly ports: ToolPorts;
  readonly validator: ReturnType<typeof createValidator>;
  /** The resolver over the workspace's files, `why`, `resolve` and `validate`. */
  readonly resolver: ResolverSetup;
  readonly todos: TodoStore;
  /** What sessions read. */
  readonly flow: Flow;
  /** Loads what was hidden from sessions, for who lets a person show some of it once. */
  readonly hidden: () => Promise<ShownOnce>;
  /** What calls changed; left out where nothing of it is kept. */
  readonly changes?: Changes;
}

/** What calls changed: the store, what keeps it, and who hears of it. */
export interface Changes extends Disposable {
  readonly port: ChangesPort;
  readonly keeper: CallChanges;
  /** Fires when something was kept. */
  readonly onDidChange: Event<void>;
}

/** Labels of sessions, as the window keeps them. */
export interface Flow extends Disposable {
  /** What the gate asks and tells. */
  readonly judge: CallFlow;
  /** Loads the tracker, for who shows or clears labels. */
  tracker(): Promise<FlowTracker>;
  /** The tracker, once a call or a surface loaded it. */
  readonly loaded: FlowTracker | undefined;
  /** The labels that sessions have together. */
  labels(): readonly FlowLabel[];
  readonly onDidChange: Event<void>;
}

/** The MCP servers of the settings; they start when their tools are called, or when they are discovered. */
export interface Servers extends Disposable {
  readonly list: McpServers;
  /** The capabilities of the servers that the user set up: who did wants their tools. */
  own(): readonly string[];
  /** Whether the capability of a server comes from the workspace. */
  isOfWorkspace(capabilityId: string): boolean;
  /** True for a server that runs; undefined where none has this name. */
  isRunning(name: string): boolean | undefined;
  /** Tells the servers where the active profile works in other files than when this was asked before. */
  followFiles(): void;
}

/** What a profile becomes for a model: its prompt and its tools. */
export interface Agents extends Disposable {
  /** The runtime agent of a profile, the active one where none is named. */
  runtimeAgent(profileId?: string): RuntimeAgent;
  /** The base prompt of the active profile, read from its file where it stands in one; empty while it is not read. */
  basePrompt(): string;
  /**
   * The agent of a profile as the user's own parts make it, with what is on in this window; undefined where the user
   * has no such profile.
   */
  ownAgent(profileId: string): AgentOfProfile | undefined;
  /** Base prompts that stand in files of the workspace, and which of their texts were accepted. */
  readonly prompts: PromptFiles;
  /** What is wrong with profiles, such as a prompt that names a tool which is off. */
  readonly checks: ProfileChecks;
}
