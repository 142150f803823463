/** A part of a text that is a secret, or looks like one, and the rule that found it. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** The kind, as a placeholder shows it: `stripe-key`. */
  readonly rule: string;
  /** True for what has a form that nothing else has; what only might be a secret is a guess. */
  readonly sure?: boolean;
}

/** Finds secrets in a text. It must be synchronous and free of side effects, and may find too much. */
export type SecretFinder = (text: string) => readonly Finding[];
