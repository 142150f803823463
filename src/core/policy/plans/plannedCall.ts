import { linked, say, type Sentence } from '../../base/sentence';
import { cutEnd } from '../../base/text';
import type { ArgumentMatcher } from '../../vocabulary/boundary';

/**
 * One line of a frozen plan: a tool, how each argument must be, and how often. An argument that is not named must be
 * left out.
 */
export type PlannedCall = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, ArgumentMatcher>>;
  readonly count: number;
};

/** Says a planned call in words: `write_file with path like src/**`. */
export function describeCall({ tool, arguments: named }: PlannedCall): Sentence {
  const told = Object.entries(named).map(([name, matcher]) => say('planned_argument', name, matcherSaid(matcher)));
  return told.length === 0 ? say('as_it_is', tool) : say('planned_call', tool, linked('in_turn', told));
}

function matcherSaid({ oneOf, glob, regex, minimum, maximum, exists, ...rest }: ArgumentMatcher): Sentence {
  const brief = (value: unknown): string => cutEnd(JSON.stringify(value), 80);
  const parts: Sentence[] = [];
  if ('equals' in rest) parts.push(say('as_it_is', `= ${brief(rest.equals)}`));
  if (oneOf) parts.push(say('planned_one_of', brief(oneOf)));
  if (glob !== undefined) parts.push(say('planned_like', glob));
  if (regex !== undefined) parts.push(say('planned_matching', regex));
  if (minimum !== undefined) parts.push(say('as_it_is', `>= ${minimum}`));
  if (maximum !== undefined) parts.push(say('as_it_is', `<= ${maximum}`));
  if (exists !== undefined) parts.push(say(exists ? 'planned_given' : 'planned_left_out'));
  return linked('both', parts);
}
