import ipaddr from 'ipaddr.js';
import { saidBy, say, type Sentence } from '../base/sentence';
import { type CanonicalHost, canonicalHost, hostText } from './canonicalHost';
import { hostGlob } from './hostGlob';

/** Whether an address may be contacted without having been named by the user, and if not, what it is. */
type AddressVerdict =
  { readonly public: true } | { readonly public: false; readonly kind: Sentence; readonly metadata: boolean };

const publicAddress: AddressVerdict = { public: true };

/**
 * Addresses, some inside otherwise public ranges, where clouds answer questions about their machines or hand out their
 * keys.
 */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.169.123',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
]);

const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.oraclecloud.com',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'rancher-metadata',
]);

/**
 * Names that the hosts files of usual systems, and programs that run containers, give to this machine and its link.
 * `*.localhost` is this machine by RFC 6761.
 */
const namesOfThisMachine: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost4.localdomain4',
  'localhost6',
  'localhost6.localdomain6',
  'ip6-localhost',
  'ip6-loopback',
  'ip6-localnet',
  'ip6-allnodes',
  'ip6-allrouters',
  'loopback',
  'broadcasthost',
  'host.docker.internal',
  'gateway.docker.internal',
  'kubernetes.docker.internal',
  'host.containers.internal',
  'host.lima.internal',
  'host.rancher-desktop.internal',
]);

const kinds: Readonly<Record<string, Sentence>> = {
  unspecified: say('address_unspecified'),
  broadcast: say('address_broadcast'),
  multicast: say('address_multicast'),
  linkLocal: say('address_link_local'),
  loopback: say('address_loopback'),
  carrierGradeNat: say('address_carrier_nat'),
  private: say('address_private'),
  uniqueLocal: say('address_private'),
  ipv4Mapped: say('address_mapped'),
};

/**
 * Judges one IP address as it would be connected to. Everything but global unicast is refused: loopback, private,
 * link-local, shared, multicast, documentation and benchmark ranges, addresses that carry an IPv4 address inside
 * (mapped, NAT64, 6to4, Teredo, `::/96`), and the metadata services of clouds. What is no address is refused too.
 */
export function judgeAddress(address: string): AddressVerdict {
  const host = canonicalHost(address);
  return host.type === 'address' ? judgeCanonical(host) : { public: false, kind: say('address_none'), metadata: false };
}

function judgeCanonical({ address, carries }: Extract<CanonicalHost, { type: 'address' }>): AddressVerdict {
  const metadata = [address, ...carries].some((one) => metadataAddresses.has(one));
  if (metadata) return { public: false, kind: say('address_metadata'), metadata };
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return { public: false, kind: kinds[range] ?? say('address_reserved', range), metadata };
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(ipaddr.IPv6.parse('2000::'), 3)) {
    return { public: false, kind: say('address_no_unicast'), metadata };
  }
  for (const inner of carries) {
    const verdict = judgeAddress(inner);
    if (!verdict.public) return { ...verdict, kind: say('address_carries', verdict.kind) };
  }
  return publicAddress;
}

/**
 * What a URL's host says before any lookup: a literal address with its verdict, or a name (of which some are known to
 * be private).
 */
type HostVerdict =
  | { readonly type: 'address'; readonly address: string; readonly verdict: AddressVerdict }
  | { readonly type: 'name'; readonly name: string; readonly verdict: AddressVerdict };

/**
 * Judges the host of a URL, however it is spelled. Names are `public` here unless they are known to mean this machine
 * or a cloud's metadata service; what they resolve to is judged when the connection is made. The policy engine uses the
 * same function.
 */
export function judgeHost(hostname: string): HostVerdict {
  const host = canonicalHost(hostname);
  if (host.type === 'address') return { type: 'address', address: host.address, verdict: judgeCanonical(host) };
  if (host.type === 'invalid') return { type: 'name', name: hostname.toLowerCase(), verdict: noHost };
  return { type: 'name', name: host.name, verdict: judgeName(host.name) };
}

const noHost: AddressVerdict = { public: false, kind: say('no_host'), metadata: false };

function judgeName(name: string): AddressVerdict {
  if (metadataNames.has(name)) return { public: false, kind: say('metadata_name'), metadata: true };
  if (namesOfThisMachine.has(name) || name.endsWith('.localhost')) {
    return { public: false, kind: say('machine_name'), metadata: false };
  }
  return publicAddress;
}

/**
 * Tells whether `network.allowedPrivateHosts` names this host. An entry is a host name or an address as the URL spells
 * it, with an optional `:port`; without a port it covers all of them. An address that a name resolves to is not covered
 * by an entry for that address, so that no foreign name can be pointed at it.
 */
export function isAllowedPrivateHost(entries: readonly string[], hostname: string, port: string | number): boolean {
  const host = hostText(hostname);
  if (host === undefined) return false;
  return entries.some((entry) => {
    const named = splitEntry(entry.trim());
    return hostText(named.host) === host && (named.port === undefined || named.port === Number(port));
  });
}

/**
 * Why an entry names no single host, with or without a port, and so allows none; undefined where it names one. What is
 * no host at all is told as of the hosts of a rule.
 */
export function soleHostFault(entry: string): Sentence | undefined {
  try {
    hostGlob(entry);
  } catch (error) {
    return saidBy(error);
  }
  const { host } = splitEntry(entry.trim());
  return host.includes('*') || hostText(host) === undefined ? say('host_several') : undefined;
}

/** An entry with more than one colon and no brackets is an IPv6 address without a port. */
function splitEntry(entry: string): { readonly host: string; readonly port: number | undefined } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry);
  if (!match) return { host: entry, port: undefined };
  return { host: match[1] ?? '', port: match[2] === undefined ? undefined : Number(match[2]) };
}
