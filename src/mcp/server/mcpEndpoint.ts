import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Disposable } from '../../core/base/lifecycle';
import { makeServer, type MadeServer, type ServerIdentity } from './makeServer';
import { ToolCalls, type ToolCallOptions } from './toolCalls';

export interface EndpointOptions {
  readonly identity: ServerIdentity;
  readonly toolCalls: ToolCallOptions;
  readonly onError: (error: Error) => void;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly made: MadeServer;
  usedAt: number;
  open: number;
}

const mostSessions = 64;
const idleMs = 30 * 60_000;

/**
 * MCP over streamable HTTP in both versions: 2026-07-28 without sessions, one server for each request; 2025-11-25 with
 * a session for each client, so that questions and list changes reach exactly that client. No server and no transport
 * is ever shared between two clients.
 */
export class McpEndpoint implements Disposable {
  readonly #options: EndpointOptions;
  readonly #modern: McpHttpHandler;
  readonly #modernCalls: ToolCalls;
  readonly #sessions = new Map<string, Session>();
  readonly #subscription: Disposable;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#modernCalls = new ToolCalls(options.toolCalls);
    this.#modern = createMcpHandler(() => makeServer(options.identity, options.toolCalls, this.#modernCalls).server, {
      legacy: 'reject',
      onerror: options.onError,
    });
    this.#subscription = options.toolCalls.tools.onDidChange(() => this.#modern.notify.toolsChanged());
  }

  /** Answers one request that has passed the guard. `body` is there for POST. */
  async handle(message: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const stop = new AbortController();
    // Node ends the request's own stream with its body; only the response tells that the client has gone.
    response.once('close', () => {
      if (!response.writableEnded) stop.abort();
    });
    await write(await this.#answer(toRequest(message, stop.signal), body, response), response);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const id of [...this.#sessions.keys()]) this.#end(id);
    this.#modernCalls.dispose();
    this.#modern.close().catch(this.#options.onError);
  }

  async #answer(request: Request, body: unknown, response: ServerResponse): Promise<Response> {
    const parsed = request.method === 'POST' ? { parsedBody: body } : {};
    const isLegacy = request.method === 'POST' ? await isLegacyRequest(request, body) : true;
    if (!isLegacy) return this.#modern.fetch(request, parsed);
    const id = request.headers.get('mcp-session-id');
    const session = this.#sessions.get(id ?? '');
    if (session) return this.#inSession(session, request, parsed, response);
    if (id !== null) return problem(404, -32001, 'this session is not known; initialize again');
    if (request.method !== 'POST' || !isInitializeRequest(body))
      return problem(400, -32000, 'the request needs the header mcp-session-id, or must be an initialize request');
    this.#sweep();
    if (this.#sessions.size >= mostSessions) return problem(503, -32000, 'too many sessions are open');
    return this.#open(request, parsed, response);
  }

  async #open(request: Request, parsed: { parsedBody?: unknown }, response: ServerResponse): Promise<Response> {
    const { identity, toolCalls, onError } = this.#options;
    const made = makeServer(identity, toolCalls);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => toolCalls.crypto.randomId(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
      },
      onsessionclosed: (id) => this.#end(id),
    });
    const session: Session = { transport, made, usedAt: Date.now(), open: 0 };
    Object.assign(made.server, { onerror: onError });
    await made.server.connect(transport);
    const answer = await this.#inSession(session, request, parsed, response);
    if (transport.sessionId === undefined) made.dispose();
    return answer;
  }

  async #inSession(
    session: Session,
    request: Request,
    parsed: { parsedBody?: unknown },
    response: ServerResponse,
  ): Promise<Response> {
    session.usedAt = Date.now();
    session.open++;
    response.once('close', () => {
      session.open--;
      session.usedAt = Date.now();
    });
    return session.transport.handleRequest(request, parsed);
  }

  #sweep(): void {
    const now = Date.now();
    for (const [id, session] of this.#sessions) if (session.open === 0 && now - session.usedAt > idleMs) this.#end(id);
    if (this.#sessions.size < mostSessions) return;
    const idle = [...this.#sessions]
      .filter(([, session]) => session.open === 0)
      .sort((a, b) => a[1].usedAt - b[1].usedAt)[0];
    if (idle) this.#end(idle[0]);
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    session.made.dispose();
    session.transport.close().catch(this.#options.onError);
  }
}

function toRequest(message: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  // The token has done its work; nothing behind the guard sees it.
  headers.delete('authorization');
  return new Request(`http://${message.headers.host ?? '127.0.0.1'}${message.url ?? '/'}`, {
    method: message.method ?? 'GET',
    headers,
    signal,
  });
}

function problem(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

async function write(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.setHeader('cache-control', 'no-store');
  const { body } = answer;
  if (!body) {
    response.end();
    return;
  }
  response.flushHeaders();
  // The two declarations of a web stream describe the same object.
  const stream = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  response.once('close', () => stream.destroy());
  await new Promise<void>((resolve) => {
    stream.on('error', () => {
      response.destroy();
      resolve();
    });
    response.on('close', resolve);
    stream.pipe(response);
  });
}
