import { say, type Sentence } from '../base/sentence';

/** A URL that can be asked over HTTP, or why a text is none and what of it may be shown. */
type ReadHttpUrl = { readonly url: URL } | { readonly fault: Sentence; readonly shown: string };

/**
 * Reads a URL over `http:` or `https:` without a user name or password inside. The fragment is kept. What is shown of a
 * text with a password is its host alone.
 */
export function readHttpUrl(text: string): ReadHttpUrl {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1];
    const fault = scheme === undefined ? say('url_no_scheme') : say('url_other_scheme', scheme.toLowerCase());
    return { fault, shown: text };
  }
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    return { fault: say('url_invalid'), shown: text };
  }
  if (url.username !== '' || url.password !== '') return { fault: say('url_credentials'), shown: url.hostname };
  return { url };
}
