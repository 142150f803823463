import { isToolError, toolError } from '../../../core/errors';
import { firstByteTimeout } from '../../../core/net/errors';
import { parseHttpUrl } from '../../../core/net/url';
import type { HttpHead, HttpResponse } from '../../../core/ports/http';
import type { ToolContext } from '../../../core/tool';
import { kindOfType, parseContentType } from '../page/contentType';
import type { WebFetchSettings } from './settings';

const maxRedirects = 10;

export interface Exchange {
  readonly response: HttpResponse;
  /** The URLs on the way, the first one included, the final one not. */
  readonly redirects: readonly string[];
  /** Why the last redirect was not followed, where policy said no. */
  readonly stopped?: { readonly location: string; readonly reason: string };
}

export interface ExchangeRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: Readonly<Record<string, string>>;
}

/** One deadline for all attempts, hops and the body of one URL. */
export class Deadline {
  readonly #context: ToolContext;
  readonly #end: number;

  constructor(context: ToolContext, totalMs: number) {
    this.#context = context;
    this.#end = context.ports.clock.monotonic() + totalMs;
  }

  /** At least one millisecond, so that a request is made and ends at once. */
  remaining(): number {
    return Math.max(1, this.#end - this.#context.ports.clock.monotonic());
  }
}

/** Fetches a URL: late first bytes are retried, redirects followed one by one, each asked of the gate first. */
export async function exchange(
  request: ExchangeRequest,
  settings: WebFetchSettings,
  context: ToolContext,
  deadline: Deadline,
): Promise<Exchange> {
  const redirects: string[] = [];
  let current = parseHttpUrl(request.url);
  let { headers } = request;
  for (;;) {
    const response = await attempt({ ...request, url: current.href, headers }, settings, context, deadline);
    const location = redirectTarget(response);
    if (location === undefined) return { response, redirects };
    if (redirects.length >= maxRedirects) {
      throw toolError(
        'too_many_redirects',
        `\`${request.url}\` redirects more than ${maxRedirects} times; the last target was \`${location.slice(0, 300)}\``,
      );
    }
    const next = parseRedirect(location, current);
    const verdict = await context.access({ effect: 'network.http', resource: next.href, method: request.method });
    if (!verdict.allowed) return { response, redirects, stopped: { location: next.href, reason: verdict.reason } };
    redirects.push(current.href);
    // What was meant for one site is not told to another.
    if (next.origin !== current.origin) headers = withoutPrivate(headers);
    if (next.hash === '') next.hash = current.hash;
    current = next;
  }
}

function withoutPrivate(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { referer: _referer, 'if-none-match': _match, 'if-modified-since': _since, ...rest } = headers;
  return rest;
}

function parseRedirect(location: string, base: URL): URL {
  let absolute = location;
  try {
    absolute = new URL(location, base).href;
  } catch {
    // parseHttpUrl says what is wrong with it.
  }
  return parseHttpUrl(absolute);
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectTarget(head: HttpHead): string | undefined {
  return redirectStatuses.has(head.status) ? head.headers['location'] : undefined;
}

/** Sends one hop; where the first byte is late, again with the next, longer limit. The seed's error names the first limit. */
async function attempt(
  request: ExchangeRequest,
  settings: WebFetchSettings,
  context: ToolContext,
  deadline: Deadline,
): Promise<HttpResponse> {
  const [first = 1_000] = settings.firstByteTimeoutsMs;
  for (const limit of settings.firstByteTimeoutsMs) {
    try {
      return await context.ports.http.send({
        url: request.url,
        method: request.method,
        headers: request.headers,
        firstByteTimeoutMs: Math.min(limit, deadline.remaining()),
        bodyTimeoutMs: Math.min(settings.bodyTimeoutMs, deadline.remaining()),
        maxBytes: settings.maxBytes,
        signal: context.signal,
        wantBody: (head) => redirectTarget(head) === undefined && !skipsBody(head),
      });
    } catch (error) {
      if (!isToolError(error) || error.data.code !== 'timeout' || deadline.remaining() <= 1) throw error;
    }
  }
  throw firstByteTimeout(first);
}

/** The body of binary content is of no use; where its size is known it is not fetched at all. */
function skipsBody(head: HttpHead): boolean {
  return kindOfType(parseContentType(head.headers['content-type']).essence) === 'binary' && head.headers['content-length'] !== undefined;
}
