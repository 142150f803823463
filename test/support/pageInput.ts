import type { ReadPageInput } from '../../src/capabilities/webFetch/page/readPage';

/** A whole page in UTF-8, to be read as markdown. */
export const pageInput = (html: string): ReadPageInput => ({
  body: new TextEncoder().encode(html),
  url: 'https://e.example/',
  contentType: 'text/html;charset=utf-8',
  format: 'markdown',
  focus: 'full',
  query: undefined,
  fragment: undefined,
  start: 0,
  maxLength: 100_000_000,
});
