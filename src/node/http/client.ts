import { untilAborted } from '../../core/base/pause';
import type * as http from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { say, type Sentence } from '../../core/base/sentence';
import { isToolError, refusal, type ToolError } from '../../core/vocabulary/errors';
import { firstByteTimeout, networkError } from '../../core/net/errors';
import { parseHttpUrl } from '../../core/net/url';
import type { HttpClient, HttpHead, HttpRequest, HttpResponse } from '../../core/ports/http';
import { errnoOf } from '../errors/errno';
import { ByteSink } from './byteSink';
import { acceptEncoding, chooseDecoder } from './decoder';
import { exchangeHeads, maxHeaderSize, type Network, type Route, routeTo } from './outgoing';
import { streamed } from './streamed';
import { errorOf } from '../../core/base/errorText';

export type HttpClientOptions = Network;

/**
 * The HTTP client of the extension, on Node's own modules (which the editor patches for certificates). One connection
 * per request, the checked addresses pinned, no redirect followed, one deadline for the head and one for the body.
 */
export function createHttpClient(options: HttpClientOptions): Required<HttpClient> {
  return {
    send: (request) => send(request, options),
    fetch: (request, maxBytes) => streamed(request, maxBytes, options),
  };
}

type Abort = { readonly reason: 'first_byte' | 'body' | 'cancelled' };

async function send(request: HttpRequest, options: HttpClientOptions): Promise<HttpResponse> {
  const url = parseHttpUrl(request.url);
  url.hash = '';
  const started = Date.now();
  const controller = new AbortController();
  const abort = (reason: Abort['reason']): void => controller.abort({ reason } satisfies Abort);
  const onCancel = (): void => abort('cancelled');
  if (request.signal?.aborted) throw cancelledRequest(url);
  request.signal?.addEventListener('abort', onCancel, { once: true });
  const headTimer = setTimeout(() => abort('first_byte'), request.firstByteTimeoutMs);
  let bodyTimer: NodeJS.Timeout | undefined;
  try {
    const route = await untilAborted(routeTo(url, options), controller.signal);
    if (!route) throw new Error('aborted');
    const message = await head(url, request, route, controller.signal);
    clearTimeout(headTimer);
    bodyTimer = setTimeout(() => abort('body'), request.bodyTimeoutMs);
    const headers = joinHeaders(message.headers);
    const peerAddress = message.socket.remoteAddress;
    const answer = await readBody(message, headers, request, controller.signal);
    return {
      url: url.href,
      status: message.statusCode ?? 0,
      headers,
      ...answer,
      ...(route.proxy ? { viaProxy: true } : peerAddress === undefined ? {} : { peerAddress }),
    };
  } catch (error) {
    const reason = controller.signal.aborted ? (controller.signal.reason as Abort).reason : undefined;
    if (reason === 'first_byte') throw firstByteTimeout(request.firstByteTimeoutMs);
    if (reason === 'cancelled') throw cancelledRequest(url);
    throw isToolError(error) ? error : describeFailure(error, url, Date.now() - started);
  } finally {
    clearTimeout(headTimer);
    clearTimeout(bodyTimer);
    request.signal?.removeEventListener('abort', onCancel);
    // Closes the socket in every case: nothing is kept alive, and a body that nobody wants stops here.
    if (!controller.signal.aborted) abort('body');
  }
}

/** Sends the request and waits for the answer's head. */
function head(url: URL, request: HttpRequest, route: Route, signal: AbortSignal): Promise<http.IncomingMessage> {
  const headers: Record<string, string> = { 'accept-encoding': acceptEncoding, ...request.headers };
  if (request.body !== undefined) headers['content-length'] = String(Buffer.byteLength(request.body));
  return exchangeHeads(url, { method: request.method, headers, signal, body: request.body }, route);
}

type Body = Pick<HttpResponse, 'body' | 'cut'>;

async function readBody(
  message: http.IncomingMessage,
  headers: Readonly<Record<string, string>>,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Body> {
  const status = message.statusCode ?? 0;
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    message.destroy();
    return { body: new Uint8Array() };
  }
  const answerHead: HttpHead = { status, headers };
  if (request.wantBody && !request.wantBody(answerHead)) {
    message.destroy();
    return { body: new Uint8Array(), cut: 'skipped' };
  }
  const create = chooseDecoder(headers['content-encoding']);
  const length = create ? Number.NaN : Number(headers['content-length'] ?? Number.NaN);
  const sink = new ByteSink(request.maxBytes, Number.isSafeInteger(length) && length >= 0 ? length : undefined);
  const cut = await drain(message, create, sink, signal);
  return cut ? { body: sink.bytes(), cut } : { body: sink.bytes() };
}

/** Reads until the end, the limit, the deadline or a fault; the decoded bytes are counted while they come. */
function drain(
  message: http.IncomingMessage,
  create: ReturnType<typeof chooseDecoder>,
  sink: ByteSink,
  signal: AbortSignal,
): Promise<Body['cut']> {
  return new Promise((resolve, reject) => {
    let decoder: Transform | undefined;
    let settled = false;
    const finish = (cut: Body['cut'], error?: unknown): void => {
      if (settled) return;
      settled = true;
      message.destroy();
      decoder?.destroy();
      if (error === undefined) resolve(cut);
      else reject(errorOf(error));
    };
    const stopped = (): void => {
      const { reason } = signal.reason as Abort;
      if (reason === 'body') finish('timeout');
      else finish(undefined, new Error(reason));
    };
    if (signal.aborted) return stopped();
    signal.addEventListener('abort', stopped, { once: true });
    const take = (chunk: Uint8Array): void => {
      if (!settled && !sink.add(chunk)) finish('size');
    };
    message.on('error', () => (signal.aborted ? stopped() : finish('reset')));
    message.on('aborted', () => (signal.aborted ? stopped() : finish('reset')));
    if (!create) {
      message.on('data', take);
      message.on('end', () => finish(undefined));
      return;
    }
    message.once('data', (first: Uint8Array) => {
      decoder = create(first);
      decoder.on('error', () => finish('encoding'));
      decoder.on('data', take);
      decoder.on('end', () => finish(undefined));
      decoder.write(first);
      // After the first chunk the rest flows with back-pressure, so that a bomb cannot run ahead of the count.
      (message as Readable).pipe(decoder);
    });
    message.on('end', () => {
      if (!decoder) finish(undefined);
    });
  });
}

function joinHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

const cancelledRequest = (url: URL): ToolError => refusal('cancelled', say('network_cancelled', url.host));

/** Says in words what Node's error codes mean; the text of an exception, which a server can shape, is left out. */
function describeFailure(error: unknown, url: URL, elapsedMs: number): ToolError {
  const code = errnoOf(error) ?? '';
  const details = { code, host: url.host, elapsedMs };
  const failed = (said: Sentence, retryable: boolean): ToolError => networkError(said, retryable, details);
  switch (code) {
    case 'ENOTFOUND':
      return failed(say('network_host_missing', url.hostname), false);
    case 'EAI_AGAIN':
      return failed(say('network_host_later', url.hostname), true);
    case 'ECONNREFUSED':
      return failed(say('network_refused', url.host), true);
    case 'ECONNRESET':
    case 'EPIPE':
      return failed(say('network_closed', url.host), true);
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return failed(say('network_unreachable', url.host), true);
    case 'HPE_HEADER_OVERFLOW':
      return failed(say('network_long_head', url.host, maxHeaderSize), false);
    case 'ERR_INVALID_CHAR':
      return failed(say('network_header_character'), false);
  }
  if (code.startsWith('HPE_')) return failed(say('network_no_http', url.host), false);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return failed(say('network_certificate', url.host, code), false);
  const isCode = /^[A-Z0-9_]+$/.test(code);
  return failed(isCode ? say('network_failed_because', url.host, code) : say('network_failed', url.host), true);
}
