import ipaddr from 'ipaddr.js';

const localNames =
  /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|.*\.localdomain|.*\.home\.arpa|host\.docker\.internal|ip6-localhost)$/;

/**
 * Tells whether a host can only mean a private, loopback, link-local or metadata address: a literal in any spelling (octal, hexadecimal,
 * one number, IPv4 in IPv6) or a reserved name. What a public name resolves to is the HTTP client's check, at the moment of connecting.
 */
export function isPrivateHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.$/, '');
  if (localNames.test(name)) return true;
  if (!ipaddr.isValid(name)) return false;
  const address = ipaddr.process(name);
  if (address.range() !== 'unicast') return true;
  // The metadata service of one large cloud, and the deprecated IPv4-compatible block, have no range of their own.
  if (name === '168.63.129.16') return true;
  return address.kind() === 'ipv6' && /^(?:0+:){6}|^::/.test(address.toNormalizedString());
}
