import { collapse } from './collapse';
import { writeMarkdown } from './markdown';
import { type MarkdownOptions, turndownDefaults } from './options';
import { parseHtml } from './parse';

/**
 * Converts HTML to markdown as turndown does with the same options; hidden elements are kept, as turndown keeps them.
 */
export function htmlToMarkdown(html: string, options: Partial<MarkdownOptions> = {}): string {
  const all = { ...turndownDefaults, ...options };
  const page = parseHtml(html, { extended: all.extended, preformattedCode: all.preformattedCode });
  collapse(page.body, { preformattedCode: all.preformattedCode, removeHidden: false });
  return writeMarkdown(page.body, all);
}
