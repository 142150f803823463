import { foreignSentences, foreignText, foreignWord } from '../base/foreignWords';
import { say, type Sentence, worded } from '../base/sentence';
import type { Boundary } from './boundary';

/** What is said of a rule to models and people. */
interface RuleWords {
  readonly id: string;
  readonly reason: Sentence;
  readonly steer?: Sentence;
  readonly fault?: Sentence | readonly Sentence[];
}

/** The words of a rule as a sentence: ours, or its author's. */
export const reasonSaid = (words: string | Sentence): Sentence =>
  typeof words === 'string' ? say('as_it_is', words) : words;

/** Words of a repository, marked: a model that reads them must not take them for instructions. */
export const wordsOfWorkspace = (text: string): Sentence => say('words_of_workspace', foreignText(text));

/** What of a rule could not be read, each with its place. */
const faultsSaid = ({ faults = [] }: Boundary): readonly Sentence[] =>
  faults.map(({ at, said }) => (at === '' ? said : say('rule_fault', at, said)));

/**
 * What a rule says. The words of a rule that a repository brings reach a model with every denial, so they are marked as
 * the workspace's and as data; of a workspace that is not trusted only the rule's name is told.
 */
export function ruleWords(boundary: Boundary, because: Boundary['reason'] = boundary.reason): RuleWords {
  const { id, scope } = boundary;
  const steer = boundary.reasons?.find((row) => row.reason === because)?.steer ?? boundary.steer;
  const reason = reasonSaid(because);
  const faults = faultsSaid(boundary);
  const faulty = (fault: NonNullable<RuleWords['fault']>): Pick<RuleWords, 'fault'> =>
    faults.length === 0 ? {} : { fault };
  if (scope !== 'workspace')
    return { id, reason, ...(steer === undefined ? {} : { steer: reasonSaid(steer) }), ...faulty(faults) };
  const name = foreignWord(id);
  if (boundary.withheld) return { id: name, reason: say('words_withheld'), ...faulty(say('boundary_read_in_part')) };
  return {
    id: name,
    reason: wordsOfWorkspace(worded(reason)),
    ...(steer === undefined ? {} : { steer: wordsOfWorkspace(worded(reasonSaid(steer))) }),
    ...faulty(foreignSentences(faults)),
  };
}

const withheld = new WeakMap<Boundary, Boundary>();

/** The rules of a workspace that is not trusted: they hold like all others, and say nothing. */
export function withoutWords(boundaries: readonly Boundary[]): readonly Boundary[] {
  return boundaries.map((boundary) => {
    if (boundary.scope !== 'workspace') return boundary;
    // The same object for the same rule, so that it is not compiled again.
    const known = withheld.get(boundary) ?? { ...boundary, withheld: true };
    withheld.set(boundary, known);
    return known;
  });
}
