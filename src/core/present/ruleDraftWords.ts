import type { DraftDecision, RuleTarget } from '../policy/rules/ruleDraft';
import type { Translate } from '../base/translate';
import { oneLine } from './approvalWords';

/** A pattern as it is read, without the backslashes that keep it from meaning more. */
const plain = (pattern: string): string => oneLine(pattern.replace(/\\(.)/g, '$1'));

/** What a rule that a person may make would do, in a line: `Deny changing src/app.ts`. */
export function draftWords(decision: DraftDecision, target: RuleTarget, toolName: string, t: Translate): string {
  const denies = decision === 'deny';
  if (target.type === 'tool') {
    const tool = oneLine(toolName);
    return denies ? t('Deny every call of {0}', tool) : t('Ask me before every call of {0}', tool);
  }
  if (target.type === 'host') {
    const host = oneLine(target.host);
    return denies ? t('Deny contacting {0}', host) : t('Ask me before contacting {0}', host);
  }
  const place = plain(target.pattern);
  if (target.type === 'outside')
    return denies
      ? t('Deny changing anything outside of {0}', place)
      : t('Ask me before changing anything outside of {0}', place);
  if (target.type === 'file') {
    if (target.changes) return denies ? t('Deny changing {0}', place) : t('Ask me before changing {0}', place);
    return denies ? t('Deny reading {0}', place) : t('Ask me before reading {0}', place);
  }
  if (target.changes)
    return denies ? t('Deny changing all of {0}', place) : t('Ask me before changing any of {0}', place);
  return denies ? t('Deny reading all of {0}', place) : t('Ask me before reading any of {0}', place);
}
