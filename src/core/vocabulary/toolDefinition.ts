import type { Sentence } from '../base/sentence';
import type { SideEffect } from './access';
import type { JsonSchema } from '../base/schema';

/** What sort of operation a tool is. */
export const toolKinds = ['data', 'state', 'action', 'control', 'status'] as const;
export type ToolKind = (typeof toolKinds)[number];

/** From the least to the greatest. */
export const riskLevels = ['low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof riskLevels)[number];

/** Reads a risk level as files write it: in any case, and `med` or `MED` for medium. Undefined for everything else. */
export function readRiskLevel(value: unknown): RiskLevel | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  return riskLevels.find((level) => level === (word === 'med' ? 'medium' : word));
}

/** From the most that a caller may do to the least. */
export const permissions = ['allowed', 'confirmation_required', 'forbidden'] as const;
export type Permission = (typeof permissions)[number];

/** From the cheapest to the dearest. */
export const costClasses = ['free', 'metered', 'paid'] as const;
export type CostClass = (typeof costClasses)[number];
export type Idempotency = 'idempotent' | 'non-idempotent';

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

export type ActorType = 'user' | 'agent';

/** Who calls. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string;
  /** True where the caller only says who it is and nothing proves it: over stdio and on the command line. */
  readonly isUnproven?: boolean;
}

/**
 * The parameters that a model is told of, each with what it reads there, which may be nothing (`''`); for a list or an
 * object, those inside.
 */
export interface ModelInputs {
  readonly [parameter: string]: string | ModelInputs;
}

/** All that is said about a tool; plain data from which the manifest, the tree and the documentation are made. */
export interface ToolDefinition {
  /** `verb_noun` in snake_case, at most 40 characters; the name that a model sees for a built-in tool. */
  readonly name: string;
  readonly title: string;
  /** The title in the person's language where that is another; models and programs read `title`. */
  readonly localTitle?: string;
  readonly kind: ToolKind;
  /** For the model, in English: an imperative first sentence, when to use it, when not, what comes back. */
  readonly modelDescription: string;
  /** For people, one line. */
  readonly userDescription: string;
  /** Every argument that a call may have; it checks each call, and people and documents see it whole. */
  readonly inputSchema: JsonSchema;
  /**
   * What of the arguments stands in every request to a model (`modelSchema`), for that is paid for each time. The
   * others count as well: answers and errors name them where they help.
   */
  readonly modelInputs?: ModelInputs;
  /** What the tool costs in every request, counted with a tokenizer (o200k); built-in tools only. */
  readonly modelTokens?: number;
  readonly outputSchema?: JsonSchema;
  readonly permissions: Readonly<Record<ActorType, Permission>>;
  /** The scopes that a profile must be granted, such as `file:read`. */
  readonly scopes: readonly string[];
  /** Of these, the ones that a profile without a list of scopes is granted; all where it is left out. */
  readonly impliedScopes?: readonly string[];
  /** True denies callers that nothing proves (`Actor.isUnproven`); `requireAuth` in files. */
  readonly provenCallersOnly?: boolean;
  readonly riskLevel: RiskLevel;
  readonly sideEffects: readonly SideEffect[];
  /** What it may touch besides where the profile is granted a scope that it does not need, by scope. */
  readonly sideEffectsByScope?: Readonly<Record<string, readonly SideEffect[]>>;
  readonly costClass: CostClass;
  readonly idempotency: Idempotency;
  /**
   * The tool's own claim. A person is told `reversible` only of a call whose changes are kept; without the claim, one
   * that only reads is said to be one that cannot be undone.
   */
  readonly reversible: boolean;
  readonly rateLimit?: RateLimit;
  /** A run that takes longer is cancelled; in milliseconds. */
  readonly timeoutMs: number;
  /** A codicon id without `$()`. */
  readonly icon?: string;
  readonly tags?: readonly string[];
  /** False keeps the tool from agents; `agent_visible` in files. Default true. */
  readonly agentVisible?: boolean;
  /** True keeps the tool from people; `agent_only` in files. Default false. */
  readonly agentOnly?: boolean;
  /**
   * The payload's field that is the answer itself (a file, a page): shown after a one-line JSON head instead of inside
   * it.
   */
  readonly contentField?: string;
  /**
   * True where the payload holds text that nobody here wrote (web pages, foreign tools): invisible characters in it are
   * made visible.
   */
  readonly untrustedOutput?: boolean;
  /** True for clocks and status tools, whose repetition means nothing; others are watched by the repetition breaker. */
  readonly repeatable?: boolean;
  /**
   * True where the confirmation by `permissions` is about changes: a call whose accesses all only read goes without.
   * Built-in tools only.
   */
  readonly confirmsOnlyChanges?: boolean;
  /**
   * True where the tool does nothing but change the files that its accesses name, so that a person may allow all such
   * changes below a folder at once. Built-in tools only.
   */
  readonly changesFiles?: boolean;
  /**
   * True where a person may always use it, whatever profile, scopes and mode offer agents: it takes back what agents
   * did. Built-in tools only.
   */
  readonly alwaysForPeople?: boolean;
  /** Other names under which the tool can be called, such as `http-get`. */
  readonly aliases?: readonly string[];
  /**
   * The names under which agent mode knows the tool where the editor offers it by itself, as tools of other extensions
   * are. Such a tool is not offered to the editor a second time.
   */
  readonly editorNames?: readonly string[];
  /**
   * For a foreign tool: where its risk, effects, kind and permission come from, so that a guess is never shown as a
   * fact.
   */
  readonly origins?: Readonly<Record<'riskLevel' | 'sideEffects' | 'kind' | 'permission', ValueOrigin>>;
  /** For a foreign tool: why it is judged as it is, in short phrases for people. */
  readonly reasons?: readonly Sentence[];
  /** For a foreign tool whose risk the user set: what it would be without that. */
  readonly inferredRisk?: RiskLevel;
}

/** Inferred from words; confirmed by the user for the pinned version; written by the user in the settings. */
export type ValueOrigin = 'inferred' | 'confirmed' | 'override';

/**
 * What tools have in common that touch nothing outside themselves: allowed for all, free, harmless and quick. Spread it
 * first.
 */
export const harmless = {
  permissions: { user: 'allowed', agent: 'allowed' },
  scopes: [],
  riskLevel: 'low',
  sideEffects: [],
  costClass: 'free',
  idempotency: 'idempotent',
  reversible: true,
  timeoutMs: 5000,
} as const satisfies Partial<ToolDefinition>;

export type CapabilityStatus = 'available' | 'coming_soon' | 'deprecated';

/** What a tool may touch under a profile that is granted these scopes. */
export function sideEffectsUnder(
  { sideEffects, sideEffectsByScope = {} }: Pick<ToolDefinition, 'sideEffects' | 'sideEffectsByScope'>,
  scopes: ReadonlySet<string>,
): readonly SideEffect[] {
  const more = Object.entries(sideEffectsByScope).flatMap(([scope, effects]) => (scopes.has(scope) ? effects : []));
  return more.length === 0 ? sideEffects : [...sideEffects, ...more];
}
