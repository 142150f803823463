import { canonicalHost } from '../hosts/canonicalHost';

/** True for a host that is written as itself, without stars, ports and networks. */
export function isPlainHost(text: string): boolean {
  if (!/^[A-Za-z0-9.-]+$/.test(text)) return false;
  const host = canonicalHost(text);
  return host.type === 'name' ? host.name === text.toLowerCase() : host.type === 'address' && host.address === text;
}
