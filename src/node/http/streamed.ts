import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { parseHttpUrl } from '../../core/net/url';
import { exchangeHeads, type Network, routeTo } from './outgoing';

/** `HttpClient.fetch`. */
export async function streamed(request: Request, maxBytes: number, network: Network): Promise<Response> {
  const url = parseHttpUrl(request.url);
  const route = await routeTo(url, network);
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const headers = Object.fromEntries(request.headers);
  if (body) headers['content-length'] = String(body.byteLength);
  const message = await exchangeHeads(url, { method: request.method, headers, signal: request.signal, body }, route);
  return toResponse(url, message, maxBytes);
}

function toResponse(url: URL, message: IncomingMessage, maxBytes: number): Response {
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
