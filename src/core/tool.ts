import type { Access, SideEffect } from './access';
import type { JsonObject } from './base/json';
import type { Disposable } from './base/lifecycle';
import type { JsonSchema } from './base/schema';
import type { StopSign } from './base/stopSign';
import type { ToolPorts } from './ports';
import type { ToolOutcome, ToolResult } from './toolResult';

/** What sort of operation a tool is (seed 2). */
export type ToolKind = 'data' | 'state' | 'action' | 'control' | 'status';

export const riskLevels = ['low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof riskLevels)[number];

/** Reads a risk level as files write it: in any case, and `med` or seed 1's `MED` for medium. Undefined for everything else. */
export function readRiskLevel(value: unknown): RiskLevel | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  return riskLevels.find((level) => level === (word === 'med' ? 'medium' : word));
}

export type Permission = 'allowed' | 'confirmation_required' | 'forbidden';
export type CostClass = 'free' | 'metered' | 'paid';
export type Idempotency = 'idempotent' | 'non-idempotent';

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Where a tool comes from. Ask `sourceKey` and the properties beside it, never the type, so that a new source needs no new branches. */
export type ToolSource =
  | { readonly type: 'builtin' }
  | { readonly type: 'definition'; readonly file: string }
  | { readonly type: 'extension'; readonly extensionId: string }
  | { readonly type: 'mcp'; readonly server: string }
  | { readonly type: 'channel'; readonly channel: string };

/** A stable text for a source, used as a key for limits and groups: `mcp:filesystem`, `builtin`. */
export function sourceKey(source: ToolSource): string {
  switch (source.type) {
    case 'builtin':
      return 'builtin';
    case 'definition':
      return `definition:${source.file}`;
    case 'extension':
      return `ext:${source.extensionId}`;
    case 'mcp':
      return `mcp:${source.server}`;
    case 'channel':
      return `chan:${source.channel}`;
  }
}

export type ActorType = 'user' | 'agent';

/** Who calls. A call without an id is not identified, which `requireAuth` of seed 0 denies. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string;
}

/** All that is said about a tool; plain data from which the manifest, the tree and the documentation are made (seed 1's ToolDescriptor). */
export interface ToolDefinition {
  /** `verb_noun` in snake_case, at most 40 characters; the name that a model sees for a built-in tool. */
  readonly name: string;
  readonly title: string;
  readonly kind: ToolKind;
  /** For the model, in English: an imperative first sentence, when to use it, when not, what comes back. */
  readonly modelDescription: string;
  /** For people, one line. */
  readonly userDescription: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly permissions: Readonly<Record<ActorType, Permission>>;
  /** The scopes that a profile must be granted, such as `file:read`. */
  readonly scopes: readonly string[];
  readonly riskLevel: RiskLevel;
  readonly sideEffects: readonly SideEffect[];
  readonly costClass: CostClass;
  readonly idempotency: Idempotency;
  /** Said in the modal, `reversible` or `cannot be undone`, unless the call's preview knows better. */
  readonly reversible: boolean;
  readonly rateLimit?: RateLimit;
  /** A run that takes longer is cancelled; in milliseconds. */
  readonly timeoutMs: number;
  /** A codicon id without `$()`. */
  readonly icon?: string;
  readonly tags?: readonly string[];
  /** False keeps the tool from agents; seed 2's `agent_visible`. Default true. */
  readonly agentVisible?: boolean;
  /** True keeps the tool from people; seed 2's `agent_only`. Default false. */
  readonly agentOnly?: boolean;
  /** The payload's field that is the answer itself (a file, a page): shown after a one-line JSON head instead of inside it. */
  readonly contentField?: string;
  /** True where the payload holds text that nobody here wrote (web pages, foreign tools): invisible characters in it are made visible. */
  readonly untrustedOutput?: boolean;
  /** True for clocks and status tools, whose repetition means nothing; others are watched by the repetition breaker. */
  readonly repeatable?: boolean;
  /** True where the confirmation by `permissions` is about changes: a call whose accesses all only read goes without. Built-in tools only. */
  readonly confirmsOnlyChanges?: boolean;
  /** Other names under which the tool can be called, such as a seed's `http-get`. */
  readonly aliases?: readonly string[];
  /**
   * The names under which agent mode knows the tool where the editor offers it by itself, as tools of other extensions are.
   * Such a tool is not offered to the editor a second time.
   */
  readonly editorNames?: readonly string[];
  /** For a foreign tool: where its risk, effects, kind and permission come from, so that a guess is never shown as a fact. */
  readonly origins?: Readonly<Record<'riskLevel' | 'sideEffects' | 'kind' | 'permission', ValueOrigin>>;
  /** For a foreign tool: why it is judged as it is, in short phrases for people. */
  readonly reasons?: readonly string[];
  /** For a foreign tool whose risk the user set: what it would be without that. */
  readonly inferredRisk?: RiskLevel;
}

/** Inferred from words; confirmed by the user for the pinned version; written by the user in the settings. */
export type ValueOrigin = 'inferred' | 'confirmed' | 'override';

/** What tools have in common that touch nothing outside themselves: allowed for all, free, harmless and quick. Spread it first. */
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

export interface AccessContext {
  readonly ports: ToolPorts;
  /** The capability's configuration in the active profile, with its schema's defaults. */
  readonly config: JsonObject;
  readonly actor: Actor;
  readonly profileId: string;
  readonly signal: AbortSignal;
}

export interface ToolContext extends AccessContext {
  readonly invocationId: string;
  /** Whether the call is over, by its cancellation, its timeout or its end; for work that looks from time to time, instead of `signal`. */
  readonly stopped: StopSign;
  /** Calls once when the call is cancelled or late; for handlers of short calls, where making `signal` costs more than the work. */
  onStop(listener: () => void): Disposable;
  /** Stops the call's timeout until the promise settles; for as long as a person is being asked something. Answers what the promise answers. */
  pause<T>(wait: Promise<T>): Promise<T>;
  /** What the person who allowed this very call was shown it on, as the tool's preview named it; undefined where nobody was asked. */
  readonly approvedBasis?: string | undefined;
  /** The scopes that the profile is granted, for tools whose input decides what they need (`database:write`). */
  readonly scopes: readonly string[];
  /**
   * Asks the gate about something met while running: a file found by a search, a redirect hop.
   * `allowed: false` means: leave that part out and count it in the result.
   */
  access(access: Access): Promise<AccessVerdict>;
  /** The same for many at once; asks nobody: what would need a confirmation counts as not allowed. For searches over many files. */
  accessAll(accesses: readonly Access[]): Promise<readonly AccessVerdict[]>;
  /**
   * A quick test for the paths that a walk meets: true means that `accessAll` would allow an access of this effect to the path. False says nothing,
   * ask `accessAll`. Undefined where every path has to be asked about.
   */
  screen?(effect: SideEffect): ((resource: string) => boolean) | undefined;
  report(progress: { readonly message: string; readonly fraction?: number }): void;
  /**
   * Shows the user text from outside before the model gets it, where a setting asks for that. False where it was refused or nobody answered.
   * Missing where nobody can be asked; a tool whose setting demands a review then hands over nothing.
   */
  review?(response: { readonly title: string; readonly text: string }): Promise<boolean>;
  /**
   * What the gate would say now of another call by the same caller: `asks` where a person would have to confirm it. Nothing is run, asked,
   * counted or recorded. Missing where there is no gate.
   */
  judgeCall?(reference: string, input: unknown): Promise<AccessVerdict>;
  /** Runs another tool through the gate on behalf of this one. */
  invokeTool(reference: string, input: unknown): Promise<ToolResult>;
}

/** `asks` where it is not denied, but a person would have to confirm it. */
export type AccessVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string; readonly asks?: boolean };

/** What a person is shown before allowing a call, beyond the accesses and the arguments. All of it is plain text. */
export interface CallPreview {
  /** A unified diff of a write, lines that start with `-`, `+`, space or `@@`. */
  readonly diff?: string;
  /** Further lines, such as the recipients of a mail. */
  readonly lines?: readonly string[];
  /** True where the diff could not be made or is cut: then the arguments are shown too, and nothing lasting can be allowed. */
  readonly isPartial?: boolean;
  /** How this one call is undone, where its arguments decide it: in place of the definition's `reversible`. */
  readonly undo?: 'from-trash' | 'never';
  /** What the accesses come to together, where that is less than they could mean: a new file, or a file that only changes its place. */
  readonly action?: 'create' | 'move';
  /** Names what the preview was computed from, such as the hash of a file; the run finds it as `approvedBasis`. Not shown. */
  readonly basis?: string;
}

/** A tool's behaviour, loaded on first use. Only `invocation.ts` calls it (invariant: one gate). */
export interface ToolHandler<Input = unknown> {
  /** The accesses that can be known from the input. Throws a ToolError for input that can never work, such as a path outside. */
  accesses(input: Input, context: AccessContext): readonly Access[] | Promise<readonly Access[]>;
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
  preview?(input: Input, context: AccessContext): Promise<CallPreview>;
}

/** A definition with its behaviour. */
export interface Tool {
  readonly definition: ToolDefinition;
  load(): Promise<ToolHandler>;
}

/**
 * Joins a definition and a typed handler.
 * The one unchecked step from `unknown` to the handler's input type is here: the gate has validated the input against `inputSchema`.
 */
export function defineTool<Input>(definition: ToolDefinition, load: () => Promise<ToolHandler<Input>>): Tool {
  // The schema has been checked by the gate; the types of schema and handler are kept together by each tool's conformance test.
  const untyped = load as () => Promise<ToolHandler>;
  let loading: Promise<ToolHandler> | undefined;
  return {
    definition,
    load: () =>
      (loading ??= untyped().catch((error: unknown) => {
        // A failure is not kept, so that the next call tries again.
        loading = undefined;
        throw error;
      })),
  };
}

/** The answer of tools that touch nothing. */
export const noAccesses = (): readonly Access[] => [];
