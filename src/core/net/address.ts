import ipaddr from 'ipaddr.js';

/** Whether an address may be contacted without having been named by the user, and if not, what it is. */
export type AddressVerdict = { readonly public: true } | { readonly public: false; readonly kind: string; readonly metadata: boolean };

const publicAddress: AddressVerdict = { public: true };

/** Addresses inside otherwise public ranges, or of special danger, where clouds answer questions about their machines. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
]);

const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);

const words: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a carrier-grade NAT address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  ipv4Mapped: 'a mapped address',
};

/**
 * Judges one IP address as it would be connected to. Everything but global unicast is refused: loopback, private, link-local, shared,
 * multicast, documentation and benchmark ranges, addresses that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo, `::/96`),
 * and the metadata services of clouds (research: security 1.2). What is no address is refused too.
 */
export function judgeAddress(address: string): AddressVerdict {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return { public: false, kind: 'no address', metadata: false };
  const parsed = ipaddr.process(bare);
  if (metadataAddresses.has(parsed.toString())) return { public: false, kind: 'a cloud metadata address', metadata: true };
  const range = parsed.range();
  if (range !== 'unicast') return { public: false, kind: words[range] ?? `a reserved address (${range})`, metadata: false };
  if (parsed instanceof ipaddr.IPv6 && parsed.match(ipaddr.IPv6.parse('::'), 96)) {
    return { public: false, kind: 'an IPv4-compatible address', metadata: false };
  }
  return publicAddress;
}

/** What a URL's host says before any lookup: a literal address with its verdict, or a name (of which some are known to be private). */
export type HostVerdict =
  | { readonly type: 'address'; readonly address: string; readonly verdict: AddressVerdict }
  | { readonly type: 'name'; readonly name: string; readonly verdict: AddressVerdict };

/**
 * Judges the host of a URL as `new URL(...)` spells it. Names are `public` here unless they are known to mean this machine or a cloud's
 * metadata service; what they resolve to is judged when the connection is made. The policy engine uses the same function.
 */
export function judgeHost(hostname: string): HostVerdict {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const bare = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(bare)) return { type: 'address', address: bare, verdict: judgeAddress(bare) };
  if (host === 'localhost' || host.endsWith('.localhost') || host === 'localhost.localdomain') {
    return { type: 'name', name: host, verdict: { public: false, kind: 'a name of this machine', metadata: false } };
  }
  if (metadataNames.has(host))
    return { type: 'name', name: host, verdict: { public: false, kind: 'a cloud metadata name', metadata: true } };
  return { type: 'name', name: host, verdict: publicAddress };
}

/**
 * Tells whether `network.allowedPrivateHosts` names this host. An entry is a host name or an address as the URL spells it, with an optional
 * `:port`; without a port it covers all of them. An address that a name resolves to is not covered by an entry for that address, so that
 * no foreign name can be pointed at it.
 */
export function isAllowedPrivateHost(entries: readonly string[], hostname: string, port: string | number): boolean {
  const host = spellHost(hostname);
  return entries.some((entry) => {
    const named = splitEntry(entry.trim());
    return spellHost(named.host) === host && (named.port === undefined || named.port === Number(port));
  });
}

/** An entry with more than one colon and no brackets is an IPv6 address without a port. */
function splitEntry(entry: string): { readonly host: string; readonly port: number | undefined } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry);
  if (!match) return { host: entry, port: undefined };
  return { host: match[1] ?? '', port: match[2] === undefined ? undefined : Number(match[2]) };
}

/** One spelling per host: lower case, no final dot, addresses in canonical form without brackets. */
function spellHost(host: string): string {
  const bare = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}
