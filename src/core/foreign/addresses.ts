import { canonicalHost, hostText } from '../hosts/canonicalHost';
import { readBareHost, readUrl, type UrlReading } from '../places/urlReadings';

/**
 * Reads text that stands where an address is wanted: a URL, or a host with what follows it. `resource` is what policy
 * judges; `none` where no host is named.
 */
export function addressIn(
  text: string,
): { readonly type: 'url'; readonly resource: string } | Exclude<UrlReading, { type: 'url' }> {
  const reading = readUrl(text);
  const bare = reading.type === 'none' && isBare(text) ? readBareHost(text) : reading;
  return bare.type === 'url' ? { type: 'url', resource: asWritten(text, bare) } : bare;
}

/** Several URLs in one argument, where they are no URL together. */
export function urlsIn(value: string): readonly string[] {
  const parts = value.trim().split(/[\s,]+/);
  const isList = parts.length > 1 && parts.every((part) => readUrl(part).type === 'url');
  return isList ? parts : [value];
}

/** True for `evil.example:80/x`, `//evil.example` and a host alone; false for a path that is relative to a base. */
function isBare(value: string): boolean {
  const clean = value.trim().replace(/[\t\n\r]/g, '');
  if (/^[\\/]{2}/.test(clean)) return true;
  return !/^[\\/.?#]/.test(clean) && (!/^[a-z][a-z0-9+.-]*:/i.test(clean) || /^[^:]+:\d+(?:[\\/?#]|$)/.test(clean));
}

/** Words that stand where a URL is wanted: nothing that a receiver could contact. */
export const isWords = (value: string): boolean => /\s/.test(value.trim()) && !/[@\\:%]|\/\//.test(value);

/** A URL stays as it was written where that is plain; else it is what the parser makes of it. */
function asWritten(value: string, reading: Extract<UrlReading, { type: 'url' }>): string {
  const written = value.trim();
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]|$)/i.exec(written)?.[1];
  return host !== undefined && hostText(host) === reading.hosts[0] && canonicalHost(host).type === 'name'
    ? written
    : reading.url;
}
