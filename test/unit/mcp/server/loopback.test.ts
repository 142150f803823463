// @tier full: starts servers by the dozen
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { gateway, scripted, until } from '../../../support/mcp/harness';
import { apiToken, ping, raw, type Started, started, token } from '../../../support/mcp/loopback';

describe('the loopback server', () => {
  let s: Started;
  const auth = { authorization: `Bearer ${token}` };
  const own = () => `127.0.0.1:${s.server.port}`;

  describe('headers', () => {
    beforeEach(async () => {
      s = await started();
    });
    afterEach(() => s.close());

    const doors = {
      '/mcp': { method: 'POST', path: '/mcp', auth },
      '/v1': { method: 'GET', path: '/v1/capabilities', auth: { authorization: `Bearer ${apiToken}` } },
    };
    for (const [door, { auth: own, ...request }] of Object.entries(doors))
      it(`serves its own hosts and origins and refuses all others, in 40 combinations (${door})`, async () => {
        const { port } = s.server;
        const statusOf = async (headers: Record<string, string | undefined>): Promise<number> =>
          (
            await raw(port, {
              ...request,
              headers: { ...own, ...headers },
              ...(request.method === 'GET' ? { body: '' } : {}),
            })
          ).status;
        const hosts: [string | undefined, number][] = [
          [`127.0.0.1:${port}`, 200],
          [`localhost:${port}`, 200],
          [`LOCALHOST:${port}`, 200],
          [`[::1]:${port}`, 200],
          [undefined, 400],
          ['127.0.0.1', 403],
          [`127.0.0.1:${port + 1}`, 403],
          [`evil.com:${port}`, 403],
          ['evil.com', 403],
          [`localhost.evil.com:${port}`, 403],
          [`127.0.0.1.nip.io:${port}`, 403],
          [`0.0.0.0:${port}`, 403],
          [`127.0.0.2:${port}`, 403],
          [`localhost.:${port}`, 403],
          [`user@127.0.0.1:${port}`, 403],
          [`127.0.0.1:${port}, evil.com`, 403],
          ['null', 403],
          [`2130706433:${port}`, 403],
          [`0x7f000001:${port}`, 403],
          [`[::ffff:127.0.0.1]:${port}`, 403],
        ];
        const origins: [string | undefined, number][] = [
          [undefined, 200],
          [`http://127.0.0.1:${port}`, 200],
          [`http://localhost:${port}`, 200],
          [`HTTP://LOCALHOST:${port}`, 200],
          [`http://[::1]:${port}`, 200],
          ['null', 403],
          ['', 403],
          ['http://localhost', 403],
          [`http://localhost:${port + 1}`, 403],
          [`https://localhost:${port}`, 403],
          [`http://localhost.evil.com:${port}`, 403],
          [`http://127.0.0.1.nip.io:${port}`, 403],
          ['http://evil.com', 403],
          [`http://evil.com:${port}`, 403],
          ['vscode-webview://abc', 403],
          ['file://', 403],
          ['chrome-extension://abc', 403],
          [`http://localhost:${port}.evil.com`, 403],
          [`http://localhost:${port}/`, 403],
          [`http://user@localhost:${port}`, 403],
        ];
        const got: unknown[] = [];
        const wanted: unknown[] = [];
        for (const [host, status] of hosts) {
          wanted.push([host, status]);
          got.push([host, await statusOf({ host })]);
        }
        for (const [origin, status] of origins) {
          wanted.push([origin, status]);
          got.push([origin, await statusOf({ host: `127.0.0.1:${port}`, origin })]);
        }
        assert.equal(got.length, 40);
        assert.deepEqual(got, wanted);
      });

    it('answers 401 to every wrong token, whatever its shape, and never reads the body before', async () => {
      const wrong = [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`,
        `Basic ${token}`,
        token,
        `Bearer ${apiToken}`,
        `Bearer ${token} ${token}`,
        `bearer\t${token}`,
        `Bearer ${'a'.repeat(10_000)}`,
      ];
      for (const authorization of wrong) {
        const answer = await raw(s.server.port, { headers: { host: own(), authorization }, body: 'no JSON' });
        assert.deepEqual(
          [authorization?.slice(0, 80), answer.status, answer.headers['www-authenticate']],
          [
            authorization?.slice(0, 80),
            401,
            `Bearer realm="agent-capabilities"${authorization === undefined ? '' : ', error="invalid_token"'}`,
          ],
        );
      }
      assert.equal(
        (await raw(s.server.port, { path: `/mcp?token=${token}`, headers: { host: own() } })).status,
        401,
        'a token in the address does not count',
      );
      assert.equal(
        (await raw(s.server.port, { headers: { host: own(), authorization: `bearer ${token}` } })).status,
        200,
      );
    });

    it('bounds bodies, depth, types, paths and methods', async () => {
      const { port } = s.server;
      const send = async (options: Parameters<typeof raw>[1]) =>
        (await raw(port, { ...options, headers: { host: own(), ...auth, ...options.headers } })).status;
      assert.equal(await send({ body: '{' }), 400);
      assert.equal(await send({ body: `${'['.repeat(65)}${']'.repeat(65)}` }), 400);
      assert.equal(await send({ headers: { 'content-type': 'text/plain' } }), 415);
      assert.equal(await send({ headers: { 'content-type': undefined } }), 415);
      assert.equal(await send({ path: '/' }), 404);
      assert.equal(await send({ path: '/mcp/../v1/agents', method: 'GET' }), 404);
      assert.equal(await send({ method: 'PUT' }), 405);
      assert.equal(await send({ method: 'OPTIONS' }), 405);
      const large = await send({ body: JSON.stringify({ ...ping, extra: 'x'.repeat(4 * 1024 * 1024) }) }).catch(
        (error: NodeJS.ErrnoException) => error.code,
      );
      assert.ok(large === 413 || large === 'ECONNRESET' || large === 'EPIPE', String(large));
      assert.equal(
        await send({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }),
        400,
        'no session',
      );
      assert.equal(await send({ headers: { 'mcp-session-id': 'made-up' } }), 404);
    });

    it('closes connections that send their headers slowly, while others are served', async function () {
      this.timeout(20_000);
      const { port } = s.server;
      const since = Date.now();
      const slow = Array.from({ length: 20 }, () => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.resume();
        socket.write('POST /mcp HTTP/1.1\r\n');
        const timer = setInterval(() => socket.write('x: y\r\n'), 200);
        socket.on('close', () => clearInterval(timer));
        return new Promise<number>((resolve) => socket.on('close', () => resolve(Date.now() - since)));
      });
      assert.equal((await raw(port, { headers: { host: own(), ...auth } })).status, 200);
      const times = await Promise.all(slow);
      assert.ok(Math.max(...times) < 12_000, times.join());
    });
  });

  for (const pace of ['one byte at a time', 'not at all'])
    it(`answers 408 to bodies that come ${pace}, at both doors and to as many as are served at once, and serves others again`, async () => {
      s = await started({ bodyTimeoutMs: 1000 });
      try {
        const { port } = s.server;
        // As many as may be under way: if they were held for ever, nobody else would be served again.
        const slow = Array.from({ length: 128 }, (_, index) => {
          const [path, bearer] = index % 2 === 0 ? ['/mcp', token] : ['/v1/agents', apiToken];
          const socket = connect(port, '127.0.0.1');
          let text = '';
          socket.on('error', () => undefined);
          socket.on('data', (data) => (text += String(data)));
          socket.write(
            `POST ${path} HTTP/1.1\r\nhost: ${own()}\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
          );
          const timer = pace === 'not at all' ? undefined : setInterval(() => socket.write(' '), 100);
          return new Promise<string>((resolve) =>
            socket.on('close', () => {
              clearInterval(timer);
              resolve(text);
            }),
          );
        });
        const answers = await Promise.all(slow);
        assert.deepEqual([...new Set(answers.map((text) => text.split('\r\n')[0]))], ['HTTP/1.1 408 Request Timeout']);
        assert.match(answers[0] ?? '', /the body must arrive within 1 s/);
        assert.equal((await raw(port, { headers: { host: own(), ...auth } })).status, 200);
        assert.deepEqual(s.errors, []);
      } finally {
        await s.close();
      }
    });

  for (const modern of [false, true])
    it(`serves 32 clients at once without cross-talk (${modern ? '2026-07-28' : '2025-11-25'})`, async function () {
      this.timeout(60_000);
      s = await started({ servers: { s: scripted() }, set: { 'policy.preset': 'open', limits: {} } });
      await s.core.servers.list.discover();
      try {
        const clients = await Promise.all(Array.from({ length: 32 }, () => s.client(modern)));
        const answers = await Promise.all(
          clients.flatMap((client, index) =>
            [0, 1, 2].map(async (round) => {
              const result: any = await client.callTool({ name: 'add', arguments: { a: index * 1000, b: round } });
              return [index * 1000 + round, result.content[0].text];
            }),
          ),
        );
        for (const [sum, text] of answers) assert.match(text, new RegExp(`\\b${sum}\\b`));
        await Promise.all(clients.map((client) => client.close()));
      } finally {
        await s.close();
      }
    });

  it('tells clients of both versions when the list changed, and lists run-time tools beside the built-in ones', async () => {
    s = await started({ servers: { s: scripted() } });
    try {
      let heard = 0;
      const legacy = await s.client();
      legacy.setNotificationHandler('notifications/tools/list_changed', () => {
        heard++;
      });
      const modern = await s.client(true);
      let heardModern = 0;
      modern.setNotificationHandler('notifications/tools/list_changed', () => {
        heardModern++;
      });
      await modern.listen({ toolsListChanged: true });
      const before = (await legacy.listTools()).tools.length;
      await s.core.servers.list.discover();
      await until(() => heard > 0 && heardModern > 0);
      assert.equal((await legacy.listTools()).tools.length, before + 1);
      assert.equal((await modern.listTools()).tools.length, before + 1);
      s.core.tools.profiles.activate('readOnly');
      await until(() => heard > 1);
      assert.ok(!(await legacy.listTools()).tools.some((tool) => tool.name === 'write_file' || tool.name === 's_echo'));
      await Promise.all([legacy.close(), modern.close()]);
    } finally {
      await s.close();
    }
  });

  it("gives agent mode's model what a server embeds as text, because an address would not reach it here", async () => {
    const tools = [{ name: 'embedded', inputSchema: { type: 'object' } }];
    s = await started({ servers: { s: scripted({ tools }) }, set: { 'policy.preset': 'open' } });
    try {
      await s.core.servers.list.discover();
      const client = await s.client();
      const { content }: any = await client.callTool({ name: 's_embedded', arguments: {} });
      assert.deepEqual(
        content.map((block: any) => block.type),
        ['text', 'audio'],
      );
      assert.match(content[0].text, /"note:\/\/two".*"bytes":4.*"note:\/\/three".*\nsee:\n# One/s);
      await client.close();
    } finally {
      await s.close();
    }
  });

  for (const modern of [false, true])
    it(`lists the prompts of the servers that are on, and waits for one that keeps silent no longer than it may (${modern ? '2026-07-28' : '2025-11-25'})`, async () => {
      const notes = await gateway();
      const startedFile = path.join(notes.folder, 'started');
      s = await started({
        listWaitMs: 1500,
        servers: {
          good: scripted({ prompts: ['greet'] }),
          silent: scripted({ prompts: 'hang' }),
          off: scripted({ prompts: ['never'], started: startedFile }),
        },
        set: { profiles: { one: { capabilities: ['mcp_good', 'mcp_silent'] } }, activeProfile: 'one' },
      });
      try {
        await s.core.servers.list.discover();
        await s.core.servers.list.stop('off');
        const starts = readFileSync(startedFile, 'utf8');
        const client = await s.client(modern);
        const { prompts } = await client.listPrompts();
        assert.deepEqual(
          prompts.map(({ name }) => name),
          ['greet'],
        );
        // What sleeps is shown as it was, and stays asleep; what is off is not asked.
        await s.core.servers.list.stop('good');
        const again = await client.listPrompts();
        assert.deepEqual(
          again.prompts.map(({ name }) => name),
          ['greet'],
        );
        assert.equal(s.state('good'), 'stopped');
        assert.equal(readFileSync(startedFile, 'utf8'), starts);
        await client.close();
      } finally {
        await s.close();
        await notes.close();
      }
    });

  it('refuses a client without the token with the status that clients understand', async () => {
    s = await started();
    try {
      await assert.rejects(s.client(false, 'wrong'), /a valid token is needed/);
    } finally {
      await s.close();
    }
  });
});
