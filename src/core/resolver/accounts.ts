import { foreignWord } from '../base/foreignWords';
import type { Json } from '../base/json';
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
): readonly string[] {
  const wanted = account.toLowerCase();
  const names = (id: string): boolean => id.toLowerCase().includes(wanted);
  const found = flattenRequires(requires).filter(names);
  const words = (one: Delegation): string =>
    `${foreignWord(one.fromParty)} lets ${foreignWord(one.toParty)} use ${foreignWord(one.scopeAccount)}`;
  if (found.length > 0)
    return found.flatMap((id) => {
      const own = delegations.filter((one) => one.scopeAccount === id);
      return own.length > 0
        ? own.map(words)
        : [`${foreignWord(capabilityId)} requires ${foreignWord(id)}, for which grants.json holds no delegation`];
    });
  const elsewhere = delegations.filter((one) => names(one.scopeAccount));
  return elsewhere.length > 0
    ? elsewhere.map((one) => `${words(one)}, but ${foreignWord(capabilityId)} does not require it`)
    : [
        `${foreignWord(capabilityId)} requires no account of ${foreignWord(account)}, and grants.json holds no delegation for one`,
      ];
}
