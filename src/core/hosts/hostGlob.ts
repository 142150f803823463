import { trimmedEnd } from '../base/text';
import { SaidError, say } from '../base/sentence';
import ipaddr from 'ipaddr.js';
import { type CanonicalHost, canonicalHost } from './canonicalHost';
import type { NetworkPlace } from './networkPlace';
import { expandBraces } from '../base/braces';
import { starPattern } from '../base/starPattern';

/** A compiled pattern over hosts. */
interface HostGlob {
  /** For what restricts: each host that may be meant counts, and an address that another one carries inside. */
  matches(facts: NetworkPlace): boolean;
  /** For what loosens: the access must mean this and nothing else. */
  matchesOnly(facts: NetworkPlace): boolean;
}

const longestPattern = 1000;

/**
 * Compiles a pattern over hosts: a name, an address in any spelling, a network (`10.0.0.0/8`), each also with `*` for
 * any characters; with `:port` it is about that port alone. Throws an Error that says how to write it where no host can
 * ever match.
 */
export function hostGlob(pattern: string): HostGlob {
  if (pattern.length > longestPattern) throw new SaidError(say('pattern_long', longestPattern, pattern.length));
  const globs = expandBraces(pattern.trim()).map(oneHost);
  const [only] = globs;
  if (only && globs.length === 1) return only;
  return {
    matches: (facts) => globs.some((one) => one.matches(facts)),
    matchesOnly: (facts) => globs.some((one) => one.matchesOnly(facts)),
  };
}

type HostTest = (host: CanonicalHost) => boolean;
/** For what restricts, and for what loosens. */
type HostTests = readonly [broad: HostTest, narrow: HostTest];

/**
 * An address also means those that it carries inside, for what restricts alone: who loosens the network of one of them
 * has not named the strangers' hosts that carry it. An IPv4 address that is mapped into IPv6 is that very address.
 */
const addressTests = (fits: (address: string) => boolean): HostTests => [
  (host) => host.type === 'address' && [host.address, ...host.carries].some(fits),
  (host) => host.type === 'address' && fits(host.address),
];

function oneHost(pattern: string): HostGlob {
  refuseUrl(pattern);
  const { host, port } = splitPort(pattern);
  const [test, narrow] = networkTests(host) ?? (host.includes('*') ? starTests(host) : exactTests(host));
  const portFits = (given: string | undefined, unknown: boolean): boolean =>
    port === undefined || (given === undefined ? unknown : given === port);
  return {
    // A port that nobody knows may be this one.
    matches: (facts) => portFits(facts.port, true) && facts.hosts.some((one) => one.type === 'invalid' || test(one)),
    matchesOnly: (facts) =>
      portFits(facts.port, false) &&
      facts.hosts.length > 0 &&
      facts.hosts.every((one) => one.type !== 'invalid' && narrow(one)),
  };
}

/** Says how to write what looks like a URL. */
function refuseUrl(pattern: string): void {
  if (pattern === '') throw new SaidError(say('host_empty'));
  const mend = mended(pattern);
  const write = mend === undefined ? say('write_some_host') : say('write_host', JSON.stringify(mend));
  if (/^[a-z][a-z0-9+.-]*:[/\\]/i.test(pattern)) throw new SaidError(say('host_url', write));
  if (pattern.includes('@')) throw new SaidError(say('host_user', write));
  if (/[/\\]/.test(pattern) && !networkTests(pattern)) throw new SaidError(say('host_path', write));
  if (/[?#]/.test(pattern)) throw new SaidError(say('host_query', write));
  if (/\s/.test(pattern)) throw new SaidError(say('host_space', write));
  if (pattern.startsWith('!')) throw new SaidError(say('host_negated', '!'));
  const odd = /[^\x80-\u{10ffff}A-Za-z0-9._:%*[\]/-]/u.exec(pattern)?.[0];
  if (odd !== undefined) throw new SaidError(say('host_character', odd));
  if (/^[\d.]+-[\d.]+$/.test(pattern)) throw new SaidError(say('host_range'));
  if (/^(?:f[c-f]|[23][0-9a-f])[0-9a-f]{2}:\*$/i.test(pattern)) throw new SaidError(say('host_ambiguous', pattern));
}

/** The host of what may be a URL, with its port where one is written. */
function mended(pattern: string): string | undefined {
  const rest = pattern.trim().replace(/^[a-z][a-z0-9+.-]*:[/\\]*/i, '');
  const authority = /^[^/\\?#]*/.exec(rest)?.[0].replace(/^.*@/, '') ?? '';
  try {
    const { host, port } = splitPort(authority);
    if (!host.includes('*') && canonicalHost(host).type === 'invalid') return undefined;
    return port === undefined ? host : `${host}:${port}`;
  } catch {
    return undefined;
  }
}

/** Takes the port off; more than one colon without brackets is an IPv6 address without a port. */
function splitPort(pattern: string): { readonly host: string; readonly port: string | undefined } {
  const [, host, port] = /^(\[[^\]]*\]|[^:[]*):([^:]*)$/.exec(pattern) ?? [];
  if (host === undefined || port === undefined) return { host: pattern, port: undefined };
  if (host === '') throw new SaidError(say('host_only_port'));
  if (port === '*') return { host, port: undefined };
  const number = /^\d{1,6}$/.test(port) ? Number(port) : Number.NaN;
  if (!(number >= 0 && number <= 65_535)) throw new SaidError(say('host_port', port));
  return { host, port: String(number) };
}

/** A network in CIDR form. */
function networkTests(pattern: string): HostTests | undefined {
  const [, address, bits] = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(pattern) ?? [];
  if (address === undefined || bits === undefined || !ipaddr.isValidCIDR(`${address}/${bits}`)) return undefined;
  const [base, prefix] = ipaddr.parseCIDR(`${address}/${bits}`);
  // A mapped network is the IPv4 network that it maps.
  const isMapped = base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && prefix >= 96;
  const network = isMapped ? base.toIPv4Address() : base;
  const length = isMapped ? prefix - 96 : prefix;
  return addressTests((one) => isIn(one, network, length));
}

function isIn(text: string, network: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean {
  const one = ipaddr.parse(text);
  if (one instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && one.match(network, bits);
  return network instanceof ipaddr.IPv6 && one.match(network, bits);
}

function exactTests(pattern: string): HostTests {
  const wanted = canonicalHost(pattern);
  if (wanted.type === 'invalid' || (wanted.type === 'name' && !isName(wanted.name)))
    throw new SaidError(say('host_none', pattern));
  if (wanted.type === 'name') {
    const matches: HostTest = (host) => host.type === 'name' && host.name === wanted.name;
    return [matches, matches];
  }
  return addressTests((one) => one === wanted.address);
}

/** No label is empty: `.example.com` would match nothing. */
const isName = (name: string): boolean => !/^\.|\.\./.test(name);

function starTests(pattern: string): HostTests {
  const bare = pattern
    .replace(/^\[(.*)\]$/s, '$1')
    .normalize('NFKC')
    .toLowerCase();
  if (/^\*+$/.test(bare)) return [() => true, () => true];
  if (bare.includes(':')) return addressStars(bare, /^[0-9a-f:.*]+$/);
  // Written as the URL parser reads it: an ideographic full stop is a dot.
  const dotted = trimmedEnd(bare.replace(/[\u3002\uff0e\uff61]/g, '.'), '.');
  if (/^[0-9.*]+$/.test(dotted) && /[0-9]/.test(dotted)) return addressStars(dotted, /^[0-9.*]+$/);
  const labels = dotted.split('.');
  const mixed = labels.find((label) => label.includes('*') && !/^[ -~]*$/.test(label));
  if (mixed !== undefined) throw new SaidError(say('host_star_letters', mixed));
  if (labels.some((label) => label === '')) throw new SaidError(say('host_empty_part', pattern));
  const name = labels.map((label) => (label.includes('*') ? label : labelOf(label))).join('.');
  if (
    labels.some((label) => /^0x[0-9a-f*]*$/.test(label)) &&
    labels.every((label) => /^(?:0x[0-9a-f*]*|[0-9*]+)$/.test(label))
  )
    throw new SaidError(say('host_decimal'));
  if (/[^a-z0-9._*-]/.test(name)) throw new SaidError(say('host_impossible', pattern));
  const fitsName = starPattern(name);
  // Nothing but stars and dots says as much of an address.
  const isAny = /^[*.]+$/.test(name);
  const [broad, narrow] = addressTests((one) => isAny && fitsName(one));
  const orName =
    (test: HostTest): HostTest =>
    (host) =>
      host.type === 'name' ? fitsName(host.name) : test(host);
  return [orName(broad), orName(narrow)];
}

function labelOf(label: string): string {
  const host = canonicalHost(/^\d+$/.test(label) ? `a${label}` : label);
  if (host.type !== 'name') throw new SaidError(say('host_impossible', label));
  return /^\d+$/.test(label) ? label : host.name;
}

/**
 * Stars in an address are held against its short form and, for IPv6, the long ones. Names such as `10.evil.example` are
 * no addresses.
 */
function addressStars(pattern: string, form: RegExp): HostTests {
  if (!form.test(pattern)) throw new SaidError(say('host_no_address', pattern));
  const fitsText = starPattern(pattern.replace(/(?<![0-9a-f])0+(?=[0-9a-f])/g, ''));
  return addressTests((address) => spellings(address).some(fitsText));
}

function spellings(address: string): readonly string[] {
  if (!address.includes(':')) return [address];
  return [address, ipaddr.IPv6.parse(address).toNormalizedString()];
}
