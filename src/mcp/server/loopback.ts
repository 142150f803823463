import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JsonObject } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import type { AgentsApi } from './agentsApi';
import { type BodyLimits, readJsonBody } from './body';
import { listenOnLoopback, portOf } from '../listenOnLoopback';
import { McpEndpoint, type EndpointOptions } from './mcpEndpoint';
import { checkOrigin, TokenCheck } from './requestGuard';
import { errorOf } from '../../core/base/errorText';

export interface LoopbackOptions extends EndpointOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Opens `/mcp`: 256 random bits, known to this window's clients only. */
  readonly token: string;
  /** How long the body of a request may take to arrive, in milliseconds; 10 s where it is left out. */
  readonly bodyTimeoutMs?: number;
  /** The agents' API under `/v1`, with a token of its own that no MCP client is given; left out, there is no API. */
  readonly api?: { readonly token: string; readonly agents: AgentsApi };
}

export interface Loopback extends Disposable {
  readonly port: number;
  /** The address of the MCP endpoint; the token is never part of it. */
  readonly url: string;
  close(): Promise<void>;
}

const maxBodyBytes = 4 * 1024 * 1024;
/** How long a body may take to arrive: all clients are on this machine. */
const bodyTimeoutMs = 10_000;
const mostConnections = 256;
const mostRequests = 128;
/** How long a client may take for its headers and for its whole request. */
const headersTimeoutMs = 5000;
const requestTimeoutMs = 30_000;

/** Starts the server on 127.0.0.1. Every request passes host, origin and token before a byte of its body is read. */
export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
  const endpoint = new McpEndpoint(options);
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
    keepAliveTimeout: 5000,
    requireHostHeader: true,
  });
  const answer = routesOf(options, endpoint, () => portOf(server));
  let running = 0;
  server.on('request', (request, response) => {
    // A stream of notifications stays open and does no work; everything else counts.
    const counts = request.method !== 'GET';
    if (counts && running >= mostRequests)
      return refuseMcp(response, 503, 'too many requests at once', { 'retry-after': '1' });
    if (counts) {
      running++;
      response.once('close', () => running--);
    }
    answer(request, response).catch((error: unknown) => {
      options.onError(errorOf(error));
      if (response.headersSent) response.destroy();
      else refuseMcp(response, 500, 'the request failed; the log holds the details');
    });
  });
  server.maxConnections = mostConnections;
  server.on('clientError', endBroken);

  const port = await listenOnLoopback(server, options.port);
  const stop = (): void => {
    endpoint.dispose();
    server.close();
    server.closeAllConnections();
  };
  return {
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    dispose: stop,
    close: () =>
      new Promise((resolve) => {
        server.once('close', () => resolve());
        stop();
      }),
  };
}

/** After an answer nothing may follow; and whoever sends slowly does not decide when the connection ends. */
function endBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  if (socket.writable && 'bytesWritten' in socket && socket.bytesWritten === 0)
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`, () => socket.destroy());
  else socket.destroy();
}

/** Checks who asks, and leads to the endpoint of MCP or to the agents' API. */
function routesOf(
  { api, token, ...options }: LoopbackOptions,
  endpoint: McpEndpoint,
  port: () => number,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const mcpToken = new TokenCheck(token);
  const apiToken = api && new TokenCheck(api.token);
  const limits: BodyLimits = { maxBytes: maxBodyBytes, timeoutMs: options.bodyTimeoutMs ?? bodyTimeoutMs };
  const answerApi = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const method = request.method ?? 'GET';
    let body: unknown;
    // A body that nothing here takes is not read, so that the answer names the path or the method and not the body.
    if (api?.agents.takesBody(method, path)) {
      const read = await readJsonBody(request, limits);
      if (read.type === 'refused') return refuseApi(response, read.status, read.message);
      body = read.value;
    }
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    const result = await api?.agents.handle({ method, path, body }, stop.signal);
    if (result) send(response, result.status, result.body, result.headers);
  };
  return async (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const isApi = path === '/v1' || path.startsWith('/v1/');
    const refuse = isApi ? refuseApi : refuseMcp;
    const refusal = checkOrigin(request, port());
    if (refusal) return refuse(response, refusal.status, refusal.message);
    const check = isApi ? apiToken : mcpToken;
    if (!check?.accepts(request))
      return refuse(response, 401, 'a valid token is needed', { 'www-authenticate': challengeFor(request) });
    if (isApi) return answerApi(request, response, path);
    if (path !== '/mcp') return refuse(response, 404, 'there is nothing here');
    if (request.method !== 'POST' && request.method !== 'GET' && request.method !== 'DELETE')
      return refuse(response, 405, 'use POST, GET or DELETE', { allow: 'POST, GET, DELETE' });
    let body: unknown;
    if (request.method === 'POST') {
      const read = await readJsonBody(request, limits);
      if (read.type === 'refused') return refuseMcp(response, read.status, read.message, {}, -32700);
      body = read.value;
    }
    return endpoint.handle(request, response, body);
  };
}

type Headers = Readonly<Record<string, string>>;

/** A refusal as MCP clients read it. */
function refuseMcp(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Headers = {},
  code = -32000,
): void {
  end(response, status, headers, { jsonrpc: '2.0', id: null, error: { code, message } });
}

/** A refusal in the form of the API's other errors. */
function refuseApi(response: ServerResponse, status: number, message: string, headers: Headers = {}): void {
  end(response, status, headers, { error: { code: apiCodes[status] ?? 'invalid_input', message } });
}

const apiCodes: Readonly<Record<number, string>> = { 401: 'unauthorized', 403: 'permission_denied', 413: 'too_large' };

/** What a client is asked for (RFC 6750); whoever sent a token hears that it is not the right one. */
function challengeFor({ headers }: IncomingMessage): string {
  const realm = 'Bearer realm="agent-capabilities"';
  return headers.authorization === undefined ? realm : `${realm}, error="invalid_token"`;
}

function end(response: ServerResponse, status: number, headers: Headers, body: JsonObject): void {
  // What is left of the body is not read: the connection ends with the answer.
  send(response, status, body, { ...headers, connection: 'close' });
}

function send(response: ServerResponse, status: number, body: JsonObject, headers: Headers = {}): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}
