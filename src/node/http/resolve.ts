import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { isAllowedPrivateHost, judgeAddress, judgeHost } from '../../core/hosts/address';
import { addressRefused, networkError } from '../../core/net/errors';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Looks a name up; the default asks the machine's resolver for all addresses. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/**
 * Gives the addresses that a connection to this URL may use, after one lookup: the caller connects to exactly these, so
 * that a second answer of the resolver cannot matter. If any address is not public, all are refused. An exempt host may
 * be private; an exempt name still may not lead to a metadata service.
 */
export function checkedAddresses(
  url: URL,
  allowed: readonly string[],
  resolver: Resolver,
): Promise<readonly ResolvedAddress[]> {
  return checkedHost(url.hostname, Number(url.port || (url.protocol === 'https:' ? 443 : 80)), allowed, resolver);
}

/** The same for what has no URL: a mail server, a database. */
export async function checkedHost(
  hostname: string,
  port: number,
  allowedPrivateHosts: readonly string[],
  resolver: Resolver,
): Promise<readonly ResolvedAddress[]> {
  const exempt = isAllowedPrivateHost(allowedPrivateHosts, hostname, port);
  const host = judgeHost(hostname);
  if (!exempt && !host.verdict.public) throw addressRefused(hostname, host.verdict.kind);
  if (host.type === 'address') return [{ address: host.address, family: host.address.includes(':') ? 6 : 4 }];
  const addresses = await resolver(host.name);
  for (const { address } of addresses) {
    const verdict = judgeAddress(address);
    if (!verdict.public && (!exempt || verdict.metadata)) throw addressRefused(hostname, verdict.kind);
  }
  if (addresses.length === 0) throw networkError(`the host \`${hostname}\` has no address`, true);
  return addresses;
}

/** True for an address of this machine itself, which no proxy could reach. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
