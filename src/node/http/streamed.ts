import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { EventLines } from '../../core/net/eventLines';
import { parseHttpUrl } from '../../core/net/url';
import { chooseDecoder, decoded } from './decoder';
import { exchangeHeads, type Network, routeTo } from './outgoing';

/** `HttpClient.fetch`. */
export async function streamed(request: Request, maxBytes: number, network: Network): Promise<Response> {
  const url = parseHttpUrl(request.url);
  const route = await routeTo(url, network);
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  // A stream is read as it comes; what a server encodes all the same is decoded.
  const headers: Record<string, string> = { 'accept-encoding': 'identity', ...Object.fromEntries(request.headers) };
  if (body) headers['content-length'] = String(body.byteLength);
  const message = await exchangeHeads(url, { method: request.method, headers, signal: request.signal, body }, route);
  try {
    return toResponse(url, message, maxBytes);
  } catch (error) {
    message.destroy();
    throw error;
  }
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
  const make = chooseDecoder(message.headers['content-encoding']);
  const body = make ? decoded(message, make) : message;
  const stream = (headers.get('content-type') ?? '').includes('event-stream') ? new EventLines() : undefined;
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    stream?.add(chunk);
    // Of a stream of events one event is bounded, of everything else the whole.
    bytes = stream ? stream.pending : bytes + chunk.length;
    if (bytes > maxBytes) body.destroy(new Error(`\`${url.host}\` answered with more than ${maxBytes} bytes`));
  });
  body.pause();
  if (make) for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  // The two stream types are the same at run time; Node and the DOM declare them apart.
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers });
}
