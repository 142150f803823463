import { invalidUrl } from './errors';

/**
 * Reads a URL that is to be fetched, once; everything after judges and sends this object, so that two parsers cannot
 * disagree. Throws `invalid_url` for what is no URL, for any scheme but `http:` and `https:`, and for a user name or
 * password inside. The fragment is kept.
 */
export function parseHttpUrl(text: string): URL {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1];
    throw invalidUrl(
      text,
      `it must start with http:// or https:// (got ${scheme === undefined ? 'no scheme' : `\`${scheme.toLowerCase()}:\``})`,
    );
  }
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    throw invalidUrl(text, 'it must be a valid URL such as https://example.com/page');
  }
  if (url.username !== '' || url.password !== '')
    throw invalidUrl(url.hostname, 'a URL must not carry a user name or password');
  return url;
}
