import { say, type Sentence } from '../base/sentence';
import { cutEnd } from '../base/text';
import { refusal, type ToolError } from '../vocabulary/errors';

/** The URL is not one that can be fetched: not a URL, another scheme, credentials inside. */
export const invalidUrl = (url: string, why: Sentence): ToolError =>
  refusal(
    'invalid_url',
    say('url_unfetchable', otherScheme.test(url) ? say('content', shorten(url)) : shorten(url), why),
  );

/** The host, or an address that it resolves to, is not public. */
export const addressRefused = (host: string, kind: Sentence): ToolError =>
  refusal('address_refused', say('address_refused', shorten(host), kind), { details: { host } });

/** The exchange failed before an answer was there. */
export const networkError = (
  said: Sentence,
  retryable: boolean,
  details: Readonly<Record<string, unknown>> = {},
): ToolError => refusal('network_error', said, { retryable, details });

/**
 * Keeps the words `server did not respond within 1 second`, which users' own tests look for; where it was tried again,
 * with all of the story.
 */
export function firstByteTimeout(timeoutMs: number, story?: { attempts: number; totalMs: number }): ToolError {
  const limit = seconds(timeoutMs);
  const isAgain = story !== undefined && story.attempts > 1;
  const said = isAgain
    ? say('network_late_again', limit, story.attempts, seconds(story.totalMs))
    : say('network_late', limit);
  return refusal('timeout', said, {
    retryable: true,
    details: { phase: 'first_byte', timeoutMs, ...(story && { ...story, totalMs: Math.round(story.totalMs) }) },
  });
}

function seconds(ms: number): Sentence {
  const value = Math.round(ms / 10) / 100;
  return value === 1 ? say('one_second') : say('seconds', value);
}

const shorten = (text: string): string => cutEnd(text, 300);

/** Of a scheme that names no place, such as `data:`, all the rest is content. */
const otherScheme = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i;
