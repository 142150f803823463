import type { DraftDecision, RuleTarget } from '../policy/rules/ruleDraft';
import type { Translate } from '../base/translate';
import { oneLine } from './approvalWords';

/** What a rule that a person may make would do, in a line: `Deny changing src/app.ts`. */
export function draftWords(decision: DraftDecision, target: RuleTarget, toolName: string, t: Translate): string {
  return decision === 'deny' ? denyWords(target, toolName, t) : askWords(target, toolName, t);
}

/** A pattern as it is read, without the backslashes that keep it from meaning more. */
const plain = (pattern: string): string => oneLine(pattern.replace(/\\(.)/g, '$1'));

function denyWords(target: RuleTarget, toolName: string, t: Translate): string {
  switch (target.type) {
    case 'tool':
      return t('Deny every call of {0}', oneLine(toolName));
    case 'host':
      return t('Deny contacting {0}', oneLine(target.host));
    case 'outside':
      return t('Deny changing anything outside of {0}', plain(target.pattern));
    case 'file':
      return target.changes
        ? t('Deny changing {0}', plain(target.pattern))
        : t('Deny reading {0}', plain(target.pattern));
    default:
      return target.changes
        ? t('Deny changing all of {0}', plain(target.pattern))
        : t('Deny reading all of {0}', plain(target.pattern));
  }
}

function askWords(target: RuleTarget, toolName: string, t: Translate): string {
  switch (target.type) {
    case 'tool':
      return t('Ask me before every call of {0}', oneLine(toolName));
    case 'host':
      return t('Ask me before contacting {0}', oneLine(target.host));
    case 'outside':
      return t('Ask me before changing anything outside of {0}', plain(target.pattern));
    case 'file':
      return target.changes
        ? t('Ask me before changing {0}', plain(target.pattern))
        : t('Ask me before reading {0}', plain(target.pattern));
    default:
      return target.changes
        ? t('Ask me before changing any of {0}', plain(target.pattern))
        : t('Ask me before reading any of {0}', plain(target.pattern));
  }
}
