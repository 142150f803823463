import { type Sentence, type SentenceCode, sentenceKey } from '../base/sentence';
import type { ToolErrorData } from './errors';
import type { ActorType } from './toolDefinition';

export type Mode = 'plan' | 'execute';

/** The surface that a call comes from; recorded, and never a reason to judge differently. */
export type Surface = 'chat' | 'participant' | 'palette' | 'tree' | 'mcp' | 'cli' | 'api' | 'tool' | 'host';

/** The steps of the gate in their order. */
export const gateSteps = [
  'find',
  'enabled',
  'permission',
  'scopes',
  'input',
  'mode',
  'plan',
  'boundaries',
  'requirements',
  'limits',
  'approval',
  'run',
  'output',
  'audit',
] as const;

export type GateStep = (typeof gateSteps)[number];

export type Effect = 'pass' | 'ask' | 'deny';

/** Why a step answered as it did. */
export interface Reason {
  /** Its words are made where a person, a model or a record gets them. */
  readonly said: Sentence;
  /** The id of the boundary, grant, requirement or limit behind it. */
  readonly rule?: string;
  /**
   * True for a confirmation that an `allow` boundary of the user may remove: one from a tool's permission or from the
   * preset, never one for critical risk or from another rule.
   */
  readonly waivable?: boolean;
  /** True where the answer needs the admin token as well. */
  readonly admin?: boolean;
  /** True for a question about what a session read: it tells a story, which no editor may skip. */
  readonly story?: true;
  /** `host`: one yes holds for this host until the window is reloaded. */
  readonly oncePer?: 'host';
  /** True for a rule that is only on trial (`severity: soft`) or only advises: recorded, not enforced. */
  readonly advisory?: boolean;
  /**
   * True for what a rule advises in earnest: told to whoever calls and to whoever is asked, and enforced by nothing.
   */
  readonly advice?: boolean;
}

/** What a reason is told apart by: its rule, else what it says. */
export const reasonKey = ({ rule, said }: Reason): string => rule ?? sentenceKey(said);

/** The rules behind reasons that decide, without those that only advise or are on trial. */
export const decidingRules = (reasons: readonly Reason[]): readonly string[] =>
  reasons.flatMap(({ rule, advisory }) => (rule === undefined || advisory ? [] : [rule]));

/** Those that decide and did not before, then those that did and no longer do. */
export function rulesBetween(before: readonly string[], now: readonly string[]): readonly string[] {
  const [known, added] = [new Set(before), new Set(now)];
  const gone = [...known].filter((rule) => !added.has(rule)).map((rule) => `without ${rule}`);
  return [...[...added].filter((rule) => !known.has(rule)), ...gone];
}

/** The one question that comes from no rule: the permission of a tool. */
export const permissionReasons = {
  agent: 'confirmation_for_agents',
  user: 'confirmation_for_users',
} as const satisfies Readonly<Record<ActorType, SentenceCode>>;

/** Names the question about what cannot be taken back, where rules are named. */
export const notKeptRule = 'changes.not-kept';

export interface StepAnswer {
  readonly step: GateStep;
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  /** Set on a deny: what the model is told. */
  readonly error?: ToolErrorData;
  /** What the message of the error says. */
  readonly said?: Sentence;
  /** Set by an `allow` boundary: the ids of the rules that remove waivable confirmations. */
  readonly waivedBy?: readonly string[];
}

/** What rules advise about a call. */
export const adviceOf = (steps: readonly StepAnswer[]): readonly Reason[] =>
  steps.flatMap(({ reasons }) => reasons.filter((one) => one.advice === true));
