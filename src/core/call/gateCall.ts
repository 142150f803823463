import type { Access, SideEffect } from '../vocabulary/access';
import type { Json, JsonObject } from '../base/json';
import type { Sentence } from '../base/sentence';
import type { Capability } from '../capability/capability';
import type { ToolError, ToolErrorData } from '../vocabulary/errors';
import type { ResolvedProfile } from '../profiles/profile';
import type { RegisteredTool } from '../registry/registry';
import type { Actor } from '../vocabulary/toolDefinition';
import type { ToolResult } from '../vocabulary/toolResult';
import type { CallPreview } from '../capability/tool';
import type { Stake } from '../vocabulary/stake';
import type { ChangesPort } from '../ports/changes';
import type { Crypto } from '../ports/platform';
import type { FileSystem, ResolvedPaths } from '../ports/files';
import type { FlowFacts, FlowLabel } from '../vocabulary/flow';
import type { Effect, Mode, Reason, StepAnswer, Surface } from '../vocabulary/decision';

/** What a surface asks of the gate. */
export interface Invocation {
  /** Made by the gate where it is left out. */
  readonly invocationId?: string;
  /** A tool's id, name or alias. */
  readonly tool: string;
  readonly input: unknown;
  readonly actor: Actor;
  readonly surface: Surface;
  /** Tightens the profile's mode to `plan`; it never loosens it. */
  readonly mode?: Mode;
  /** What a person asked for, as its host names it: calls with the same name are work on the same prompt. */
  readonly prompt?: string;
  /** Where a tool of another agent works: relative paths start there. */
  readonly cwd?: string;
  /** Other folders of that agent, which may have brought it servers. */
  readonly folders?: readonly string[];
  /** Where its open shells may be; an empty text for a folder that nobody can tell. */
  readonly stayed?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly message: string; readonly fraction?: number }) => void;
  /** For a preview: the labels that the session is taken to have; its own where it is left out. */
  readonly labels?: readonly FlowLabel[];
  /** For a preview: judged with the labels of the session that called last. */
  readonly ofLastSession?: true;
  /** The invocation on whose behalf a tool calls another tool. */
  readonly parentId?: string;
  /** Set where a person answered about this very call with the one that makes it. */
  readonly answeredWith?: AnsweredCall;
  /** Set where the editor's own confirmation came before exactly this input (`confirmation.surface: chat`). */
  readonly confirmedInChat?: ChatConfirmation;
}

/**
 * A confirmation that was handed to the editor, and the call that followed it. Whether the editor showed it or let the
 * call through by itself, and how a person answered, is told to no extension.
 */
export interface ChatConfirmation {
  /** From handing it over until the call came, in milliseconds. */
  readonly waitedMs: number;
  /** What it said of the call; what goes beyond was not asked. */
  readonly accesses: readonly Access[];
  readonly reasons: readonly Reason[];
  readonly preview: CallPreview;
  /** The editor's setting that lets calls through without a confirmation, where one is on. */
  readonly autoApprovedBy?: string;
}

/** A call that was shown and allowed with the one that makes it. What goes beyond was not asked. */
export interface AnsweredCall {
  readonly tool: RegisteredTool;
  /** The arguments as one text. */
  readonly input: string;
  readonly accesses: readonly Access[];
  readonly reasons: readonly Reason[];
  readonly preview: CallPreview;
  readonly answer: ApprovalAnswer | EditorAnswer;
}

/** One call on its way through the gate. Steps read it; only the gate writes it. */
export interface GateCall {
  readonly invocationId: string;
  readonly invocation: Invocation;
  readonly tool: RegisteredTool;
  readonly capability: Capability;
  readonly profile: ResolvedProfile;
  readonly mode: Mode;
  readonly actor: Actor;
  /** Validated, with defaults. */
  readonly input: unknown;
  /** The input with placeholders in the place of secrets, as it is recorded; left out where it holds none. */
  readonly shownInput?: unknown;
  readonly config: JsonObject;
  readonly accesses: readonly Access[];
  /** What the arguments of a foreign tool might mean beside (`Access.suspected`): only rules that deny judge it. */
  readonly suspects?: readonly Access[] | undefined;
  /** True for the editor's `prepareInvocation` and for `why`: no probe, no counting, no approval, no record. */
  readonly isPreview: boolean;
  readonly signal: AbortSignal;
  readonly resolved: ResolvedPaths;
  /** What the session has read; undefined for a person's own call. */
  readonly flow?: FlowFacts | undefined;
}

/** The parts that deepen a step. Each is made in `compose.ts` and passed to the gate. */
export interface BoundaryJudge {
  /** Another one after each change of the rules: with the same one the same call gets the same answer. */
  readonly revision?: number;
  /**
   * Judges a call's accesses, or other accesses of the same call that were met while running. Never throws for a rule's
   * fault: such a rule fires.
   */
  judge(call: GateCall, accesses: readonly Access[]): StepAnswer;
  /**
   * A quick test for many paths of one call, for accesses of one effect and nothing else: the paths that pass are all
   * judged alike. A path that does not pass, and every path where there is no such test, is judged by itself.
   */
  screen?(call: GateCall, effect: SideEffect): ((path: string) => boolean) | undefined;
}

export interface PlanJudge {
  judge(call: GateCall): StepAnswer;
  /** Judges a call that is about to run by what all processes counted, and counts it before anything else happens. */
  consume(call: GateCall): StepAnswer;
}

export interface RequirementJudge {
  /** Probes what is stale or unknown first, unless `call.isPreview`. */
  judge(call: GateCall): Promise<StepAnswer>;
}

export interface LimitJudge {
  /** Rate limits, budgets, repetition, concurrency and circuit; counts the call unless `call.isPreview`. */
  judge(call: GateCall): StepAnswer;
  /**
   * Tells how the call ended, for budgets, repetition and circuit; frees its place. Called once for each counted call,
   * whatever happened.
   */
  finished(call: GateCall, result: ToolResult): void;
}

/** Has what calls change kept, so that it can be taken back. */
export interface CallChanges {
  /** Asks where what the call would change cannot be kept, or could not be found; part of step 8. */
  judge(call: GateCall): Promise<StepAnswer>;
  /** Whether the call could be taken back; undefined where its changes do not go through our files and may be found. */
  undoOf(call: GateCall): Promise<'possible' | 'never' | undefined>;
  /**
   * The files of a call that runs: what it changes through them is kept first.
   * @param mayLose whether somebody allowed the call to change what cannot be kept.
   */
  keep(call: GateCall, files: FileSystem, mayLose: boolean): Promise<KeptCall>;
  /**
   * Looks at the workspace before a call that may change files without our ports; undefined for every other call.
   * Throws where the call is cancelled meanwhile, and what refuses it where nothing can be looked at and it may not run
   * so.
   */
  watch?(call: GateCall, mayLose: boolean): Promise<WatchedCall | undefined>;
  /**
   * The same for a call that another program runs, as far as it can be done at once; answers what refuses it. Never
   * throws.
   */
  watchElsewhere?(call: GateCall, mayLose: boolean): Promise<ToolError | undefined>;
  /** Keeps what stands in the files that such a call names as ones that it changes. Never throws. */
  keepNamed?(call: GateCall): Promise<void>;
  /** Records what such a call did to the files that it named; before anybody looks again. Never throws. */
  endNamed?(invocationId: string): Promise<void>;
  /** Looks again after such a call; nobody has to wait for it. Never throws. */
  endedElsewhere?(invocationId: string): Promise<void>;
}

/** A call whose changes are found by looking before and after it. */
export interface WatchedCall {
  /** Looks again and records what is found, whatever became of the call. Never throws. */
  end(): Promise<FoundByCall>;
}

export interface FoundByCall {
  /** How many of its changes can be taken back, and how many cannot. */
  readonly kept: number;
  readonly lost: number;
  /** What the caller should hear. */
  readonly warnings: readonly string[];
}

export interface KeptCall {
  readonly files: FileSystem;
  readonly changes: ChangesPort;
  /** Hashes what the call and its keeping both want hashed once. */
  readonly crypto: Crypto;
  /** How many of its changes can be taken back. */
  kept(): number;
  /** How many of its changes cannot be taken back. */
  lost(): number;
}

/** Looks up what a call puts at stake, for the person who is asked. Bounded in time; changes nothing. */
export interface CallStakes {
  /**
   * @param preview what the tool foresees, whose own facts are kept.
   * @param keeps whether what lies below a folder stays when the folder goes.
   */
  of(
    call: GateCall,
    accesses: readonly Access[],
    preview: CallPreview,
    keeps: (access: Access) => boolean,
  ): Promise<Stake>;
}

/** Follows what was read: labels of sessions, and of what is written in them. */
export interface CallFlow {
  /** What is known of the session of a call; undefined for a person's own. */
  of(call: GateCall): Promise<FlowFacts | undefined>;
  /**
   * Takes in what a call brought, before the model gets it. Called for each call that ran.
   * @param accesses those that were judged and those that were met.
   * @param payload undefined where the call failed or its result is not known.
   */
  ran(call: GateCall, accesses: readonly Access[], payload: Json | undefined): Promise<void>;
  /** Takes in that a person let the session of a call see what stands behind a placeholder. */
  showed(call: GateCall, placeholder: string): Promise<void>;
}

/** What a person is asked. Plain data; the surface words and escapes it. */
export interface ApprovalRequest {
  readonly id: string;
  readonly call: GateCall;
  /** Accesses to decide about: those of the call, or those met while running. */
  readonly accesses: readonly Access[];
  readonly reasons: readonly Reason[];
  /** What rules advise about it, which asks nothing. */
  readonly advice?: readonly Reason[];
  readonly preview: CallPreview;
  /** True where a reason needs the admin token. */
  readonly needsAdmin: boolean;
  /** The call of another tool that the call consists of, where that is asked about too. */
  readonly passesOn?: GateCall;
}

export type ApprovalAnswer =
  | {
      readonly outcome: 'allowed';
      readonly by: 'user' | 'grant' | 'plan' | 'command-line' | 'reader';
      readonly grantId?: string;
      /** What the second reader said, where it is who allowed it. */
      readonly reader?: ReaderNote;
      readonly waitedMs: number;
    }
  | {
      readonly outcome: 'denied';
      readonly by: 'user' | 'timeout' | 'cancellation' | 'unavailable';
      /** Why nobody could be asked, where `by` is `unavailable`. */
      readonly why?: Sentence;
      readonly waitedMs: number;
    };

/** A yes of the second reader, for the record. */
export interface ReaderNote {
  readonly model: string;
  /** What the model said, on one line. */
  readonly words: string;
  /** The first 16 characters of the hash by which records name the policy. */
  readonly policyRevision: string;
}

/** The editor let a call through: by its own confirmation, or without showing it, so that nobody was asked. */
export interface EditorAnswer {
  readonly outcome: 'allowed';
  readonly by: 'editor' | 'editor-skipped';
  readonly grantId?: undefined;
  readonly waitedMs: number;
}

/** A remembered approval: one of a grant, or of a plan that was approved as a batch. It covers once `use` says so. */
export interface Coverage {
  readonly id: string;
  readonly by: 'grant' | 'plan';
  /** Counts it; false where another call has taken the last of it meanwhile, or somebody took it back. */
  use(): boolean;
}

export interface CallApprover {
  /** A remembered approval that covers the call, if there is one. */
  covering(call: GateCall, accesses: readonly Access[], reasons: readonly Reason[]): Coverage | undefined;
  /** Asks a person. Anything but an explicit yes is a denial (invariant: deny wins). */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** Hears which calls are on their way to a question, by `invocationId`, and when one is past it. */
  readonly coming?: { add(id: string): void; delete(id: string): void };
}

/** What a preview of the gate answers: the verdict that a call would get now. */
export interface GatePreview {
  readonly effect: Effect;
  readonly steps: readonly StepAnswer[];
  readonly reasons: readonly Reason[];
  readonly error?: ToolErrorData;
  /** What the message of the error says. */
  readonly said?: Sentence;
  readonly toolId?: string;
  readonly accesses: readonly Access[];
  /** The call as it was judged; undefined where it was denied before its accesses were known. */
  readonly call?: GateCall;
}

/** The way back into the gate for the calls that a running tool makes or asks about. */
export interface InnerCalls {
  preview(invocation: Invocation): Promise<GatePreview>;
  invoke(invocation: Invocation): Promise<ToolResult>;
}
