import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a request held. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/**
 * A server that keeps what it is sent and answers with weather; below `/mirror` with the request itself, below `/fail`
 * with an error, below `/away` with a redirect.
 */
export function echoServer() {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      if (request.url?.startsWith('/away')) response.writeHead(302, { location: '/echo/there' }).end();
      else if (request.url?.startsWith('/mirror'))
        response
          .writeHead(request.url.includes('wrong') ? 400 : 200, { 'content-type': 'text/plain' })
          .end(`${'x'.repeat(470)} ${request.url} ${request.headers['x-key'] ?? ''} ${body}`);
      else if (request.url?.startsWith('/fail'))
        response.writeHead(422, { 'content-type': 'application/json' }).end('{"error":{"message":"no such city"}}');
      else
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ main: { temp: 20 }, list: [1, 2], secret: request.headers['authorization'] ?? null }));
    });
  });
  return {
    seen,
    /** Starts it, and answers its address. */
    open: async (): Promise<string> => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}
