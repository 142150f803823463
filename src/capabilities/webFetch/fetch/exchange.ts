import { isToolError, toolError } from '../../../core/vocabulary/errors';
import { firstByteTimeout } from '../../../core/net/errors';
import { parseHttpUrl, parseRedirect } from '../../../core/net/url';
import type { HttpHead, HttpResponse } from '../../../core/ports/http';
import { kindOfType, parseContentType } from '../page/contentType';
import { HttpCache } from './cache';
import type { Hosts } from './hosts';
import type { Fetching } from './fetching';

const maxRedirects = 10;

export interface Exchange {
  readonly response: HttpResponse;
  /** The URLs on the way, the first one included, the final one not. */
  readonly redirects: readonly string[];
  /** Set where the body comes from the cache: without asking, or after the server said that nothing changed. */
  readonly fromCache?: 'fresh' | 'revalidated';
  /** Why the last redirect was not followed, where policy said no. */
  readonly stopped?: { readonly location: string; readonly reason: string };
}

interface ExchangeRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: Readonly<Record<string, string>>;
  /** `use` serves fresh answers from the cache, `refresh` asks the server again, `bypass` leaves the cache alone. */
  readonly cache: 'use' | 'refresh' | 'bypass';
  /** The call continues a page, so that the answer its first part came from is wanted. */
  readonly continuing: boolean;
}

/** Fetches a URL: late first bytes are retried, redirects followed one by one, each asked of the gate first. */
export async function exchange(request: ExchangeRequest, fetching: Fetching, hosts: Hosts): Promise<Exchange> {
  const { settings, context } = fetching;
  const redirects: string[] = [];
  let current = parseHttpUrl(request.url);
  let { headers } = request;
  for (;;) {
    if (settings.respectRobots && context.actor.type === 'agent') await hosts.checkRobots(current, fetching);
    const { response, fromCache } = await hop({ ...request, url: current.href, headers }, fetching);
    const location = redirectTarget(response);
    if (location === undefined) return { response, redirects, ...(fromCache ? { fromCache } : {}) };
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

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectTarget(head: HttpHead): string | undefined {
  return redirectStatuses.has(head.status) ? head.headers['location'] : undefined;
}

/** One hop, from the cache where it may be. */
async function hop(request: ExchangeRequest, fetching: Fetching): Promise<Pick<Exchange, 'response' | 'fromCache'>> {
  const url = new URL(request.url);
  url.hash = '';
  const send = (headers: Readonly<Record<string, string>>): Promise<HttpResponse> =>
    attempt({ ...request, headers }, fetching);
  const { ports } = fetching.context;
  const { blobs } = ports;
  if (!blobs || request.method !== 'GET' || request.cache === 'bypass')
    return { response: await send(request.headers) };
  const cache = new HttpCache(blobs, ports);
  if (request.cache === 'refresh') {
    const response = await send({ ...request.headers, 'cache-control': 'no-cache' });
    await cache.store(url.href, request.headers, response);
    return { response };
  }
  const cached = await cache.get(url.href, request.headers);
  if (cached && cache.isUsable(cached, request.continuing)) return { response: cached.response, fromCache: 'fresh' };
  const { etag, 'last-modified': modified } = cached?.response.headers ?? {};
  const response = await send({
    ...request.headers,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  });
  if (cached && response.status === 304) {
    // The answer without a body may bring newer headers, such as another lifetime (RFC 9111, 4.3.4).
    const renewed: HttpResponse = {
      ...cached.response,
      headers: { ...cached.response.headers, ...validators(response.headers) },
      ...(response.peerAddress === undefined ? {} : { peerAddress: response.peerAddress }),
    };
    await cache.store(url.href, request.headers, renewed);
    return { response: renewed, fromCache: 'revalidated' };
  }
  await cache.store(url.href, request.headers, response);
  return { response };
}

function validators(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ['cache-control', 'date', 'etag', 'expires', 'last-modified', 'age']) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/**
 * Sends one hop; where the first byte is late, again with the next, longer limit. The error names the first limit,
 * because that is the one that was asked for, and how long all attempts took.
 */
async function attempt(request: ExchangeRequest, { settings, context, remaining }: Fetching): Promise<HttpResponse> {
  const [first = 1_000] = settings.firstByteTimeoutsMs;
  const startedAt = context.ports.clock.monotonic();
  let attempts = 0;
  for (const limit of settings.firstByteTimeoutsMs) {
    attempts++;
    try {
      return await context.send(
        {
          url: request.url,
          method: request.method,
          headers: request.headers,
          firstByteTimeoutMs: Math.min(limit, remaining()),
          bodyTimeoutMs: Math.min(settings.bodyTimeoutMs, remaining()),
          maxBytes: settings.maxBytes,
          signal: context.signal,
          wantBody: (head) => redirectTarget(head) === undefined && !skipsBody(head),
        },
        remaining(),
      );
    } catch (error) {
      if (!isToolError(error) || error.data.code !== 'timeout') throw error;
      if (remaining() <= 1) break;
    }
  }
  throw firstByteTimeout(first, { attempts, totalMs: context.ports.clock.monotonic() - startedAt });
}

/** The body of binary content is of no use; where its size is known it is not fetched at all. */
function skipsBody(head: HttpHead): boolean {
  return (
    kindOfType(parseContentType(head.headers['content-type']).essence) === 'binary' &&
    head.headers['content-length'] !== undefined
  );
}
