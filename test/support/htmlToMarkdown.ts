import { collapse } from '../../src/capabilities/webFetch/html/collapse';
import { writeMarkdown } from '../../src/capabilities/webFetch/html/markdown';
import { type MarkdownOptions, turndownDefaults } from '../../src/capabilities/webFetch/html/options';
import { parseHtml } from '../../src/capabilities/webFetch/html/parse';

/**
 * Converts HTML to markdown as turndown does with the same options; hidden elements are kept, as turndown keeps them.
 */
export function htmlToMarkdown(html: string, options: Partial<MarkdownOptions> = {}): string {
  const all = { ...turndownDefaults, ...options };
  const page = parseHtml(html, { extended: all.extended, preformattedCode: all.preformattedCode });
  collapse(page.body, { preformattedCode: all.preformattedCode });
  return writeMarkdown(page.body, all);
}
