import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import { toolError } from '../../core/errors';
import { isAllowedPrivateHost, judgeAddress, judgeHost } from '../../core/net/address';

export interface GuardedFetchOptions {
  readonly allowedPrivateHosts: () => readonly string[];
  /** An answer of more bytes is cut off with an error. */
  readonly maxBytes: number;
}

interface Address {
  readonly address: string;
  readonly family: number;
}

/**
 * A `fetch` for MCP over HTTP that streams, checks every address that it connects to and pins it, and follows no redirect by itself.
 * Private and loopback addresses need an entry in `network.allowedPrivateHosts`, as for every other outgoing call.
 */
export function guardedFetch(options: GuardedFetchOptions): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = input instanceof Request ? new Request(input, init) : new Request(String(input), init);
    const url = new URL(request.url);
    const addresses = await checked(url, options.allowedPrivateHosts());
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    return send(url, request, addresses, body, options.maxBytes);
  };
}

async function checked(url: URL, allowed: readonly string[]): Promise<readonly Address[]> {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const mayBePrivate = isAllowedPrivateHost(allowed, url.hostname, port);
  const refused = (kind: string): Error =>
    toolError(
      'address_refused',
      `\`${url.host}\` is refused: ${kind}; ask the user to add it to agentCapabilities.network.allowedPrivateHosts`,
    );
  const host = judgeHost(url.hostname);
  if (!mayBePrivate && !host.verdict.public) throw refused(host.verdict.kind);
  if (host.type === 'address') return [{ address: host.address, family: host.address.includes(':') ? 6 : 4 }];
  const found = await lookup(host.name, { all: true, verbatim: true });
  for (const { address } of found) {
    const verdict = judgeAddress(address);
    if (!mayBePrivate && !verdict.public) throw refused(verdict.kind);
  }
  return found;
}

function send(url: URL, request: Request, addresses: readonly Address[], body: Buffer | undefined, maxBytes: number): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      signal: request.signal,
      lookup: (_host, wanted, callback) => {
        const first = addresses[0];
        // Node calls back with a list where `all` is set; its types know the other form only.
        const answer = callback as (error: Error | null, address: string | readonly Address[], family?: number) => void;
        if (wanted.all) answer(null, addresses);
        else if (first) answer(null, first.address, first.family);
        else answer(new Error('no address'), []);
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (message) => resolve(toResponse(url, message, maxBytes)));
    outgoing.end(body);
  });
}

function toResponse(url: URL, message: http.IncomingMessage, maxBytes: number): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  const status = message.statusCode ?? 500;
  const isEmpty = status === 204 || status === 205 || status === 304;
  if (isEmpty) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const isStream = (headers.get('content-type') ?? '').includes('event-stream');
  let bytes = 0;
  message.on('data', (chunk: Buffer) => {
    // Of a stream of events one event is bounded, of everything else the whole.
    bytes = isStream && (chunk.includes('\n\n') || chunk.includes('\r\n\r\n')) ? 0 : bytes + chunk.length;
    if (bytes > maxBytes) message.destroy(new Error(`\`${url.host}\` answered with more than ${maxBytes} bytes`));
  });
  message.pause();
  // The two stream types are the same at run time; Node and the DOM declare them apart.
  return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, { status, headers });
}
