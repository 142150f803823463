import { choice, flag, type InputOf, options, text, wholeNumber } from '../../shared/parameters';

export const webFetchInput = options({
  url: text('The URL to fetch, must start with http:// or https://', 8000),
  urls: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 8000 },
    minItems: 1,
    maxItems: 5,
    description: 'Up to 5 URLs to fetch at once, instead of url',
  },
  method: choice('HTTP method', ['GET', 'HEAD'], 'GET'),
  as_markdown: flag('Convert HTML response to markdown format; false keeps it raw whatever is configured'),
  as_text: flag('Convert HTML response to plain text (ignored if as_markdown is true)'),
  format: choice(
    'The same choice in one word. Where nothing is said: what is configured, else raw, and markdown of a part (query, fragment, focus); html is the page without scripts, styles and hidden parts',
    ['markdown', 'text', 'html', 'raw'],
  ),
  focus: choice('main leaves out navigation and advertisements where an article stands out', ['full', 'main']),
  query: text('Words to look for: only the most relevant sections are returned, best first', 1000),
  fragment: text('Only this section: an anchor of the page, or the words of a heading', 1000),
  max_length: wholeNumber('The most characters of content to return', 1, 1_000_000),
  start_index: wholeNumber('Continue a long page from this character', 0, 1_000_000_000),
  headers: {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 1000 },
    description: 'Request headers: accept, accept-language, cache-control, dnt, pragma, range, referer, user-agent',
  },
  if_none_match: text('An etag: the answer is 304 without content where the page is still the same', 1000, 0),
  if_modified_since: text('A last_modified value: 304 without content where nothing changed since', 100, 0),
  refresh: flag('Ask the server again instead of using the cache'),
});
export type WebFetchInput = InputOf<typeof webFetchInput>;
