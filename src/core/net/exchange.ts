import { StandardTextDecoder } from '../base/textDecoder';
import { say } from '../base/sentence';
import { permissionDenied, refusal, toolError } from '../vocabulary/errors';
import { networkError } from './errors';
import { parseHttpUrl, parseRedirect } from './url';
import type { HttpResponse } from '../ports/http';
import type { ToolContext } from '../capability/tool';

interface ExchangeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Headers that must not leave the first origin: those that hold secrets. */
  readonly privateHeaders?: ReadonlySet<string>;
}

const mostRedirects = 5;

/**
 * Sends a request and follows redirects of GET and HEAD, each hop asked of the gate first. Headers that hold secrets
 * stay with the first origin. A redirect of another method is handed over as it is. Throws what the client throws, and
 * `permission_denied` for a hop that policy refuses.
 */
export async function exchange(
  request: ExchangeRequest,
  context: Pick<ToolContext, 'send' | 'signal' | 'access'>,
): Promise<HttpResponse> {
  const first = parseHttpUrl(request.url);
  let url = first;
  for (let hops = 0; ; hops++) {
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => url.origin === first.origin || request.privateHeaders?.has(name.toLowerCase()) !== true,
      ),
    );
    const response = await context.send(
      {
        url: url.href,
        method: request.method,
        headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        firstByteTimeoutMs: request.timeoutMs,
        bodyTimeoutMs: request.timeoutMs,
        maxBytes: request.maxBytes,
        signal: context.signal,
      },
      request.timeoutMs,
    );
    const location = response.headers['location'];
    const follows =
      [301, 302, 303, 307, 308].includes(response.status) &&
      location !== undefined &&
      (request.method === 'GET' || request.method === 'HEAD');
    if (!follows) return response;
    if (hops >= mostRedirects)
      throw toolError('too_many_redirects', `\`${first.href}\` redirects more than ${mostRedirects} times`);
    url = parseRedirect(location, url);
    const verdict = await context.access({ effect: 'network.http', resource: url.href, method: request.method });
    if (!verdict.allowed) throw permissionDenied('the redirect', `to ${url.origin} is not allowed: ${verdict.reason}`);
  }
}

/** Decodes a body by the charset of its content type; UTF-8 where it names none or one that is not known. */
export function bodyText(response: HttpResponse): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(response.headers['content-type'] ?? '')?.[1];
  try {
    return new StandardTextDecoder(charset ?? 'utf-8').decode(response.body);
  } catch {
    return new TextDecoder().decode(response.body);
  }
}

export function isJsonType(response: HttpResponse): boolean {
  return /^\s*(?:application|text)\/(?:[a-z0-9.+-]*\+)?json\b/i.test(response.headers['content-type'] ?? '');
}

/**
 * The text of an answer that must be whole; a cut body is an error, because half an answer would be taken for all of
 * it.
 */
export function wholeText(response: HttpResponse, maxBytes: number): string {
  switch (response.cut) {
    case 'size':
      throw refusal('too_large', say('network_answer_large', response.url, maxBytes));
    case 'timeout':
      throw refusal('timeout', say('network_answer_late', response.url), { retryable: true });
    case 'reset':
    case 'encoding':
      throw networkError(say('network_broke_off', response.url), true);
    default:
      return bodyText(response);
  }
}

/** Statuses that may be others a moment later; what else fails, 500 too, stays as it is. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** The error for a status that means failure; retryable only where trying again may help. */
export function statusError(response: HttpResponse, message: string | undefined): Error {
  const retryable = passingStatuses.has(response.status);
  const { status } = response;
  const said = message
    ? say('network_status', status, say('content', message.slice(0, 500)))
    : say('server_answered', status);
  return networkError(said, retryable, { status });
}
