import type { Json } from '../base/json';
import type { Access, SideEffect } from './access';
import type { FlowLabel } from './flow';
import type { ActorType, CostClass, RiskLevel } from './toolDefinition';
import type { ToolSource } from './toolSource';

/**
 * A call as somebody writes it down for a rule or a test: a tool with its input, or what the call touches. What is left
 * out is the tool's own where the tool is known; else an agent's call of low risk that costs nothing and touches
 * nothing.
 */
export interface CallSketch {
  /** A tool's id, name or alias. */
  readonly tool?: string;
  readonly input?: Json;
  /** What the call touches; left out where the tool is to tell it from its input. */
  readonly accesses?: readonly Access[];
  readonly actor?: ActorType;
  readonly capability?: string;
  readonly riskLevel?: RiskLevel;
  readonly costClass?: CostClass;
  readonly source?: ToolSource['type'];
  readonly sideEffects?: readonly SideEffect[];
  /** The labels of the session; of a person's call they count as well. */
  readonly labels?: readonly FlowLabel[];
  /** What the capability requires, in which `deny_unless_account` looks for its account. */
  readonly requires?: Json;
}

/** What one rule says of a call; `pass` where it says nothing. */
export const ruleAnswers = ['deny', 'ask', 'advise', 'allow', 'pass'] as const;
export type RuleAnswer = (typeof ruleAnswers)[number];

/** A call that the author of a rule names, and what this very rule is to say of it. */
export interface RuleExample extends CallSketch {
  readonly expect: RuleAnswer;
}
