import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from '../../core/base/pause';
import { EventLines } from '../../core/net/eventLines';
import { notAvailable } from '../../core/vocabulary/errors';
import type { HttpClient } from '../../core/ports/http';

/** The most bytes of one message from a server. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** What all streams of a server may cost in one second: each byte 1, and for what reading them takes more than that. */
const perSecond = 8_000_000;
const lineCost = 100;
const eventCost = 10_000;
/** Bytes of a stream that are handed on in one turn of the thread. */
const piece = 4096;

/**
 * The `fetch` for MCP over HTTP, sign-in included: the extension's one way out, which judges and pins every address and
 * follows no redirect by itself. Private and loopback addresses need an entry in `network.allowedPrivateHosts`; a name
 * never leads to a metadata service. Streams of events come no faster than this thread can well read them.
 */
export function guardedFetch(
  http: HttpClient,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const pace = new Pace();
  return async (input, init) => {
    if (!http.fetch) throw notAvailable('MCP over HTTP', 'there is no network here');
    const request = input instanceof Request ? new Request(input, init) : new Request(String(input), init);
    const response = await http.fetch(request, maxMessageBytes);
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
    return isStream && response.body ? new Response(pace.holds(response.body), response) : response;
  };
}

class Pace {
  /** What was saved up, of one second at most; below zero what is owed. */
  #left = perSecond;
  #since = performance.now();

  holds(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const read = new EventLines();
    return body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: async (chunk, out) => {
          for (let at = 0; at < chunk.length; at += piece) {
            const part = chunk.subarray(at, at + piece);
            const { lines, events } = read;
            read.add(part);
            await this.#spend(part.length + lineCost * (read.lines - lines) + eventCost * (read.events - events));
            out.enqueue(part);
          }
        },
      }),
    );
  }

  async #spend(cost: number): Promise<void> {
    const now = performance.now();
    this.#left = Math.min(perSecond, this.#left + ((now - this.#since) * perSecond) / 1000) - cost;
    this.#since = now;
    await (this.#left < 0 ? pause((-this.#left * 1000) / perSecond) : nextTurn());
  }
}
