import { isObject, type Json, type JsonObject } from '../../../core/base/json';

/**
 * A page as a model reads it: its text, and in the last line what the text does not say. Undefined where several pages
 * are told, or where there is no text.
 */
export function pageText(payload: JsonObject): string | undefined {
  const { content, ...head } = payload;
  if (typeof content !== 'string' || head['results'] !== undefined) return undefined;
  const facts = Object.entries(head).filter(
    ([name, value]) => value !== undefined && isNews(name, value, head, content),
  );
  if (facts.length === 0) return content;
  const line = facts.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return `${content}${content.endsWith('\n') ? '' : '\n'}[${line.join('; ').replace(/\s+/g, ' ')}]`;
}

const neverNews: ReadonlySet<string> = new Set([
  ...['url', 'size', 'charset', 'language', 'canonical', 'description', 'redirect_chain', 'last_modified', 'etag'],
  ...['word_count', 'returned', 'format'],
  // A text that goes on says so itself, with the number to go on by.
  ...['total_length', 'next_start_index'],
]);

/** What is known from the call, is as it mostly is, or is told elsewhere. */
function isNews(name: string, value: Json | undefined, head: JsonObject, content: string): boolean {
  if (neverNews.has(name)) return false;
  switch (name) {
    case 'status_code':
      return value !== 200;
    case 'content_type':
      return !/\b(html|markdown|plain)\b/.test(String(value));
    case 'title':
      return !content.includes(String(value)) && !isBegunBy(String(value), /^# (.+)$/m.exec(content)?.[1]);
    case 'filename':
      return head['error'] !== undefined;
    case 'quality':
      return isObject(value) && (value['suggestion'] !== undefined || isFull(value['warnings']));
    case 'focus':
    case 'truncated':
      return value !== false && value !== 'main';
    default:
      return true;
  }
}

const isFull = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

/** True for a title that says no more than the first heading and, behind it, the name of the site. */
const isBegunBy = (title: string, heading: string | undefined): boolean =>
  heading !== undefined && heading.length > 3 && title.startsWith(heading);
