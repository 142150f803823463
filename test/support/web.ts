import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webFetch } from '../../src/capabilities/webFetch/webFetch';
import { type ReadPageInput, readPage } from '../../src/capabilities/webFetch/page/readPage';
import type { Json, JsonObject } from '../../src/core/base/json';
import type { Clock, WorkerPool } from '../../src/core/ports/platform';
import { createHttpClient, type HttpClientOptions } from '../../src/node/http/client';
import { type CallOptions, type CallResult, callTool } from './toolContext';

export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  readonly requests: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/**
 * A server on 127.0.0.1 that remembers what it was asked. `/robots.txt` is answered 404 where the handler leaves it.
 */
export async function startServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LoopbackServer> {
  const requests: LoopbackServer['requests'] = [];
  const server: Server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Runs the worker's task in this thread, for tests that are not about the thread. */
export const inlineWorker: WorkerPool = {
  run: async (task, input) => {
    if (task !== 'readPage') throw new Error(`no task ${task}`);
    // What the handler posts, through the same copy that a thread would get.
    return structuredClone(readPage(structuredClone(input) as ReadPageInput));
  },
};

/** Real time, which requests over sockets need. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timeZone: () => 'UTC',
  schedule: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};

export interface FetchOptions extends Omit<CallOptions, 'settings'> {
  readonly settings?: Record<string, Json>;
  readonly client?: Partial<HttpClientOptions>;
}

/** Calls web_fetch over the real client, with 127.0.0.1 allowed. */
export function fetchTool(input: unknown, options: FetchOptions = {}): Promise<CallResult> {
  return callTool(webFetch, 'web_fetch', input, {
    clock: realClock,
    worker: inlineWorker,
    http: createHttpClient({ allowedPrivateHosts: () => ['127.0.0.1'], ...options.client }),
    ...options,
  });
}

/** The payload of a call that must have worked. */
export async function fetched(input: unknown, options: FetchOptions = {}): Promise<JsonObject> {
  const result = await fetchTool(input, options);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.outcome.payload as JsonObject;
}
