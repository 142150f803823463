import { visible } from '../base/visible';
import { foreignWord } from '../base/foreignWords';
import { proposal } from '../base/nearest';
import { eitherOf, say, saidBy, type Sentence, worded } from '../base/sentence';
import type { SchemaViolation } from '../base/schema';

/** The codes by which the gate answers a call that would have run otherwise. */
const refusalCodes = [
  'not_available',
  'not_enabled',
  'not_visible',
  'permission_denied',
  'scope_missing',
  'plan_mode',
  'plan_required',
  'outside_plan',
  'denied_by_policy',
  'secret_elsewhere',
  'requirement_failed',
  'rate_limit_exceeded',
  'budget_exceeded',
  'circuit_open',
  'too_many_calls',
  'approval_timeout',
  'approval_unavailable',
] as const;

/** The code of every error that a model or a person can meet; tests assert codes, never texts. */
export type ErrorCode =
  | (typeof refusalCodes)[number]
  | 'tool_not_found'
  | 'invalid_input'
  | 'invalid_output'
  | 'declined'
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
  | 'not_kept'
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

/**
 * Tells whether the gate answered a call that would have run otherwise; what is wrong with a call itself is not one.
 */
export const isRefusal = (code: string): boolean => refusalCodes.some((one) => one === code);

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
  /** What the message says; that of a tool stays in the words in which it was written. */
  readonly said: Sentence;

  constructor(data: ToolErrorData, said = say('as_it_is', data.message)) {
    super(data.message);
    this.name = 'ToolError';
    this.data = data;
    this.said = said;
  }
}

/** Recognises a tool error across bundles, where `instanceof` could fail. */
export function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && error.name === 'ToolError' && 'data' in error;
}

type MoreOfError = Partial<Omit<ToolErrorData, 'code' | 'message'>>;

/** Builds a tool error; the named factories below and those beside each capability are the only callers. */
export const toolError = (code: ErrorCode, message: string, more: MoreOfError = {}): ToolError =>
  new ToolError({ code, message, retryable: false, ...more });

/** Builds an error whose message is a sentence of the catalogue: what the gate itself says. */
export const refusal = (code: ErrorCode, said: Sentence, more: MoreOfError = {}): ToolError =>
  new ToolError({ code, message: worded(said), retryable: false, ...more }, said);

/** What an error says: a refusal of ours in its code, everything else in the words in which it was written. */
export const errorSaid = (error: unknown): Sentence => (error instanceof ToolError ? error.said : saidBy(error));

export const toolNotFound = (name: string, names: Iterable<string>): ToolError =>
  refusal('tool_not_found', say('tool_not_found', name, proposal(name, names)));

/** A plain name that several tools in the profile share; their own names tell them apart. */
export const toolAmbiguous = (name: string, names: readonly string[]): ToolError =>
  refusal('tool_not_found', say('tool_ambiguous', name, eitherOf(names)));

export const notAvailable = (name: string, why: string | Sentence): ToolError =>
  refusal('not_available', say('not_available', name, why));

export const notEnabled = (name: string, profile: string): ToolError =>
  refusal('not_enabled', say('not_enabled', name, foreignWord(profile)));

/** Begins with `Permission denied`, which callers look for. */
export const permissionDenied = (name: string, why: string | Sentence): ToolError =>
  refusal('permission_denied', say('permission_denied', name, why));

export const commandRefused = (command: string, why: Sentence): ToolError =>
  refusal('permission_denied', say('editor_command_refused', command, why));

export const scopeMissing = (name: string, scopes: readonly string[], profile: string): ToolError =>
  refusal('scope_missing', say('scope_missing', name, scopes, foreignWord(profile)));

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

/** A way through names and places in lists alone: a key that is none may be content, as in the shape of arguments. */
const namesOnly = /^(?:\/[\w$][\w$.-]{0,39})+$/;

/** A way to an argument, with keys that may be content marked as that. */
export const placeOfArgument = (path: string): string | Sentence =>
  namesOnly.test(path) ? path : say('content', path);

export function invalidInput(found: readonly SchemaViolation[]): ToolError {
  const violations = found.map(violationWords);
  const parts = found.map(({ path, expected, got }) =>
    say(
      'unfit_part',
      path === '' ? say('the_input') : placeOfArgument(path),
      expected,
      typeof got === 'string' ? say('content', got) : got,
    ),
  );
  return refusal('invalid_input', say('invalid_input', parts), { details: { violations } });
}

/** The same for what no schema can say of a call. */
export const unfitInput = (why: string): ToolError =>
  refusal('invalid_input', say('invalid_input', say('content', why)));

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
    `the result of \`${name}\` does not fit its output schema: ${visible(words)}; the tool has to be mended`,
  );
}

export const planMode = (name: string, effects: string | Sentence): ToolError =>
  refusal('plan_mode', say('plan_mode', name, effects));

export const deniedByPolicy = (boundary: string, reason: Sentence, steer: Sentence | undefined): ToolError =>
  refusal(
    'denied_by_policy',
    steer ? say('denied_with_steer', boundary, reason, steer) : say('denied_by_boundary', boundary, reason),
    { details: { boundary, ...(steer ? { steer: worded(steer) } : {}) } },
  );

/** A call that would take a hidden value where it did not come from. */
export const secretElsewhere = (name: string, placeholder: string, why: Sentence): ToolError =>
  refusal('secret_elsewhere', say('secret_elsewhere', name, placeholder, why));

export const requirementFailed = (name: string, blocking: readonly Sentence[]): ToolError =>
  refusal('requirement_failed', say('requirement_failed', name, blocking), {
    retryable: true,
    details: { blocking: blocking.map((one) => worded(one)) },
  });

/** Keeps the words `Rate limit exceeded`, which users' own tests look for. */
export const rateLimitExceeded = (name: string, limit: Sentence, retryAfterMs: number): ToolError =>
  refusal('rate_limit_exceeded', say('rate_limit_exceeded', name, limit, Math.ceil(retryAfterMs / 1000)), {
    retryable: true,
    retryAfterMs: Math.ceil(retryAfterMs),
  });

export const budgetExceeded = (what: 'calls' | 'seconds' | 'megabytes', limit: number): ToolError =>
  refusal('budget_exceeded', say(`budget_of_${what}`, limit));

export const approvalUnavailable = (name: string, why: Sentence): ToolError =>
  refusal('approval_unavailable', say('approval_unavailable', name, why));

export const cancelled = (name: string): ToolError => refusal('cancelled', say('cancelled', name));

export const timedOut = (name: string, ms: number): ToolError =>
  refusal('timeout', say('timed_out', name, ms), { retryable: true });

export const circuitOpen = (name: string, retryAfterMs: number): ToolError =>
  refusal('circuit_open', say('circuit_open', name, Math.ceil(retryAfterMs / 1000)), {
    retryable: true,
    retryAfterMs: Math.ceil(retryAfterMs),
  });

/** What the model hears of a fault that is ours: nothing but a reference that the log holds too. */
export const internalError = (reference: string): ToolError =>
  refusal('internal_error', say('internal_fault', reference), { details: { reference } });
