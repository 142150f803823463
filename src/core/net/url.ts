import { readHttpUrl } from '../hosts/httpUrl';
import { invalidUrl } from './errors';

/**
 * The URL that a `location` header leads to. Header values come as one character for each byte; those beyond ASCII are
 * percent-encoded as bytes, so that a target in raw UTF-8 means what it says. Throws as `parseHttpUrl` does.
 */
export function parseRedirect(location: string, base: URL): URL {
  const ascii = location.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  // What is no URL is left to `parseHttpUrl`, which says what is wrong with it.
  return parseHttpUrl(URL.canParse(ascii, base.href) ? new URL(ascii, base).href : location);
}

/**
 * Reads a URL that is to be fetched, once; everything after judges and sends this object, so that two parsers cannot
 * disagree. Throws `invalid_url` for what is no URL, for any scheme but `http:` and `https:`, and for a user name or
 * password inside. The fragment is kept.
 */
export function parseHttpUrl(text: string): URL {
  const read = readHttpUrl(text);
  if ('url' in read) return read.url;
  throw invalidUrl(read.shown, read.fault);
}

/** Tells whether the path of a URL has a segment that its parser resolves, in any spelling (`..`, `%2e.`). */
export function hasDots(url: string): boolean {
  const path = /^https?:[/\\]*[^/\\?#]*([^?#]*)/i.exec(url.replace(/[\t\n\r]/g, ''))?.[1] ?? '';
  return path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
