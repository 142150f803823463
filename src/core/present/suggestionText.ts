import type { Translate } from '../base/translate';
import { wholeNumber } from './words';
import type { Examples } from '../learning/examples';
import type { Suggestion } from '../learning/suggest';
import { cutMiddle } from './approvalRows';
import { oneLine } from './approvalWords';

const longestPattern = 60;

/** What a suggestion covers, as a person reads it: `src/*.ts`. */
export function coverageWords({ pattern }: Suggestion): string {
  return cutMiddle(oneLine(pattern.replace(/^=/, '').replace(/\\(.)/g, '$1')), longestPattern);
}

/** What is there besides what was asked about; what was not looked up is said to be so. */
function alsoAllowed(examples: Examples | undefined, named: (all: readonly string[]) => string, t: Translate): string {
  if (!examples) return t('What else it covers was not looked up.');
  const { files, alsoAllows } = examples;
  if (files !== undefined)
    return alsoAllows.length > 0
      ? t('It would also allow, of what is there (files: {0}): {1}.', wholeNumber(files, t), named(alsoAllows))
      : t('It covers nothing else that is there now, ignored files aside.');
  return alsoAllows.length > 0
    ? t('It would also allow, and not all was looked up: {0}.', named(alsoAllows))
    : t('What else it covers was not looked up to the end.');
}

/**
 * What a grant that was learned allows, what it would also allow, what it would not, and its replay over the record.
 * @param examples undefined where they could not be looked up.
 */
export function suggestionLines(
  suggestion: Suggestion,
  examples: Examples | undefined,
  t: Translate,
): readonly string[] {
  const { toolName, saved, asked, denied } = suggestion;
  const nearMisses = examples?.nearMisses ?? [];
  const named = (all: readonly string[]): string =>
    all.map((one) => cutMiddle(oneLine(one), longestPattern)).join(', ');
  return [
    t('{0} on {1} would no longer ask for this reason.', oneLine(toolName), coverageWords(suggestion)),
    t(
      'Over the record: questions saved: {0} of {1}; denied calls allowed: none of {2}.',
      wholeNumber(saved, t),
      wholeNumber(asked, t),
      wholeNumber(denied, t),
    ),
    alsoAllowed(examples, named, t),
    ...(nearMisses.length > 0 ? [t('It would not allow: {0}.', named(nearMisses))] : []),
    t('Other tools, and rules that ask or deny for another reason, go on as before.'),
  ];
}
