import { type Sentence, worded } from './sentence';

/**
 * Something that a person should put right. Shown in the tree and the Problems panel, never skipped (invariant: no
 * silent skip).
 */
export interface Problem {
  readonly severity: 'error' | 'warning' | 'information';
  /** A stable word for tests and quick fixes: `unknown_capability`. */
  readonly code: string;
  /** What is wrong, for its words in any language. */
  readonly said: Sentence;
  /** Its plain English: lower case, no final stop. Never written by hand and never read back. */
  readonly message: string;
  /** The profile, capability, tool, boundary or requirement that it is about. */
  readonly subject?: string;
  /** JSON pointer to the place within its file or setting: `/3/match/path`. */
  readonly pointer?: string;
  /** The file and position, where it stands in a file. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where the marked text ends (the position after its last character); lines and columns count from 1. */
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** Makes a problem; its code is that of its sentence, where none is given. */
export function problem(told: Omit<Problem, 'message' | 'code'> & { readonly said: Sentence; code?: string }): Problem {
  return { ...told, code: told.code ?? told.said.code, message: worded(told.said) };
}

const pendingCodes: ReadonlySet<string> = new Set([
  'definition_pending',
  'widening_pending',
  'active_profile_pending',
  'prompt_pending',
  'mcp_not_approved',
]);

/**
 * True for what nobody has to put right: it waits for an answer that only a person in the editor can give, and does not
 * act before.
 */
export function isPending({ code }: Problem): boolean {
  return pendingCodes.has(code);
}

export interface Parsed<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}
