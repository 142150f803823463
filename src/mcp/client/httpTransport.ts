import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { ConnectionLost, SessionOver } from './connectionLost';
import { dropsFloods } from './messageRate';

/** A `fetch` that tells once a server knows the session no more; the request was not processed then. */
export function tellingEnd(
  fetch: NonNullable<StreamableHTTPClientTransportOptions['fetch']>,
  onOver: (why: SessionOver) => void,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    // A server without a stream of its own may answer a GET so in any session.
    const isOver = response.status === 404 && init?.method === 'POST';
    if (!isOver || !new Headers(init.headers).has('mcp-session-id')) return response;
    await response.body?.cancel();
    const why = new SessionOver('the server has ended the session');
    onOver(why);
    throw why;
  };
}

/** MCP over HTTP: what is asked fails as soon as the stream that was to answer it has ended without. */
export function httpTransport(url: URL, options: StreamableHTTPClientTransportOptions): Transport {
  const transport = dropsFloods(new StreamableHTTPClientTransport(url, options));
  const send = transport.send.bind(transport);
  // Nobody waits for the end of this but for its failure, of which the protocol layer takes no notice after an answer.
  const asked: typeof send = (message, more) =>
    new Promise((_resolve, reject) => {
      const onRequestStreamEnd = (): void => reject(new ConnectionLost('the stream ended without an answer'));
      send(message, { ...more, onRequestStreamEnd }).catch(reject);
    });
  return Object.assign(transport, {
    send: (...[message, more]: Parameters<typeof send>): Promise<void> => {
      const isRequest = 'method' in message && 'id' in message;
      return isRequest && !more?.onRequestStreamEnd ? asked(message, more) : send(message, more);
    },
  });
}
