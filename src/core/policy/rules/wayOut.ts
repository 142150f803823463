import { type Access, isReadOnly } from '../../vocabulary/access';
import type { WayOut } from '../../vocabulary/flow';

/**
 * The way out that an access is by itself, where nobody knows which links the session saw and whom the user named:
 * what goes into the network can carry data, but for a connection that is only read from.
 */
export function plainWayOut({ effect, onlyReads, ...access }: Access): WayOut | undefined {
  if (effect === 'network.dns') return 'data';
  if (effect === 'network.socket' && onlyReads === true) return undefined;
  if (/^(?:network\.|system\.exec|cloud\.|payments$|writes-external$)/.test(effect)) {
    // Such an address is its own content: nobody is asked.
    if (effect === 'network.http' && /^data:[a-z]+\/[a-z\d.+-]+[;,]/i.test(access.resource)) return undefined;
    if (effect !== 'network.http' || !isReadOnly({ effect, ...access })) return 'data';
    return isBare(access.resource) ? 'plain' : 'data';
  }
  return undefined;
}

/** True for an address that says no more than a host: it cannot carry more than that name does. */
function isBare(resource: string): boolean {
  return /^(?:(?:[a-z]+:)?\/\/)?[^/?#]*\/?(?:#.*)?$/i.test(resource);
}

/** The way that tells most. */
export function widestWay(ways: readonly (WayOut | undefined)[]): WayOut | undefined {
  return ways.includes('data') ? 'data' : ways.includes('plain') ? 'plain' : undefined;
}
