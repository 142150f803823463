import { visibleText } from '../../core/base/visible';

/** How much of a text a client is handed in one question; clients cut what is longer, or let it run off the screen. */
const pageLength = 6000;
/** Nobody reads more than this to the end; such a thing is not approved through a client. */
export const mostPages = 200;

/**
 * Breaks lines into pages, invisible characters made visible; a line that is longer than a page goes on on the next
 * one.
 */
export function pagesOf(lines: readonly string[], length = pageLength): readonly string[] {
  const pages: string[] = [];
  let page = '';
  for (const line of lines) {
    let rest = visibleText(line).text;
    if (page !== '' && page.length + 1 + rest.length > length) {
      pages.push(page);
      page = '';
    }
    while (rest.length > length) {
      // A character is never cut in two.
      const at = length - Number(/[\uD800-\uDBFF]/.test(rest[length - 1] ?? ''));
      pages.push(rest.slice(0, at));
      rest = rest.slice(at);
    }
    page = page === '' ? rest : `${page}\n${rest}`;
  }
  return [...pages, page];
}

/** The form under a page that is not the last: it can only go on or end. */
export const pageSchema = (next: number, of: number) => ({
  type: 'object' as const,
  properties: {
    decision: {
      type: 'string' as const,
      title: 'Decision',
      oneOf: [
        { const: 'next', title: `Next page (${next} of ${of})` },
        { const: 'refuse', title: 'Refuse' },
      ],
      default: 'refuse',
    },
  },
  required: ['decision'],
});

export const approvalSchema = (withHints: boolean) => ({
  type: 'object' as const,
  properties: {
    decision: {
      type: 'string' as const,
      title: 'Decision',
      oneOf: [
        { const: 'approve', title: 'Approve these tools' },
        ...(withHints
          ? [{ const: 'approve-with-hints', title: 'Approve, and believe what it says about reading only' }]
          : []),
        { const: 'refuse', title: 'Refuse' },
      ],
      default: 'refuse',
    },
  },
  required: ['decision'],
});
