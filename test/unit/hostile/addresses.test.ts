import { strict as assert } from 'node:assert';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { isToolError } from '../../../src/core/vocabulary/errors';
import { exchange } from '../../../src/core/net/exchange';
import { judgeAddress, judgeHost } from '../../../src/core/hosts/address';
import { canonicalHost, hostTexts } from '../../../src/core/hosts/canonicalHost';
import type { HttpClient } from '../../../src/core/ports/http';
import { guardedFetch } from '../../../src/mcp/client/guardedFetch';
import { postgresQuery } from '../../../src/node/databases/postgres';
import { createHttpClient } from '../../../src/node/http/client';
import type { Network } from '../../../src/node/http/outgoing';
import type { Resolver } from '../../../src/node/http/resolve';
import { createMailClient } from '../../../src/node/mail/smtpClient';
import { runs } from '../../support/counts';

/** Spellings of a host, with the one form in which it is compared. `undefined`: no URL can carry it. */
const spellings: readonly (readonly [string, string | undefined])[] = [
  ['evil.example', 'evil.example'],
  ['EVIL.Example', 'evil.example'],
  ['evil.example.', 'evil.example'],
  ['evil.example..', 'evil.example'],
  ['evil.example。', 'evil.example'],
  ['evil．example', 'evil.example'],
  ['evil｡example', 'evil.example'],
  ['ｅｖｉｌ.example', 'evil.example'],
  ['e%76il.example', 'evil.example'],
  ['evil%2eexample', 'evil.example'],
  ['evil%2Eexample%2e', 'evil.example'],
  ['so\u00adft.example', 'soft.example'],
  ['evil.ex\tam\nple', 'evil.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['XN--Bcher-KVA.example', 'xn--bcher-kva.example'],
  ['faß.example', 'xn--fa-hia.example'],
  ['127.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['127.0.0.1..', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['①②⑦.⓪.⓪.①', '127.0.0.1'],
  ['１２７。０。０。１', '127.0.0.1'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['[::ffff:8.8.8.8]', '8.8.8.8'],
  ['::ffff:808:808', '8.8.8.8'],
  ['[0:0:0:0:0:0:0:1]', '::1'],
  ['::1', '::1'],
  ['::1%lo', '::1'],
  ['[fe80::1%25eth0]', 'fe80::1'],
  ['', undefined],
  ['.', undefined],
  ['a b', undefined],
  ['a/b', undefined],
  ['a\\b', undefined],
  ['user@evil.example', undefined],
  ['evil.example:80', undefined],
  ['256.256.256.256', undefined],
  ['1.2.3.4.5', undefined],
  ['[::1', undefined],
  ['[::ffff:0177.0.0.1]', undefined],
  ['xn--a', undefined],
  ['%00', undefined],
];

/** Addresses that lead to 169.254.169.254 through a gateway, or are it. */
const metadata = [
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::a9fe:a9fe]',
  '[::ffff:0:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:a9fe:a9fe::1]',
  '[2001:0:808:808:0:0:5601:5601]',
  '[fe80::5efe:a9fe:a9fe]',
  '[2606:4700::200:5efe:a9fe:a9fe]',
  '[fd00:ec2::254]',
  '[fd00:0ec2:0::0254]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '169.254.170.2',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'rancher-metadata',
  'metadata。google。internal',
];

describe('hosts in hostile spellings', () => {
  for (const [text, wanted] of spellings)
    it(`S1.policy: ${JSON.stringify(text)} means ${wanted ?? 'no host'}`, () => {
      assert.equal(hostTexts(text)[0], wanted);
    });

  for (const host of metadata)
    it(`S1.policy: ${host} is known as a cloud's metadata service`, () => {
      const { verdict } = judgeHost(host);
      assert.deepEqual([verdict.public, !verdict.public && verdict.metadata], [false, true]);
    });

  for (const host of [
    'localhost',
    'LocalHost.',
    'a.b.localhost',
    'localhost。',
    'ip6-localhost',
    'host.docker.internal',
    'kubernetes.docker.internal',
    'host.containers.internal',
    'Host.Lima.Internal.',
    'ip6-allnodes',
    'loopback',
    'localhost%2e',
  ])
    it(`S1.policy: ${host} is known as a name of this machine`, () => {
      assert.equal(judgeHost(host).verdict.public, false);
    });

  it('S1.policy: means one host, and the same after it was read again', () => {
    fc.assert(
      fc.property(fc.domain(), fc.array(fc.constantFrom('.', '。', '%2e'), { maxLength: 3 }), (domain, dots) => {
        const host = canonicalHost(domain.toUpperCase() + dots.join(''));
        if (host.type !== 'name') return;
        assert.deepEqual(canonicalHost(host.name), host);
        assert.equal(new URL(`http://${domain}/`).hostname, host.name);
      }),
      { numRuns: runs(20, 2500, 5000) },
    );
  });

  it('S1.policy: an IPv4 address inside an IPv6 one never makes it public where it would not be by itself', () => {
    const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
        const plain = judgeAddress(`${a}.${b}.${c}.${d}`);
        const [one, two] = [hex(a, b), hex(c, d)];
        const forms = [
          `::ffff:${one}:${two}`,
          `::${one}:${two}`,
          `::ffff:0:${one}:${two}`,
          `64:ff9b::${one}:${two}`,
          `64:ff9b:1::${one}:${two}`,
          `2002:${one}:${two}::`,
          `2001:0:${one}:${two}::`,
          `2606:4700::5efe:${one}:${two}`,
        ];
        if (!plain.public)
          assert.deepEqual(
            forms.filter((form) => judgeAddress(form).public),
            [],
          );
        if (!plain.public && plain.metadata)
          assert.deepEqual(
            forms.filter((form) => {
              const verdict = judgeAddress(form);
              return verdict.public || !verdict.metadata;
            }),
            [],
          );
      }),
      { numRuns: runs(38, 5000, 20_000) },
    );
  });
});

describe('everything that leaves the machine goes one way', () => {
  /** A name that leads where it should not, first or at a second look. */
  const resolving = (...answers: readonly (readonly string[])[]): Resolver => {
    let looks = 0;
    return async () =>
      (answers[Math.min(looks++, answers.length - 1)] ?? []).map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
  };
  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'passed',
      (error: unknown) => (isToolError(error) ? error.data.code : String(error)),
    );
  const network = (resolver: Resolver, allowed: readonly string[] = []): Network => ({
    allowedPrivateHosts: () => allowed,
    resolver,
  });
  const ways: Readonly<Record<string, (host: string, way: Network) => Promise<unknown>>> = {
    'a request of a tool': (host, way) =>
      createHttpClient(way).send({
        url: `http://${host}/`,
        method: 'GET',
        firstByteTimeoutMs: 1000,
        bodyTimeoutMs: 1000,
        maxBytes: 10,
      }),
    'an MCP server and its sign-in': async (host, way) =>
      guardedFetch(createHttpClient(way))(`http://${host}/mcp`, { method: 'POST', body: '{}' }),
    'a mail server': (host, way) =>
      createMailClient(way).send(
        { host, port: 25, secure: false, requireTls: false },
        { from: 'a@example.com', to: ['b@example.com'], subject: 's', text: 't' },
        new AbortController().signal,
      ),
    'a database': (host, way) =>
      postgresQuery(
        { type: 'postgres', name: 'x', url: `postgres://user@${host}/x` },
        {
          sql: 'select 1',
          params: [],
          write: false,
          maxRows: 1,
          timeoutMs: 1000,
          signal: new AbortController().signal,
        },
        way,
      ),
  };

  for (const [what, go] of Object.entries(ways)) {
    for (const address of [
      '169.254.169.254',
      '100.100.100.200',
      'fd00:ec2::254',
      '64:ff9b::a9fe:a9fe',
      '168.63.129.16',
    ])
      it(`S1.policy: ${what} is not led to the metadata service at ${address} by a name that the user allows to be private`, async () => {
        assert.equal(
          await codeOf(go('intranet.example', network(resolving([address]), ['intranet.example']))),
          'address_refused',
        );
      });

    for (const addresses of [
      ['127.0.0.1'],
      ['::1'],
      ['10.0.0.1'],
      ['93.184.216.34', '192.168.1.1'],
      ['::ffff:127.0.0.1'],
      ['0.0.0.0'],
      ['fe80::1'],
    ])
      it(`S1.policy: ${what} is not led to ${addresses.join(' and ')} by a name`, async () => {
        assert.equal(await codeOf(go('public.example', network(resolving(addresses)))), 'address_refused');
      });
  }

  it('S1.policy: an MCP server is reached at the address that was judged, on every request, and no redirect is followed', async () => {
    const server = createServer((incoming, response) => {
      response.statusCode = incoming.url === '/redirect' ? 302 : 200;
      response.setHeader('location', 'http://169.254.169.254/');
      response.end('answer');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const host = `intranet.example:${port}`;
    // The second answer would lead elsewhere; one request takes one answer only, and the next one is judged anew.
    const fetch = guardedFetch(createHttpClient(network(resolving(['127.0.0.1'], ['169.254.169.254']), [host])));
    const first = await fetch(`http://${host}/redirect`);
    assert.deepEqual([first.status, await first.text()], [302, 'answer']);
    assert.equal(await codeOf(fetch(`http://${host}/`)), 'address_refused');
    await new Promise((resolve) => server.close(resolve));
  });

  it('S1.policy: an MCP server goes through the proxy that every request goes through, after its address was judged', async () => {
    const seen: string[] = [];
    const proxy = createServer((incoming, response) => {
      seen.push(incoming.url ?? '');
      response.end('proxied');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const through = (resolver: Resolver): Network => ({
      ...network(resolver),
      proxyFor: () => new URL(`http://127.0.0.1:${port}`),
    });
    const answer = await guardedFetch(createHttpClient(through(resolving(['93.184.216.34']))))(
      'http://public.example/mcp',
    );
    assert.equal(await answer.text(), 'proxied');
    assert.equal(
      await codeOf(guardedFetch(createHttpClient(through(resolving(['10.0.0.1']))))('http://public.example/mcp')),
      'address_refused',
    );
    assert.deepEqual(seen, ['http://public.example/mcp']);
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('S1.policy: a redirect of a tool that only reads is judged at each hop, whatever it leads to', async () => {
    const spellings = [
      'http://127.0.0.1/',
      '//127.0.0.1/',
      'http:127.0.0.1',
      '\\\\127.0.0.1\\',
      'http://0x7f.1/',
      'http://127。0。0。1/',
    ];
    spellings.push(
      'http://[::1]/',
      'http://[::ffff:7f00:1]/',
      'http://localhost./',
      'http://169.254.169.254/',
      'http://metadata.google.internal/',
    );
    for (const location of spellings) {
      const sent: string[] = [];
      const http: HttpClient = {
        async send(request) {
          sent.push(request.url);
          if (sent.length === 1)
            return { url: request.url, status: 302, headers: { location }, body: new Uint8Array() };
          return createHttpClient(network(resolving(['93.184.216.34']))).send(request);
        },
      };
      const hop = exchange(
        { url: 'https://public.example/', method: 'GET', headers: {}, maxBytes: 10, timeoutMs: 1000 },
        {
          send: (request) => http.send(request),
          signal: new AbortController().signal,
          access: async () => ({ allowed: true }),
        },
      );
      assert.equal(await codeOf(hop), 'address_refused', location);
    }
  });
});
