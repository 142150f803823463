import type { Sentence } from '../base/sentence';
import { lazy } from '../base/lazy';
import type { Access, SideEffect } from '../vocabulary/access';
import type { Missing } from '../vocabulary/missing';
import type { Stake } from '../vocabulary/stake';
import type { JsonObject } from '../base/json';
import type { StopSign } from '../base/stopSign';
import type { ToolOutcome, ToolResult } from '../vocabulary/toolResult';
import type { Actor, ToolDefinition } from '../vocabulary/toolDefinition';
import type { HttpRequest, HttpResponse } from '../ports/http';
import type { ToolPorts } from '../ports/toolPorts';
import type { ResolvedPaths } from '../ports/files';

export interface AccessContext {
  readonly ports: ToolPorts;
  /** The capability's configuration in the active profile, with its schema's defaults. */
  readonly config: JsonObject;
  readonly actor: Actor;
  readonly profileId: string;
  readonly signal: AbortSignal;
  /** The scopes that the profile is granted, for tools whose input decides what they need (`database:write`). */
  readonly scopes?: readonly string[];
  /** Left out where there is no call to remember its paths. */
  readonly resolved?: ResolvedPaths;
  /** Where a tool of another agent works. */
  readonly cwd?: string;
  /** Other folders of that agent, which may have brought it servers. */
  readonly folders?: readonly string[];
  /** Where its open shells may be; an empty text for a folder that nobody can tell. */
  readonly stayed?: readonly string[];
  /** For a preview: the accesses that a person is asked about. */
  readonly asked?: readonly Access[];
}

export interface ToolContext extends AccessContext {
  readonly invocationId: string;
  readonly scopes: readonly string[];
  /**
   * Whether the call is over, by its cancellation, its timeout or its end; for work that looks from time to time,
   * instead of `signal`.
   */
  readonly stopped: StopSign;
  /**
   * Stops the call's timeout until the promise settles; for as long as a person is being asked something. Answers what
   * the promise answers.
   */
  pause<T>(wait: Promise<T>): Promise<T>;
  /**
   * Sends one request. For an idempotent tool, what may pass is tried again: a lost connection, 502, 503, 504, and
   * what names a time by `Retry-After`. All tries end within `withinMs` and the call's time; the last answer is handed
   * over. Throws what the client throws.
   */
  send(request: HttpRequest, withinMs: number): Promise<HttpResponse>;
  /**
   * What the person who allowed this very call was shown it on, as the tool's preview named it; undefined where nobody
   * was asked.
   */
  readonly approvedBasis?: string | undefined;
  /** The change that the preview computed and the person allowed; undefined where nobody was asked. */
  readonly approvedPlan?: object | undefined;
  /**
   * Asks the gate about something met while running: a file found by a search, a redirect hop.
   * `allowed: false` means: leave that part out and count it in the result.
   */
  access(access: Access): Promise<AccessVerdict>;
  /**
   * The same for many at once; asks nobody: what would need a confirmation counts as not allowed. For searches over
   * many files.
   */
  accessAll(accesses: readonly Access[]): Promise<readonly AccessVerdict[]>;
  /**
   * A quick test for the paths that a walk meets: true means that `accessAll` would allow an access of this effect to
   * the path. False says nothing, ask `accessAll`. Undefined where every path has to be asked about.
   */
  screen?(effect: SideEffect): ((resource: string) => boolean) | undefined;
  report(progress: { readonly message: string; readonly fraction?: number }): void;
  /**
   * Hands over a text of which the call answers a part, because a secret may begin or end outside of that part.
   * Missing where nothing is hidden.
   */
  learn?(text: string): void;
  /**
   * Shows the user text from outside before the model gets it, where a setting asks for that. False where it was
   * refused or nobody answered. Missing where nobody can be asked; a tool whose setting demands a review then hands
   * over nothing.
   */
  review?(response: { readonly title: string; readonly text: string }): Promise<boolean>;
  /**
   * What the gate would say now of another call by the same caller: `asks` where a person would have to confirm it.
   * Nothing is run, asked, counted or recorded. Missing where there is no gate.
   */
  judgeCall?(reference: string, input: unknown): Promise<AccessVerdict>;
  /** Runs another tool through the gate on behalf of this one. */
  invokeTool(reference: string, input: unknown): Promise<ToolResult>;
}

/** `asks` where it is not denied, but a person would have to confirm it. */
export type AccessVerdict =
  { readonly allowed: true } | { readonly allowed: false; readonly reason: string; readonly asks?: boolean };

/** What a person is shown before allowing a call, beyond the accesses and the arguments. All of it is plain text. */
export interface CallPreview {
  /** A unified diff of a write, lines that start with `-`, `+`, space or `@@`. */
  readonly diff?: string;
  /** Both sides of that diff whole, for an editor that compares them; missing where they are no text. */
  readonly sides?: () => { readonly path: string; readonly before: string; readonly after: string };
  /** Further lines, such as the recipients of a mail; what is ours in them is a sentence in the person's language. */
  readonly lines?: readonly (string | Sentence)[];
  /**
   * True where the diff could not be made or is cut: then the arguments are shown too, and nothing lasting can be
   * allowed.
   */
  readonly isPartial?: boolean;
  /** How this one call is undone, where that is known; the definition's `reversible` is a claim only. */
  readonly undo?: 'possible' | 'from-trash' | 'never';
  /**
   * What the accesses come to together, where that is less than they could mean: a new file, or a file that only
   * changes its place.
   */
  readonly action?: 'create' | 'move';
  /** What the tool itself knows to be at stake; the gate adds what the accesses tell. */
  readonly stake?: Stake;
  /**
   * Names what the preview was computed from, such as the hash of a file; the run finds it as `approvedBasis`. Not
   * shown.
   */
  readonly basis?: string;
  /** The computed change itself, which the run finds as `approvedPlan` and need not compute again. Not shown. */
  readonly plan?: object;
}

/** What tells whether a tool can work, before there is a call of it. */
export type SetupContext = Required<Pick<AccessContext, 'ports' | 'scopes'>>;

/** A tool's behaviour, loaded on first use. Only `gate/execute.ts` runs it (invariant: one gate). */
export interface ToolHandler<Input = unknown> {
  /**
   * The accesses that can be known from the input. Throws a ToolError for input that can never work, such as a path
   * outside.
   */
  accesses(input: Input, context: AccessContext): readonly Access[] | Promise<readonly Access[]>;
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
  preview?(input: Input, context: AccessContext): Promise<CallPreview>;
  /**
   * A payload as a model reads it: text first, then facts in one short line, without what the input or a default says.
   * Undefined where JSON says it best, or where words of others could pass for a line of ours.
   */
  text?(payload: JsonObject): string | undefined;
  /**
   * The one call of another tool that this call consists of, so that a person is asked about both at once; undefined
   * where there are several, or it depends on what is not known yet.
   */
  passesOn?(input: Input, context: AccessContext): { readonly tool: string; readonly input: unknown } | undefined;
  /** What has to be set up before any call can work; empty where nothing is. It only looks. */
  missing?(context: SetupContext): Promise<readonly Missing[]>;
}

/** A definition with its behaviour. */
export interface Tool {
  readonly definition: ToolDefinition;
  load(): Promise<ToolHandler>;
}

/**
 * Joins a definition and a typed handler. The one unchecked step from `unknown` to the handler's input type is here:
 * the gate has validated the input against `inputSchema`.
 */
export function defineTool<Input>(definition: ToolDefinition, load: () => Promise<ToolHandler<Input>>): Tool {
  // The schema has been checked by the gate; the types of schema and handler are kept together by each tool's
  // conformance test.
  const untyped = load as () => Promise<ToolHandler>;
  return { definition, load: lazy(untyped) };
}

/** The answer of tools that touch nothing. */
export const noAccesses = (): readonly Access[] => [];
