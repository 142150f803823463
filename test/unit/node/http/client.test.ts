import { strict as assert } from 'node:assert';
import { createServer as createTcpServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { worded } from '../../../../src/core/base/sentence';
import { errorSaid, isToolError } from '../../../../src/core/vocabulary/errors';
import type { HttpRequest, HttpResponse } from '../../../../src/core/ports/http';
import { createHttpClient, type HttpClientOptions } from '../../../../src/node/http/client';
import { proxyFor, readProxySettings } from '../../../../src/node/http/proxy';
import { inGerman } from '../../../support/german';
import { itWithShared, readJson } from '../../../support/shared';
import { type LoopbackServer, startServer } from '../../../support/web';

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: 'GET',
  firstByteTimeoutMs: 1_000,
  bodyTimeoutMs: 1_000,
  maxBytes: 1_000_000,
  ...more,
});
const send = (
  url: string,
  options: Partial<HttpClientOptions> = {},
  more: Partial<HttpRequest> = {},
): Promise<HttpResponse> =>
  createHttpClient({ allowedPrivateHosts: () => ['127.0.0.1'], ...options }).send(request(url, more));
/** The code of what failed, which a person is told in German too where the network is to blame. */
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'ok';
  } catch (error) {
    const code = isToolError(error) ? error.data.code : String(error);
    if (['network_error', 'cancelled', 'timeout'].includes(code)) {
      const told = worded(errorSaid(error), inGerman);
      assert.doesNotMatch(told, /UNTRANSLATED|\b(the|respond|connection)\b/);
      assert.notEqual(told, worded(errorSaid(error)));
    }
    return code;
  }
};
const text = (response: HttpResponse): string => Buffer.from(response.body).toString();

/** Listens on both loopback addresses and counts connections: nothing may ever come here. */
async function startCanary(): Promise<{ port: number; connections(): number; close(): Promise<void> }> {
  let count = 0;
  const listen = (host: string, port: number): Promise<Server | undefined> =>
    new Promise((resolve) => {
      const server = createTcpServer((socket) => {
        count++;
        socket.destroy();
      });
      server.once('error', () => resolve(undefined));
      server.listen(port, host, () => resolve(server));
    });
  const first = await listen('127.0.0.1', 0);
  if (!first) throw new Error('no loopback');
  const { port } = first.address() as AddressInfo;
  // A machine without IPv6 has no ::1 to connect to.
  const second = await listen('::1', port);
  return {
    port,
    connections: () => count,
    close: async () => {
      for (const server of [first, second]) if (server) await new Promise((resolve) => server.close(resolve));
    },
  };
}

const insideHosts =
  '127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0 0.0.0.0 [::] [::1] [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] localhost LOCALHOST. foo.localhost ①②⑦.⓪.⓪.① 127。0。0。1 127.0.0.1. [fe80::1] 169.254.169.254 10.0.0.1 192.168.1.1 100.100.100.200 168.63.129.16'.split(
    ' ',
  );

describe('the HTTP client', () => {
  let server: LoopbackServer;
  before(async () => {
    const body = 'the quick brown fox '.repeat(50);
    server = await startServer((incoming, response) => {
      const path = incoming.url ?? '';
      const encoded: Record<string, () => Buffer> = {
        gzip: () => gzipSync(body),
        'x-gzip': () => gzipSync(body),
        deflate: () => deflateSync(body),
        'deflate-raw': () => deflateRawSync(body),
        br: () => brotliCompressSync(body),
      };
      const encode = encoded[path.slice(1)];
      if (encode) {
        response.setHeader('content-encoding', path.slice(1).replace('-raw', ''));
        response.end(encode());
      } else if (path === '/charset') {
        response.setHeader('content-encoding', 'utf-8');
        response.end(body);
      } else if (path === '/echo') {
        incoming.setEncoding('utf8');
        let received = '';
        incoming.on('data', (chunk: string) => (received += chunk));
        incoming.on('end', () => response.end(`${incoming.method} ${received}`));
      } else if (path === '/redirect') {
        response.statusCode = 302;
        response.setHeader('location', '/gzip');
        response.end();
      } else if (path === '/hang') return;
      else response.end(body);
    });
  });
  after(() => server.close());

  it('undoes one content encoding of each kind, and reads past what is none', async () => {
    for (const name of ['plain', 'gzip', 'x-gzip', 'deflate', 'deflate-raw', 'br', 'charset']) {
      const response = await send(`${server.url}/${name}`);
      assert.equal(text(response), 'the quick brown fox '.repeat(50), name);
      assert.deepEqual([response.cut, response.peerAddress], [undefined, '127.0.0.1'], name);
    }
  });

  it('sends a body, follows no redirect, and leaves out a body that nobody wants', async () => {
    assert.equal(text(await send(`${server.url}/echo`, {}, { method: 'POST', body: 'grüße' })), 'POST grüße');
    const redirect = await send(`${server.url}/redirect`);
    assert.deepEqual([redirect.status, redirect.headers['location']], [302, '/gzip']);
    const skipped = await send(`${server.url}/gzip`, {}, { wantBody: () => false });
    assert.deepEqual([skipped.cut, skipped.body.length], ['skipped', 0]);
    assert.equal((await send(`${server.url}/gzip`, {}, { method: 'HEAD' })).body.length, 0);
  });

  it('cuts the decoded body at the limit', async () => {
    const response = await send(`${server.url}/gzip`, {}, { maxBytes: 100 });
    assert.deepEqual([response.body.length, response.cut], [100, 'size']);
  });

  it('names what failed: nothing listens, no such host, cancelled, an invalid header', async () => {
    const closed = await startServer(() => undefined);
    await closed.close();
    assert.equal(await codeOf(send(closed.url)), 'network_error');
    const failing = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    assert.equal(
      await codeOf(send('http://nowhere.example', { resolver: () => Promise.reject(failing) })),
      'network_error',
    );
    const controller = new AbortController();
    const cancelled = codeOf(send(`${server.url}/hang`, {}, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 30);
    assert.equal(await cancelled, 'cancelled');
    assert.equal(await codeOf(send(`${server.url}/hang`, {}, { signal: AbortSignal.abort() })), 'cancelled');
    assert.equal(await codeOf(send(server.url, {}, { headers: { 'x-bad': 'a\r\nb: c' } })), 'network_error');
    assert.equal(
      await codeOf(
        send('http://slow.example', { resolver: () => new Promise(() => undefined) }, { firstByteTimeoutMs: 50 }),
      ),
      'timeout',
    );
  });

  describe('and addresses that are not public', () => {
    it('S3.web-fetch: connects to none of them, however they are spelled, directly or by redirect', async () => {
      const canary = await startCanary();
      for (const host of insideHosts) {
        assert.equal(
          await codeOf(send(`http://${host}:${canary.port}/`, { allowedPrivateHosts: () => [] })),
          'address_refused',
          host,
        );
      }
      assert.equal(canary.connections(), 0);
      await canary.close();
    });

    itWithShared('corpora/ssrf.json', 'S3.web-fetch: connects to none of the collected payloads', async (file) => {
      const { internal } = readJson(file) as { internal: string[] };
      const canary = await startCanary();
      const publicOnly = new Set<string>();
      for (const payload of internal) {
        const withPort = payload.replace(/^(https?:[\\/]+(?:[^@/]*@)?(?:\[[^\]]*\]|[^/:#]+))/, `$1:${canary.port}`);
        for (const url of [payload, withPort]) {
          const code = await codeOf(
            send(
              url,
              {
                allowedPrivateHosts: () => [],
                // The machine's resolver would ask the network for names; all of these mean this machine.
                resolver: async (name) => {
                  publicOnly.add(name);
                  return [{ address: '127.0.0.1', family: 4 }];
                },
              },
              { firstByteTimeoutMs: 60 },
            ),
          );
          const target = /1\.1\.1\.1[\\]/.test(url);
          if (!target) assert.ok(code === 'address_refused' || code === 'invalid_url', `${url}: ${code}`);
        }
      }
      assert.equal(canary.connections(), 0);
      await canary.close();
    });

    it('S3.web-fetch: asks the resolver once and connects to what was checked, whatever it would answer next', async () => {
      const canary = await startCanary();
      let lookups = 0;
      const rebinding: HttpClientOptions['resolver'] = async () => {
        lookups++;
        return lookups === 1 ? [{ address: '192.0.2.1', family: 4 }] : [{ address: '127.0.0.1', family: 4 }];
      };
      // The first answer is a documentation address: refused like any other that is not public.
      assert.equal(
        await codeOf(send(`http://rebind.example:${canary.port}/`, { resolver: rebinding })),
        'address_refused',
      );
      assert.equal(lookups, 1);
      // An exempt name may be private, and is still looked up only once.
      let second = 0;
      const loopback = await startServer((_request, response) => response.end('pinned'));
      const response = await send(`http://intranet.example:${loopback.port}/`, {
        allowedPrivateHosts: () => [`intranet.example:${loopback.port}`],
        resolver: async () => {
          second++;
          return second === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '127.0.0.99', family: 4 }];
        },
      });
      assert.deepEqual([text(response), second, response.peerAddress], ['pinned', 1, '127.0.0.1']);
      await loopback.close();
      assert.equal(canary.connections(), 0);
      await canary.close();
    });

    it('refuses a name if any of its addresses is private, and an exempt name that leads to a metadata service', async () => {
      const mixed = async () => [
        { address: '93.184.216.34', family: 4 as const },
        { address: '::1', family: 6 as const },
      ];
      assert.equal(await codeOf(send('http://mixed.example/', { resolver: mixed })), 'address_refused');
      const metadata = async () => [{ address: '169.254.169.254', family: 4 as const }];
      assert.equal(
        await codeOf(
          send('http://intranet.example/', { resolver: metadata, allowedPrivateHosts: () => ['intranet.example'] }),
        ),
        'address_refused',
      );
      assert.equal(await codeOf(send('http://none.example/', { resolver: async () => [] })), 'network_error');
    });
  });

  describe('and proxies', () => {
    it('reads the environment and the editor, and leaves out the hosts that need none', () => {
      const settings = readProxySettings({
        HTTP_PROXY: 'proxy.example:3128',
        https_proxy: 'http://secure.example',
        NO_PROXY: '.corp.example, localhost:8080',
      });
      const through = (url: string): string | undefined => proxyFor(new URL(url), settings)?.host;
      assert.deepEqual(
        [
          'http://a.example/',
          'https://a.example/',
          'http://x.corp.example/',
          'http://corp.example/',
          'http://localhost:8080/',
          'http://localhost:9090/',
        ].map(through),
        ['proxy.example:3128', 'secure.example', undefined, undefined, undefined, 'proxy.example:3128'],
      );
      assert.equal(
        proxyFor(new URL('http://a.example'), readProxySettings({}, 'http://editor.example:1'))?.host,
        'editor.example:1',
      );
      assert.equal(proxyFor(new URL('http://a.example'), readProxySettings({ http_proxy: 'socks5://x' })), undefined);
      assert.equal(
        proxyFor(new URL('http://a.example'), readProxySettings({ http_proxy: 'x', no_proxy: '*' })),
        undefined,
      );
    });

    it('sends the whole URL to the proxy, after judging the address itself', async () => {
      const proxy = await startServer((incoming, response) => response.end(`proxied ${incoming.url}`));
      const options: Partial<HttpClientOptions> = {
        proxyFor: () => new URL(proxy.url.replace('http://', 'http://user:secret@')),
        resolver: async (name) => [{ address: name === 'public.example' ? '93.184.216.34' : '10.0.0.1', family: 4 }],
      };
      const response = await send('http://public.example/page?q=1', options);
      assert.deepEqual(
        [text(response), response.viaProxy, response.peerAddress],
        ['proxied http://public.example/page?q=1', true, undefined],
      );
      assert.equal(
        proxy.requests[0]?.headers['proxy-authorization'],
        `Basic ${Buffer.from('user:secret').toString('base64')}`,
      );
      assert.equal(await codeOf(send('http://private.example/', options)), 'address_refused');
      assert.equal(proxy.requests.length, 1);
      await proxy.close();
    });

    it('asks the proxy for a tunnel for an encrypted connection', async () => {
      const connects: string[] = [];
      const proxy = await startServer(() => undefined);
      const { createServer } = await import('node:http');
      const tunnel = createServer();
      tunnel.on('connect', (incoming, socket) => {
        connects.push(incoming.url ?? '');
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      });
      await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve));
      const { port } = tunnel.address() as AddressInfo;
      const code = await codeOf(
        send('https://public.example/', {
          proxyFor: () => new URL(`http://127.0.0.1:${port}`),
          resolver: async () => [{ address: '93.184.216.34', family: 4 }],
        }),
      );
      assert.deepEqual([code, connects], ['network_error', ['public.example:443']]);
      await new Promise((resolve) => tunnel.close(resolve));
      await proxy.close();
    });
  });
});
