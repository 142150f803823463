import type { Json } from '../base/json';
import { flattenRequires } from './composed';
import type { Delegation } from './requirement';

/**
 * Says which accounts a rule of decision `deny_unless_account` found in what a capability requires, and who lets whom use them by grants.json.
 * A delegation never decides: the rule looks at the requirements alone (seed 4), and this explains what stands behind them.
 */
export function accountNotes(capabilityId: string, requires: Json, account: string, delegations: readonly Delegation[]): readonly string[] {
  const wanted = account.toLowerCase();
  const names = (id: string): boolean => id.toLowerCase().includes(wanted);
  const found = flattenRequires(requires).filter(names);
  const words = (one: Delegation): string => `${one.fromParty} lets ${one.toParty} use ${one.scopeAccount}`;
  if (found.length > 0)
    return found.flatMap((id) => {
      const own = delegations.filter((one) => one.scopeAccount === id);
      return own.length > 0 ? own.map(words) : [`${capabilityId} requires ${id}, for which grants.json holds no delegation`];
    });
  const elsewhere = delegations.filter((one) => names(one.scopeAccount));
  return elsewhere.length > 0
    ? elsewhere.map((one) => `${words(one)}, but ${capabilityId} does not require it`)
    : [`${capabilityId} requires no account of ${account}, and grants.json holds no delegation for one`];
}
