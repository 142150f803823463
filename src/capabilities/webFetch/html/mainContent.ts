import { Readability } from '@mozilla/readability';
import { DomDocument, type DomNode } from './domNode';

/** Pages with more elements than this are not searched for their main content: it would take seconds. */
export const maxReaderElements = 50_000;

/** Finds the main content of a page with Mozilla's Readability; undefined where there is none that stands out. */
export function findMainContent(html: string, url: string): DomNode | undefined {
  const document = new DomDocument(html, url);
  try {
    // The reader's own types want a browser's document; it uses no more of one than DomDocument has.
    const article = new Readability<DomNode>(document, {
      serializer: (node: DomNode) => node,
      keepClasses: true,
    }).parse();
    return article?.content ?? undefined;
  } catch {
    // A page that the reader cannot take is shown in full.
    return undefined;
  }
}
