import type { Problem } from '../base/problem';
import { worded } from '../base/sentence';
import type { Translate } from '../base/translate';

/** The message of a problem in the person's language. */
export function problemWords({ said, message }: Problem, t: Translate): string {
  return said ? worded(said, t) : message;
}
