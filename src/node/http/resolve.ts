import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { isAllowedPrivateHost, judgeAddress, judgeHost } from '../../core/hosts/address';
import { say } from '../../core/base/sentence';
import { addressRefused, networkError } from '../../core/net/errors';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Looks a name up; the default asks the machine's resolver for all addresses. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** Who is looked up where, and what may be private. */
export interface Resolving {
  /** The setting `network.allowedPrivateHosts`, read at each request; where it is left out, the host itself may be. */
  allowedPrivateHosts?(): readonly string[];
  /** The machine's own where it is left out. */
  readonly resolver?: Resolver;
}

/**
 * Gives the addresses that a connection to this host may use, after one lookup: the caller connects to exactly these,
 * so that a second answer of the resolver cannot matter. If any address is not public, all are refused. An exempt host
 * may be private; an exempt name still may not lead to a metadata service.
 */
export async function checkedHost(
  hostname: string,
  port: number,
  resolving: Resolving,
): Promise<readonly ResolvedAddress[]> {
  const allowedPrivateHosts = resolving.allowedPrivateHosts?.() ?? [hostname];
  const resolver = resolving.resolver ?? systemResolver;
  const exempt = isAllowedPrivateHost(allowedPrivateHosts, hostname, port);
  const host = judgeHost(hostname);
  if (!exempt && !host.verdict.public) throw addressRefused(hostname, host.verdict.kind);
  if (host.type === 'address') return [{ address: host.address, family: host.address.includes(':') ? 6 : 4 }];
  const addresses = await resolver(host.name);
  for (const { address } of addresses) {
    const verdict = judgeAddress(address);
    if (!verdict.public && (!exempt || verdict.metadata)) throw addressRefused(hostname, verdict.kind);
  }
  if (addresses.length === 0) throw networkError(say('network_host_without_address', hostname), true);
  return addresses;
}

/** True for an address of this machine itself, which no proxy could reach. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
