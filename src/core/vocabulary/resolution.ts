import type { Sentence } from '../base/sentence';
import type { Missing } from './missing';
import type { RequirementState, Verdict } from './requirement';

/** What the resolver found that blocks a capability, or that is to be known of it. Ids are as they are written. */
export type ResolverFinding =
  | { readonly kind: 'requirement'; readonly id: string; readonly state: RequirementState }
  /** A rule denies it; `noAccount` says which account it looked for, where it denies for that. */
  | { readonly kind: 'rule'; readonly id: string; readonly reason: Sentence; readonly noAccount?: Sentence }
  | { readonly kind: 'advice'; readonly rule: string }
  /** Of the whole capability, or of one of its tools. */
  | { readonly kind: 'lack'; readonly missing: Missing; readonly tool?: string };

/** What a person or a probe would have to do. */
export type RequiredAction =
  | { readonly kind: 'probe'; readonly requirement: string }
  /** A rule asks, or the capability says of itself that it needs an approval. */
  | { readonly kind: 'approval'; readonly of: 'rule' | 'capability'; readonly id: string }
  | { readonly kind: 'set-up'; readonly missing: Missing };

/** A verdict with what blocks, what warns and what a person or a probe would have to do. */
export interface Resolution {
  readonly verdict: Verdict;
  readonly blocking: readonly ResolverFinding[];
  readonly actions: readonly RequiredAction[];
  readonly warnings: readonly ResolverFinding[];
}
