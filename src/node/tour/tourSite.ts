import { createServer } from 'node:http';
import { once } from 'node:events';

const html = `<!doctype html>
<html lang="en">
<head><title>Timetable format</title><style>body { font: 16px sans-serif; }</style></head>
<body>
<nav><a href="/">Home</a></nav>
<main>
<h1>Timetable format</h1>
<p>Every departure is one row. Times are local, in minutes after midnight.</p>
<table>
<thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>
<tr><td><code>minute</code></td><td>integer, 0 to 1439</td><td>Departure</td></tr>
<tr><td><code>from</code></td><td>string</td><td>Quay of departure</td></tr>
</tbody>
</table>
<p>A ferry that leaves <strong>this very minute still counts</strong>.</p>
</main>
<footer>A made-up ferry company. This page exists while the tour runs.</footer>
</body>
</html>
`;

/** Serves the page of the tour on this machine alone, on a port that is free. */
export async function startTourSite(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/timetable') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/timetable`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
