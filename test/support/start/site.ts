import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const PAGES: Record<string, string> = { '/': 'index.html', '/reference': 'reference.html' };

function listen(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => done((server.address() as AddressInfo).port));
  });
}

/** Finds the wanted port free, or takes any other, so that an address in a bookmark mostly stays true. */
export async function freePort(preferred: number): Promise<number> {
  for (const wanted of [preferred, 0]) {
    const probe = createServer();
    try {
      return await listen(probe, wanted);
    } catch {
      // The port is taken: the next round asks for any.
    } finally {
      await new Promise((done) => probe.close(done));
    }
  }
  throw new Error('no free port on 127.0.0.1');
}

/** Serves the sample site on loopback: pages worth fetching, on a machine that may have no network. */
export async function startSite(folder: string, preferred: number): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    if (path === '/robots.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /private\n');
      return;
    }
    const page = PAGES[path];
    if (!page) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
      return;
    }
    readFile(join(folder, page)).then(
      (content) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(content),
      () => response.writeHead(500).end(),
    );
  });
  const port = await listen(server, await freePort(preferred));
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
