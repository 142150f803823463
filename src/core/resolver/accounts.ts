import { foreignWord } from '../base/foreignWords';
import type { Json } from '../base/json';
import { say, type Sentence } from '../base/sentence';
import { flattenRequires } from '../capability/composed';
import type { Delegation } from './requirement';

/**
 * Says which accounts a rule of decision `deny_unless_account` found in what a capability requires, and who lets whom
 * use them by grants.json. A delegation never decides: the rule looks at the requirements alone, and this explains what
 * stands behind them.
 */
export function accountNotes(
  capabilityId: string,
  requires: Json,
  account: string,
  delegations: readonly Delegation[],
): readonly Sentence[] {
  const wanted = account.toLowerCase();
  const names = (id: string): boolean => id.toLowerCase().includes(wanted);
  const found = flattenRequires(requires).filter(names);
  const who = foreignWord(capabilityId);
  const delegated = (one: Delegation): Sentence =>
    say('account_delegated', foreignWord(one.fromParty), foreignWord(one.toParty), foreignWord(one.scopeAccount));
  if (found.length > 0)
    return found.flatMap((id) => {
      const own = delegations.filter((one) => one.scopeAccount === id);
      return own.length > 0 ? own.map(delegated) : [say('account_not_delegated', who, foreignWord(id))];
    });
  const elsewhere = delegations.filter((one) => names(one.scopeAccount));
  return elsewhere.length > 0
    ? elsewhere.map((one) => say('account_not_required', delegated(one), who))
    : [say('account_unknown', who, foreignWord(account))];
}
