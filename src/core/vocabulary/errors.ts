import { foreignWord } from '../base/foreignWords';
import { didYouMean } from '../base/nearest';
import type { SchemaViolation } from '../base/schema';
import { type Sentence, worded } from '../base/sentence';

/** The code of every error that a model or a person can meet; tests assert codes, never texts. */
export type ErrorCode =
  | 'tool_not_found'
  | 'not_available'
  | 'not_enabled'
  | 'not_visible'
  | 'permission_denied'
  | 'scope_missing'
  | 'invalid_input'
  | 'invalid_output'
  | 'plan_mode'
  | 'plan_required'
  | 'outside_plan'
  | 'denied_by_policy'
  | 'requirement_failed'
  | 'rate_limit_exceeded'
  | 'budget_exceeded'
  | 'circuit_open'
  | 'too_many_calls'
  | 'declined'
  | 'approval_timeout'
  | 'approval_unavailable'
  | 'cancelled'
  | 'timeout'
  | 'internal_error'
  // Codes of what tools themselves meet.
  | 'path_outside'
  | 'path_invalid'
  | 'path_ambiguous'
  | 'not_found'
  | 'already_exists'
  | 'is_a_directory'
  | 'not_a_directory'
  | 'not_empty'
  | 'not_text'
  | 'no_space'
  | 'conflict'
  | 'no_match'
  | 'too_large'
  | 'unsupported'
  | 'invalid_url'
  | 'address_refused'
  | 'network_error'
  | 'too_many_redirects'
  | 'unknown_time_zone'
  | 'invalid_time'
  | 'division_by_zero'
  | 'invalid_expression'
  | 'invalid_pattern'
  | 'invalid_query'
  | 'database_error'
  | 'powerful_role'
  | 'email_error'
  | 'process_error'
  | 'sandbox_error'
  | 'mcp_error'
  | 'extension_error'
  | 'definition_error';

export interface ToolErrorData {
  readonly code: ErrorCode;
  /** Lower case, no final stop, what was expected, what came, what to do next. Written for the model. */
  readonly message: string;
  /** True where the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** How long to wait before a retry can succeed, in milliseconds, where that is known exactly. */
  readonly retryAfterMs?: number;
  /** Structured facts for programs, such as the boundary that denied. Never secrets, never file contents. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error that the model should read. Handlers throw it; everything else that is thrown becomes an internal error. */
export class ToolError extends Error {
  readonly data: ToolErrorData;

  constructor(data: ToolErrorData) {
    super(data.message);
    this.name = 'ToolError';
    this.data = data;
  }
}

/** Recognises a tool error across bundles, where `instanceof` could fail. */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && error.name === 'ToolError' && 'data' in error;
}

/** Builds a tool error; the named factories below and those beside each capability are the only callers. */
export function toolError(
  code: ErrorCode,
  message: string,
  more: Partial<Omit<ToolErrorData, 'code' | 'message'>> = {},
): ToolError {
  return new ToolError({ code, message, retryable: false, ...more });
}

export const toolNotFound = (name: string, names: Iterable<string>): ToolError =>
  toolError('tool_not_found', `no tool is called \`${name}\`${didYouMean(name, names)}`);

/** A plain name that several tools in the profile share; their own names tell them apart. */
export const toolAmbiguous = (name: string, names: readonly string[]): ToolError =>
  toolError(
    'tool_not_found',
    `several tools are called \`${name}\`; call ${names.map((one) => `\`${one}\``).join(' or ')}`,
  );

export const notAvailable = (name: string, why: string): ToolError =>
  toolError('not_available', `\`${name}\` is not available: ${why}`);

export const notEnabled = (name: string, profile: string): ToolError =>
  toolError(
    'not_enabled',
    `\`${name}\` is switched off in the profile \`${foreignWord(profile)}\`; ask the user to switch it on in the Capabilities view`,
  );

export const notVisible = (name: string, actor: string): ToolError =>
  toolError('not_visible', `\`${name}\` is not offered to ${actor}s`);

/** Begins with `Permission denied`, which callers look for (S0.permission). */
export const permissionDenied = (name: string, why: string): ToolError =>
  toolError('permission_denied', `Permission denied: \`${name}\` ${why}`);

export const commandRefused = (command: string, why: Sentence): ToolError =>
  toolError('permission_denied', `the command \`${command}\` of the editor is not run with this: it ${worded(why)}`);

export const scopeMissing = (name: string, scopes: readonly string[], profile: string): ToolError =>
  toolError(
    'scope_missing',
    `Permission denied: \`${name}\` needs the scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}, which the profile \`${foreignWord(profile)}\` is not granted`,
  );

/** A database connection whose role can do more than its tool is for; the message holds what its owner can do. */
export const powerfulRole = (facts: {
  readonly connection: string;
  readonly role: string;
  readonly power: string;
  readonly sql: string;
}): ToolError =>
  toolError(
    'powerful_role',
    `Permission denied: the role \`${facts.role}\` of the connection \`${facts.connection}\` ${facts.power}, and a query could do the same; nothing was run. Ask the user to make a role that can do no more and to name it in the connection: ${facts.sql} Or, where the owner of the database accepts that, to set \`acceptPowerfulRole\` to true for the connection in the user's settings`,
    { details: { ...facts } },
  );

export function invalidInput(found: readonly SchemaViolation[]): ToolError {
  const violations = found.map(violationWords);
  const words = violations.map((one) => `${one.path === '' ? 'the input' : one.path} ${one.expected} (got ${one.got})`);
  return toolError('invalid_input', `input is not valid: ${words.join('; ')}`, { details: { violations } });
}

function violationWords({ path, expected, got }: SchemaViolation): { path: string; expected: string; got: string } {
  const text = (said: Sentence | string): string => (typeof said === 'string' ? said : worded(said));
  return { path, expected: text(expected), got: text(got) };
}

export function invalidOutput(name: string, violations: readonly SchemaViolation[]): ToolError {
  const first = violations.map(violationWords)[0];
  const words = first
    ? `${first.path === '' ? 'the result' : first.path} ${first.expected} (got ${first.got})`
    : 'it does not fit';
  return toolError(
    'invalid_output',
    `the result of \`${name}\` does not fit its output schema: ${words}; the tool has to be mended`,
  );
}

export const planMode = (name: string, effects: readonly string[]): ToolError =>
  toolError(
    'plan_mode',
    `\`${name}\` is denied in plan mode, which allows reading only (it would ${effects.join(', ')}); describe the change in the plan instead`,
  );

export const planRequired = (name: string, risk: string): ToolError =>
  toolError(
    'plan_required',
    `\`${name}\` has ${risk} risk and needs a frozen plan that lists it; make a plan and ask the user to freeze it`,
  );

export const outsidePlan = (name: string, allowed: readonly string[]): ToolError =>
  toolError(
    'outside_plan',
    `this call of \`${name}\` is not in the frozen plan. allowed instead: ${allowed.length === 0 ? 'nothing is left in the plan' : allowed.join('; ')}`,
  );

export const deniedByPolicy = (boundary: string, reason: string, steer: string | undefined): ToolError =>
  toolError(
    'denied_by_policy',
    `denied by boundary "${boundary}": ${reason}${steer ? `. allowed instead: ${steer}` : ''}`,
    {
      details: { boundary, ...(steer ? { steer } : {}) },
    },
  );

export const requirementFailed = (name: string, blocking: readonly string[]): ToolError =>
  toolError(
    'requirement_failed',
    `\`${name}\` cannot run now: ${blocking.join('; ')}. ask the user to put this right, or do without`,
    {
      retryable: true,
      details: { blocking },
    },
  );

/** Begins with `Rate limit exceeded`, which callers look for (S0.rate-limit). */
export const rateLimitExceeded = (name: string, limit: string, retryAfterMs: number): ToolError =>
  toolError(
    'rate_limit_exceeded',
    `Rate limit exceeded: \`${name}\` allows ${limit}; try again in ${Math.ceil(retryAfterMs / 1000)} s`,
    {
      retryable: true,
      retryAfterMs,
    },
  );

export const budgetExceeded = (what: string, limit: string): ToolError =>
  toolError('budget_exceeded', `the session's budget of ${limit} ${what} is used up; ask the user whether to go on`);

/** What would run is not what a person approved. */
export const changedSinceApproval = (file: string): ToolError =>
  toolError('definition_error', `\`${file}\` is not what the user approved any more; ask the user to approve it again`);

/** A handler's file that was not there, or was no text, when its definition was read. */
export const moduleNotRead = (file: string): ToolError =>
  toolError('definition_error', `\`${file}\` could not be read with its definition; ask the user to look at it`);

export const declined = (name: string, what: string): ToolError =>
  toolError('declined', `the user declined to let ${name} ${what}. do not retry; ask what to do instead`);

export const approvalTimeout = (name: string, seconds: number): ToolError =>
  toolError(
    'approval_timeout',
    `nobody answered within ${seconds} s whether \`${name}\` may run, so it is denied; ask the user before trying again`,
  );

export const approvalUnavailable = (name: string, why: string): ToolError =>
  toolError('approval_unavailable', `\`${name}\` needs a confirmation, and ${why}, so it is denied`);

export const cancelled = (name: string): ToolError =>
  toolError('cancelled', `\`${name}\` was cancelled before it finished`);

export const timedOut = (name: string, ms: number): ToolError =>
  toolError('timeout', `\`${name}\` did not finish within ${ms} ms`, { retryable: true });

export const circuitOpen = (name: string, retryAfterMs: number): ToolError =>
  toolError(
    'circuit_open',
    `\`${name}\` failed several times in a row and is resting; try again in ${Math.ceil(retryAfterMs / 1000)} s`,
    {
      retryable: true,
      retryAfterMs,
    },
  );

/** What the model hears of a fault that is ours: nothing but a reference that the log holds too. */
export const internalError = (reference: string): ToolError =>
  toolError('internal_error', `the tool failed for a reason of its own; the log holds the details under ${reference}`, {
    details: { reference },
  });
