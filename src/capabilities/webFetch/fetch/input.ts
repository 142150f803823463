import { wordSet } from '../../../core/base/wordSet';
import { type PageFormat, pageFormats } from '../page/pageFormat';
import { unfit } from '../../shared/parameters';
import type { WebFetchInput } from './inputSchema';

/** Header names that a model may set: none that carries credentials, names the host or shapes the connection. */
const allowed = wordSet('accept accept-language cache-control dnt pragma range referer user-agent');

/** The URLs of a call: `url` or `urls`, one of them. */
export function requestedUrls(input: WebFetchInput): readonly string[] {
  if (input.url !== undefined && input.urls !== undefined) {
    throw unfit('/urls', 'must not stand beside `url`', 'both');
  }
  if (input.urls !== undefined) return input.urls;
  if (input.url === undefined) throw unfit('/url', 'must be there (or `urls`)', 'nothing');
  return [input.url];
}

/**
 * What a call asks a page to become: `format`, or the switches `as_markdown` and `as_text`. A part of a page (`query`,
 * `fragment`, `focus`) is one of its markdown. Where the call says nothing the configuration does, and else the page
 * stays as it came.
 */
export function wantedFormat(input: WebFetchInput, configured: Readonly<Record<string, unknown>>): PageFormat {
  if (input.format !== undefined) return input.format;
  if (input.as_markdown === true) return 'markdown';
  if (input.as_text === true) return 'text';
  if (input.as_markdown === false) return 'raw';
  const format = pageFormats.find((one) => one === configured['format']) ?? 'raw';
  const isPart = (input.query ?? input.fragment ?? input.focus) !== undefined || configured['focus'] === 'main';
  return format === 'raw' && isPart ? 'markdown' : format;
}

/** The request's headers in lower case. Throws for names that are not allowed and values that no header can hold. */
export function requestHeaders(input: WebFetchInput): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    const lower = name.toLowerCase();
    if (!allowed.has(lower)) {
      throw unfit(`/headers/${name}`, `must be one of ${[...allowed].join(', ')}`, `\`${name}\``);
    }
    if (!/^[\t\x20-\x7e]*$/.test(value)) {
      throw unfit(`/headers/${name}`, 'must hold printable ASCII characters only', 'others');
    }
    headers[lower] = value;
  }
  for (const [name, value] of [
    ['if-none-match', input.if_none_match],
    ['if-modified-since', input.if_modified_since],
  ] as const) {
    if (value === undefined) continue;
    if (!/^[\t\x20-\x7e]*$/.test(value)) {
      throw unfit(`/${name.replaceAll('-', '_')}`, 'must hold printable ASCII characters only', 'others');
    }
    headers[name] = value;
  }
  return headers;
}
