import { Readability } from '@mozilla/readability';
import { DomDocument, type DomNode } from './domNode';
import { type Removed, removeHidden } from './hidden';

/** Pages with more elements than this are not searched for their main content: it would take seconds. */
export const maxReaderElements = 50_000;

interface MainContent {
  readonly content: DomNode;
  /** What nobody sees of the whole page. */
  readonly removed: Removed;
}

/**
 * Finds the main content of a page with Mozilla's Readability; undefined where there is none that stands out. What is
 * hidden goes first: the reader takes away the styles that tell it.
 */
export function findMainContent(html: string, url: string): MainContent | undefined {
  const document = new DomDocument(html, url);
  const removed = removeHidden(document.body);
  // In a browser what a template holds is no part of the page: there the reader neither weighs nor finds it.
  for (const template of document.querySelectorAll('template')) template.remove();
  // MathJax gives its formulas a context menu, and the reader takes out what a class calls a menu.
  for (const formula of document.querySelectorAll('mjx-container')) formula.className = 'MathJax';
  try {
    // The reader's own types want a browser's document; it uses no more of one than DomDocument has.
    const article = new Readability<DomNode>(document, {
      serializer: (node: DomNode) => node,
      keepClasses: true,
    }).parse();
    return article?.content ? { content: article.content, removed } : undefined;
  } catch {
    // A page that the reader cannot take is shown in full.
    return undefined;
  }
}
