import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { apiToken, ping, raw, type Started, started, token } from '../../support/mcp/loopback';
import { skipBecause } from '../../support/skip';

/**
 * Sends bytes as they are and answers what came back until the connection ended, or for as long as nothing more is
 * said.
 */
function exchange(port: number, bytes: string | Buffer, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('connect', () => socket.end(bytes));
  });
}

const statusesOf = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

/** A call as clients send it. */
const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'write_file', arguments: { path: 'reached.txt', content: 'x' } },
});

describe('S1.router S3.api: attacks on serve --http', () => {
  let s: Started;
  let reached = 0;
  before(async () => {
    s = await started();
    const { router } = s.core.gate;
    const invoke = router.invoke.bind(router);
    router.invoke = (...args) => {
      reached++;
      return invoke(...args);
    };
  });
  after(() => s.close());

  const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
  const own = (): string => `host: 127.0.0.1:${s.server.port}`;
  const auth = `authorization: Bearer ${token}`;
  const json = 'content-type: application/json';
  const smuggled = (): string =>
    head(['POST /mcp HTTP/1.1', own(), auth, json, `content-length: ${call.length}`]) + call;

  /** What is sent, and the statuses that may be answered; nothing of it may reach a tool. */
  const attacks = (): Readonly<Record<string, readonly [bytes: string | Buffer, allowed: readonly number[]]>> => ({
    'no token': [head(['POST /mcp HTTP/1.1', own(), json, `content-length: ${call.length}`]) + call, [401]],
    'a token in the address': [
      head([`POST /mcp?token=${token} HTTP/1.1`, own(), json, `content-length: ${call.length}`]) + call,
      [401],
    ],
    'a token in a cookie': [
      head(['POST /mcp HTTP/1.1', own(), json, `cookie: token=${token}`, `content-length: ${call.length}`]) + call,
      [401],
    ],
    'two tokens, one right': [
      head(['POST /mcp HTTP/1.1', own(), auth, 'authorization: Bearer x', json, `content-length: ${call.length}`]) +
        call,
      [401],
    ],
    'the token of the other door': [
      head(['POST /mcp HTTP/1.1', own(), `authorization: Bearer ${apiToken}`, json, `content-length: ${call.length}`]) +
        call,
      [401],
    ],
    'two hosts': [
      head(['POST /mcp HTTP/1.1', own(), 'host: evil.example', auth, json, `content-length: ${call.length}`]) + call,
      [400],
    ],
    'a host that was made to point here': [
      head([
        'POST /mcp HTTP/1.1',
        `host: evil.example:${s.server.port}`,
        auth,
        json,
        `content-length: ${call.length}`,
      ]) + call,
      [403],
    ],
    'an address as target, with another host': [
      head([`POST http://evil.example/mcp HTTP/1.1`, own(), auth, json, `content-length: ${call.length}`]) + call,
      [404],
    ],
    'a page of another origin': [
      head([
        'POST /mcp HTTP/1.1',
        own(),
        'origin: https://evil.example',
        auth,
        json,
        `content-length: ${call.length}`,
      ]) + call,
      [403],
    ],
    'the question of a page beforehand': [
      head(['OPTIONS /mcp HTTP/1.1', own(), 'origin: https://evil.example', 'access-control-request-method: POST']),
      [403],
    ],
    'a form of a page': [
      head(['POST /mcp HTTP/1.1', own(), auth, 'content-type: text/plain', `content-length: ${call.length}`]) + call,
      [415],
    ],
    'both lengths, a request behind': [
      head(['POST /mcp HTTP/1.1', own(), auth, json, 'content-length: 4', 'transfer-encoding: chunked']) +
        `0\r\n\r\n${smuggled()}`,
      [400],
    ],
    'two lengths that differ': [
      head(['POST /mcp HTTP/1.1', own(), auth, json, 'content-length: 5', 'content-length: 6']) + call,
      [400],
    ],
    'a length that is no number': [head(['POST /mcp HTTP/1.1', own(), auth, json, 'content-length: +5']) + call, [400]],
    'an encoding that is not there': [
      head(['POST /mcp HTTP/1.1', own(), auth, json, 'transfer-encoding: xchunked']) + `0\r\n\r\n${smuggled()}`,
      [400, 501],
    ],
    'a chunk whose length is wrong': [
      head(['POST /mcp HTTP/1.1', own(), auth, json, 'transfer-encoding: chunked']) + `ffffffffffffffffff\r\n${call}`,
      [400],
    ],
    'a header in the name of another': [
      head(['POST /mcp HTTP/1.1', `${own()}\r x-a: b`, auth, json, 'content-length: 0']),
      [400],
    ],
    'a blank before the colon': [
      head(['POST /mcp HTTP/1.1', own(), `authorization : Bearer ${token}`, json, 'content-length: 0']),
      [400],
    ],
    'a header over two lines': [
      head(['POST /mcp HTTP/1.1', own(), 'authorization:', ` Bearer ${token}`, json, 'content-length: 2']) + '{}',
      [400, 401, 404],
    ],
    'headers without end': [head(['POST /mcp HTTP/1.1', own(), `x: ${'y'.repeat(20_000)}`]), [400, 431]],
    'an older protocol without a host': [
      head(['POST /mcp HTTP/1.0', auth, json, `content-length: ${call.length}`]) + call,
      [400],
    ],
    'another protocol': [Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'), [400]],
    'a tunnel': [head(['CONNECT 127.0.0.1:80 HTTP/1.1', own(), auth]), []],
    'a change of protocol': [
      head(['GET /mcp HTTP/1.1', own(), auth, 'connection: upgrade', 'upgrade: websocket']),
      [400, 404, 405, 406],
    ],
    'a path that climbs': [
      head(['POST /v1/../mcp HTTP/1.1', own(), auth, json, `content-length: ${call.length}`]) + call,
      [401],
    ],
    'a path in escapes': [
      head(['POST /%6dcp HTTP/1.1', own(), auth, json, `content-length: ${call.length}`]) + call,
      [404],
    ],
    'a path with two slashes': [
      head(['POST //mcp HTTP/1.1', own(), auth, json, `content-length: ${call.length}`]) + call,
      [404],
    ],
    'a call without a session': [smuggled(), [400]],
    'a call in a guessed session': [
      head([
        'POST /mcp HTTP/1.1',
        own(),
        auth,
        json,
        'mcp-session-id: 00000000-0000-4000-8000-000000000000',
        `content-length: ${call.length}`,
      ]) + call,
      [404],
    ],
    'several calls in one': [
      head(['POST /mcp HTTP/1.1', own(), auth, json, `content-length: ${call.length * 2 + 3}`]) + `[${call},${call}]`,
      [400],
    ],
  });

  for (const title of Object.keys(
    // Titles need no server.
    (() => {
      s = { server: { port: 0 } } as unknown as Started;
      return attacks();
    })(),
  ))
    it(`S1.router: ${title}: is refused and reaches no tool`, async () => {
      const [bytes, allowed] = attacks()[title] ?? ['', []];
      const answer = await exchange(s.server.port, bytes);
      const statuses = statusesOf(answer);
      // One answer at most: what stands behind a refused request is not read as another one.
      assert.ok(statuses.length <= 1, answer.slice(0, 500));
      for (const status of statuses) assert.ok(allowed.includes(status), `${status}: ${answer.slice(0, 300)}`);
      if (allowed.length > 0) assert.equal(statuses.length, 1, 'no answer');
      assert.ok(!answer.includes(token) && !/access-control-allow/i.test(answer), answer.slice(0, 500));
      assert.equal(reached, 0);
    });

  it('S1.router: a client that keeps to the rules does reach one, so that the table shows something', async () => {
    const other = await started();
    let calls = 0;
    const { router } = other.core.gate;
    const invoke = router.invoke.bind(router);
    router.invoke = (...args) => {
      calls++;
      return invoke(...args);
    };
    const client = await other.client();
    await client.callTool({ name: 'write_file', arguments: { path: 'reached.txt', content: 'x' } });
    await client.close();
    await other.close();
    assert.equal(calls, 1);
  });

  it('S1.router: listens on loopback alone', async function () {
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one !== undefined && !one.internal && one.family === 'IPv4');
    if (others.length === 0) skipBecause(this, 'needs a network address beside loopback');
    for (const one of others)
      assert.equal(await exchange(s.server.port, head(['GET / HTTP/1.1', own()]), one?.address), '');
  });
});

describe('S1.router: clients of serve --http that mean no good', () => {
  let s: Started;
  beforeEach(async () => {
    s = await started();
  });
  afterEach(() => s.close());

  it('S1.router: a session belongs to who has its id, and its id cannot be guessed from others', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 8; count++) {
      const answer = await raw(s.server.port, {
        headers: { host: `127.0.0.1:${s.server.port}`, authorization: `Bearer ${token}` },
      });
      const id = String(answer.headers['mcp-session-id'] ?? '');
      assert.match(id, /^[\w-]{21,}$/);
      ids.add(id);
    }
    assert.equal(ids.size, 8);
    const [first = ''] = ids;
    for (const wrong of [
      first.slice(0, -1),
      `${first}x`,
      first.toUpperCase() === first ? first.toLowerCase() : first.toUpperCase(),
      '',
    ])
      assert.notEqual(
        (
          await raw(s.server.port, {
            headers: { host: `127.0.0.1:${s.server.port}`, authorization: `Bearer ${token}`, 'mcp-session-id': wrong },
            body: call,
          })
        ).status,
        200,
        wrong,
      );
  });

  it('S1.router: a flood of clients ends nobody’s service', async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        raw(s.server.port, {
          headers: {
            host: `127.0.0.1:${s.server.port}`,
            authorization: index % 2 === 0 ? `Bearer ${token}` : `Bearer ${randomBytes(32).toString('hex')}`,
          },
          body: JSON.stringify(ping),
        }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    assert.deepEqual(
      [...new Set(answers)].filter((status) => ![200, 401, 503, 0, 429].includes(status)),
      [],
    );
    const after = await raw(s.server.port, {
      headers: { host: `127.0.0.1:${s.server.port}`, authorization: `Bearer ${token}` },
    });
    assert.ok([200, 503].includes(after.status), String(after.status));
    assert.deepEqual(s.errors, []);
  });
});
