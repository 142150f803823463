import { say, type Sentence } from '../../core/base/sentence';
import { visible } from '../../core/base/visible';
import type { Clock } from '../../core/ports/platform';

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
    let rest = visible(line);
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
const decisionForm = (choices: readonly Choice[], description?: string) => ({
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
const pageForm = (next: number, of: number) =>
  decisionForm([
    { const: 'next', title: `Next page (${next} of ${of})` },
    { const: 'refuse', title: 'Refuse' },
  ]);

/** Sooner than this after it was asked, in milliseconds, no person can have answered: a client did by itself. */
const leastAnswerMs = 500;

/** What came of a question: a person's choice (none where they refused to choose), or why nobody chose. */
type Decided = { readonly choice?: string } | { readonly nobody: Sentence };

interface PageAnswer {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Shows the pages one after the other and answers the choice that the person made under the last one: only who has seen
 * all of it can say yes. An answer that no person can have given counts as none: one that came at once, one that only
 * closed the question, one to another form.
 */
export async function decideByPages(
  pages: readonly string[],
  { choices, description }: { readonly choices: readonly Choice[]; readonly description?: string },
  clock: Pick<Clock, 'monotonic'>,
  ask: (message: string, schema: ReturnType<typeof decisionForm>) => Promise<PageAnswer>,
): Promise<Decided> {
  for (const [index, page] of pages.entries()) {
    const isLast = index === pages.length - 1;
    const message = pages.length === 1 ? page : `${page}\n\n(page ${index + 1} of ${pages.length})`;
    const form = isLast ? decisionForm(choices, description) : pageForm(index + 2, pages.length);
    const since = clock.monotonic();
    const answer = await ask(message, form);
    const decided = decidedBy(answer, form, clock.monotonic() - since);
    if (isLast || !('choice' in decided) || decided.choice !== 'next') return decided;
  }
  return {};
}

/** One answer, looked at: whether a person can have given it, and what it says. */
function decidedBy({ action, content = {} }: PageAnswer, form: ReturnType<typeof decisionForm>, ms: number): Decided {
  if (ms < leastAnswerMs) return { nobody: say('client_answered_at_once', Math.max(0, Math.round(ms))) };
  if (action === 'decline') return {};
  if (action !== 'accept') return { nobody: say('client_closed_question') };
  const { decision, ...more } = content;
  const choice = form.properties.decision.oneOf.find((one) => one.const === decision)?.const;
  if (choice === undefined || Object.keys(more).length > 0) return { nobody: say('client_answered_other_form') };
  return { choice };
}
