import http from 'node:http';

type Body = Record<string, any>;

/** A collector on loopback that keeps what it is sent, and fails on demand. */
export async function withCollector(
  body: (collector: { readonly url: string; readonly bodies: Body[]; fail(on: boolean): void }) => Promise<void>,
): Promise<void> {
  const bodies: Body[] = [];
  let failing = false;
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      if (failing || request.url !== '/v1/logs') response.writeHead(failing ? 503 : 404).end();
      else {
        bodies.push(JSON.parse(text));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    await body({
      url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      bodies,
      fail: (on) => {
        failing = on;
      },
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
