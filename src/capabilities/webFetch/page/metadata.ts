import { defined } from '../../../core/base/json';
import { type LeanNode, TEXT, textOf } from '../html/leanNode';
import type { ParsedPage } from '../html/parse';

export interface PageMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly canonical?: string;
  /** What relative links of the page refer to. */
  readonly base?: string;
}

/** Reads what a page says about itself in its head; every text is cut to one line of at most 300 characters. */
export function readMetadata(page: ParsedPage): PageMetadata {
  const found: { -readonly [K in keyof PageMetadata]: string } = {};
  const metas = new Map<string, string>();
  for (const root of [page.head, page.body]) collectHead(root, found, metas, root === page.head ? 1 : 3);
  return defined({
    title: clean(found.title) ?? clean(metas.get('og:title')),
    description: clean(metas.get('description')) ?? clean(metas.get('og:description')),
    language: clean(page.html.attribute('lang') ?? page.html.attribute('xml:lang') ?? metas.get('content-language')),
    canonical: found.canonical,
    base: found.base,
  });
}

function collectHead(
  node: LeanNode,
  found: { title?: string; canonical?: string; base?: string },
  metas: Map<string, string>,
  depth: number,
): void {
  for (let child = node.first; child; child = child.next) {
    if (child.type === TEXT) continue;
    switch (child.tag.name) {
      case 'TITLE':
        found.title ??= textOf(child);
        break;
      case 'BASE':
        if (child.attribute('href') !== undefined) found.base ??= child.attribute('href') ?? '';
        break;
      case 'LINK':
        if (child.attribute('rel')?.toLowerCase() === 'canonical') found.canonical ??= child.attribute('href') ?? '';
        break;
      case 'META': {
        const name = (
          child.attribute('name') ??
          child.attribute('property') ??
          child.attribute('http-equiv')
        )?.toLowerCase();
        const content = child.attribute('content');
        if (name !== undefined && content !== undefined && !metas.has(name)) metas.set(name, content);
        break;
      }
      default:
        if (depth > 1) collectHead(child, found, metas, depth - 1);
    }
  }
}

function clean(text: string | undefined): string | undefined {
  const line = text?.replace(/\s+/g, ' ').trim().slice(0, 300);
  return line === '' ? undefined : line;
}
