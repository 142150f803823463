import type { Json } from '../base/json';
import type { Translate } from '../base/translate';
import type { FlowLabel } from '../vocabulary/flow';
import type { Effect, GateStep } from '../vocabulary/decision';
import type { Verdict } from '../vocabulary/requirement';

/** The resolver's answer about a capability, for agents and people. */
export interface CapabilityAnswer {
  readonly id: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly blocking: readonly string[];
  readonly requiredActions: readonly string[];
  readonly warnings: readonly string[];
  /** For each rule about an account that applies: which one it found, and who lets whom use it (grants.json). */
  readonly accounts: readonly string[];
  /** The verdict for each of its tools that a caller would meet now: off, asks, or may run. */
  readonly tools: readonly { readonly name: string; readonly effect: Effect; readonly why?: string }[];
}

/** A reason of a step; `isTold` where `message` says it too, so that a page for people says it once. */
interface StepReason {
  readonly text: string;
  readonly rule?: string;
  readonly isTold?: true;
}

/** What the gate would do with a call, and why. */
export interface CallExplanation {
  /** What a written case expects, in its own words: `deny by no-keys`. */
  readonly expected?: string;
  readonly tool: string;
  readonly toolId?: string;
  readonly effect: Effect;
  readonly accesses: readonly { readonly effect: string; readonly resource: string }[];
  readonly steps: readonly {
    readonly step: GateStep;
    readonly effect: Effect;
    readonly reasons: readonly StepReason[];
  }[];
  readonly rules: readonly RuleExplanation[];
  /** The labels of the session that called last, and which reads set them; left out where it has none. */
  readonly labels?: readonly { readonly label: FlowLabel; readonly readBy: readonly string[] }[];
  readonly message?: string;
}

/** A clause that did not match, with the values that it wants as JSON; or in words, where no single one is to blame. */
export type FailedClause = { readonly clause: string; readonly wants: string } | { readonly words: string };

/** How one boundary stood to a call. */
export interface RuleExplanation {
  readonly id: string;
  readonly scope: string;
  readonly decision: string;
  readonly reason: string;
  readonly outcome: 'fired' | 'on-trial' | 'excepted' | 'nearly' | 'waived';
  /** For a rule that nearly fired: what did not match. */
  readonly failed: readonly FailedClause[];
  /** For a rule about an account: which one it found, and who lets whom use it. */
  readonly notes?: readonly string[];
}

/** Questions about what may be done. They only read: nothing is probed, counted, asked or recorded. */
export interface GovernancePort {
  /** Undefined for an unknown capability; `near` then names those that are nearest. */
  resolve(capability: string): Promise<CapabilityAnswer | { readonly unknown: true; readonly near: readonly string[] }>;
  /** For models and programs in English, or for a person in the language of `t`. */
  why(tool: string, input: Json, t?: Translate): Promise<CallExplanation>;
}
