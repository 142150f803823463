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

interface Choice {
  readonly const: string;
  readonly title: string;
}

/** A form that asks one question; the last choice is the harmless one, and stands where nobody chooses. */
export const decisionForm = (choices: readonly Choice[], description?: string) => ({
  type: 'object' as const,
  properties: {
    decision: {
      type: 'string' as const,
      title: 'Decision',
      ...(description === undefined ? {} : { description }),
      oneOf: [...choices],
      default: choices[choices.length - 1]?.const ?? '',
    },
  },
  required: ['decision'],
});

/** The form under a page that is not the last: it can only go on or end. */
export const pageForm = (next: number, of: number) =>
  decisionForm([
    { const: 'next', title: `Next page (${next} of ${of})` },
    { const: 'refuse', title: 'Refuse' },
  ]);
