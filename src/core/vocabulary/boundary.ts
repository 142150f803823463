import type { Json } from '../base/json';
import type { Sentence } from '../base/sentence';
import type { RuleExample } from './callSketch';
import type { ActorType, CostClass, RiskLevel } from './toolDefinition';
import type { SideEffect } from './access';
import type { FlowMatch } from './flow';
import type { ToolSource } from './toolSource';

export type BoundaryDecision = 'deny' | 'require_approval' | 'advise' | 'allow' | 'deny_unless_account';

/** How one argument of a call is compared; all that are given must hold. */
export type ArgumentMatcher = {
  readonly equals?: Json;
  readonly oneOf?: readonly Json[];
  readonly glob?: string;
  readonly regex?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exists?: boolean;
};

/**
 * The clauses of a boundary. All that are given must match (AND); those about an access (`accessAny`, `path`,
 * `pathNot`, `host`, `hostNot`, `privateHost`, `command`, `recursive`, `permanent`) for one and the same access. An
 * effect may end in `.*`: `fs.*`.
 */
export interface BoundaryMatch {
  /** Glob over tool ids or names. */
  readonly tool?: string;
  /** Glob over capability ids. */
  readonly capability?: string;
  /** Full match of the capability's id. */
  readonly idRegex?: string;
  readonly sideEffectsAny?: readonly SideEffect[];
  readonly accessAny?: readonly SideEffect[];
  readonly path?: string | readonly string[];
  readonly pathNot?: string | readonly string[];
  readonly host?: string | readonly string[];
  readonly hostNot?: string | readonly string[];
  readonly command?: string | readonly string[];
  /**
   * The host is a private, loopback, link-local or metadata address, or a name that can only mean one (`localhost`).
   */
  readonly privateHost?: boolean;
  /** The access takes in everything below its path. */
  readonly recursive?: boolean;
  /** The access cannot be undone: a delete past the trash. */
  readonly permanent?: boolean;
  readonly costClass?: CostClass;
  readonly riskLevel?: RiskLevel;
  readonly riskAtLeast?: RiskLevel;
  readonly source?: ToolSource['type'];
  readonly actor?: ActorType;
  /** What the session of the call has read, and whether the call reaches others. */
  readonly flow?: FlowMatch;
  /** JSON pointer into the input → matcher. */
  readonly argument?: Readonly<Record<string, ArgumentMatcher>>;
}

/** The patterns of a clause that names one or several. */
export const listed = (value: string | readonly string[] = []): readonly string[] =>
  typeof value === 'string' ? [value] : value;

/** The scope that a boundary comes from, strongest first. */
export const boundaryScopes = ['builtin', 'managed', 'user', 'bundle', 'workspace', 'profile'] as const;
export type BoundaryScope = (typeof boundaryScopes)[number];

/** What of a rule could not be read: the place within the rule, empty for all of it, and why. */
export interface RuleFault {
  readonly at: string;
  readonly said: Sentence;
}

/** A policy rule. */
export interface Boundary {
  readonly id: string;
  /** `soft` is evaluated and recorded, not enforced: a trial run. */
  readonly severity: 'hard' | 'soft';
  readonly match: BoundaryMatch;
  /** Ids of capabilities or tools for which the rule is skipped whole. */
  readonly exceptions: readonly string[];
  readonly decision: BoundaryDecision;
  /** The account that `deny_unless_account` looks for in the capability's requirements. */
  readonly account?: string;
  /** A text is its author's, a sentence is ours. */
  readonly reason: string | Sentence;
  /** What is to be said instead of `reason` and `steer` for some of the paths; the first that matches counts. */
  readonly reasons?: readonly {
    readonly path: readonly string[];
    readonly reason: string | Sentence;
    readonly steer?: string | Sentence;
  }[];
  /** What is allowed instead; told to the model. */
  readonly steer?: string | Sentence;
  readonly scope: BoundaryScope;
  /** Calls that its author names, with what the rule is to say of each; they decide nothing. */
  readonly examples?: readonly RuleExample[];
  /** True for a preset's confirmation, which an `allow` of the user may remove. */
  readonly waivable?: boolean;
  /** True where the confirmation needs the admin token. */
  readonly admin?: boolean;
  /**
   * True for a preset's rule, which nobody wrote about this very place: what a text only mentions is no reason to deny,
   * but for metadata services.
   */
  readonly sparesMentions?: true;
  /** `host`: a person is asked once per host and session, then no more. */
  readonly oncePer?: 'host';
  /**
   * Set where the rule could not be read whole: it then fires for what its other clauses match (fails closed), unless
   * it would allow.
   */
  readonly faults?: readonly RuleFault[];
  /** True for a rule of a workspace that is not trusted: it holds, and its words are told to nobody but its author. */
  readonly withheld?: boolean;
  /** The file and line it stands in, where it comes from a file. */
  readonly file?: string;
  readonly line?: number;
}
