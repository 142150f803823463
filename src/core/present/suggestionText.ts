import { grouped } from '../base/figures';
import type { Translate } from '../base/translate';
import type { Examples } from '../learning/examples';
import type { Suggestion } from '../learning/suggest';
import { cutMiddle } from './approvalRows';
import { oneLine } from './approvalWords';

const longestPattern = 60;

/** What a suggestion covers, as a person reads it: `src/*.ts`. */
export function coverageWords({ pattern }: Suggestion, longest = longestPattern): string {
  return cutMiddle(oneLine(pattern.replace(/^=/, '').replace(/\\(.)/g, '$1')), longest);
}

/** What a grant that was learned allows, what it would also allow, what it would not, and its replay over the record. */
export function suggestionLines(suggestion: Suggestion, examples: Examples, t: Translate): readonly string[] {
  const { toolName, saved, asked, denied } = suggestion;
  const { files, alsoAllows, nearMisses } = examples;
  const named = (all: readonly string[]): string =>
    all.map((one) => cutMiddle(oneLine(one), longestPattern)).join(', ');
  return [
    t('{0} on {1} would no longer ask for this reason.', oneLine(toolName), coverageWords(suggestion)),
    t(
      'Over the record: {0} of {1} questions saved, none of {2} denied calls allowed.',
      grouped(saved),
      grouped(asked),
      grouped(denied),
    ),
    ...(alsoAllows.length > 0
      ? [t('It would also allow, of {0} files there: {1}.', grouped(files), named(alsoAllows))]
      : [t('It covers nothing else that is there now.')]),
    ...(nearMisses.length > 0 ? [t('It would not allow: {0}.', named(nearMisses))] : []),
    t('Other tools, and rules that ask or deny for another reason, go on as before.'),
  ];
}
