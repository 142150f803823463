import { strict as assert } from 'node:assert';
import { http } from '../../../../src/capabilities/http/http';
import { createHttpClient } from '../../../../src/node/http/client';
import { type CallOptions, callTool } from '../../../support/toolContext';
import { type LoopbackServer, realClock, startServer } from '../../../support/web';

describe('the http capability', () => {
  let server: LoopbackServer;
  let bodies: string[] = [];
  before(async () => {
    server = await startServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        bodies.push(body);
        const url = new URL(request.url ?? '', 'http://x');
        if (url.pathname === '/json')
          response.setHeader('content-type', 'application/json').end('{"a":[1,null],"__proto__":{"x":1}}');
        else if (url.pathname === '/as-it-is') response.end(decodeURIComponent(url.search.slice(1)));
        else if (url.pathname === '/bad-json') response.setHeader('content-type', 'application/json').end('{"a":');
        else if (url.pathname === '/text')
          response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0xe9]));
        else if (url.pathname === '/moved') response.writeHead(302, { location: '/json' }).end();
        else if (url.pathname === '/loop') response.writeHead(302, { location: '/loop' }).end();
        else if (url.pathname === '/slow') setTimeout(() => response.end('late'), 2000);
        else if (url.pathname === '/big') response.end('x'.repeat(3_000_000));
        else
          response
            .writeHead(404, { 'content-type': 'application/json', 'x-method': request.method })
            .end('{"error":"none"}');
      });
    });
  });
  after(() => server.close());
  beforeEach(() => (bodies = []));

  const call = async (tool: string, input: unknown, more: CallOptions = {}): Promise<any> => {
    const result = await callTool(http, tool, input, {
      clock: realClock,
      http: createHttpClient({ allowedPrivateHosts: () => ['127.0.0.1'] }),
      ...more,
    });
    return result.ok ? { ...(result.outcome.payload as object), accesses: result.accesses } : result.error.code;
  };

  it('S0.http-get: answers status, headers and a body that is parsed where it is JSON', async () => {
    const answer = await call('http_get', { url: `${server.url}/json`, headers: { 'x-a': 'b' }, timeout: 5000 });
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.body, answer.accesses],
      [
        200,
        'application/json',
        { a: [1, null] },
        [{ effect: 'network.http', resource: `${server.url}/json`, method: 'GET' }],
      ],
    );
    assert.equal(server.requests.at(-1)?.headers['x-a'], 'b');
    assert.equal((await call('http_get', { url: `${server.url}/bad-json` })).body, '{"a":');
    assert.equal((await call('http_get', { url: `${server.url}/text` })).body, 'é');
    assert.deepEqual(
      (({ status, body }) => ({ status, body }))(await call('http_get', { url: `${server.url}/none` })),
      {
        status: 404,
        body: { error: 'none' },
      },
    );
  });

  it('keeps the text of a body whose numbers would become others', async () => {
    const bodyOf = async (json: string): Promise<unknown> =>
      (await call('http_get', { url: `${server.url}/as-it-is?${encodeURIComponent(json)}` })).body;
    for (const json of ['{"id":12345678901234567890}', '[1e400]', '[-0.12345678901234567890]', '[1e-400]'])
      assert.equal(await bodyOf(json), json);
    for (const json of ['{"id":"12345678901234567890\\""}', '[1.50,-0.5,1e2,1E+21,0.00001,0,100,9007199254740991]'])
      assert.deepEqual(await bodyOf(json), JSON.parse(json));
  });

  it('follows redirects through the gate, and stops where policy says no', async () => {
    const asked: string[] = [];
    const access: CallOptions['access'] = async (one) => {
      asked.push(one.resource);
      return { allowed: true };
    };
    assert.equal(
      (await call('http_get', { url: `${server.url}/moved` }, { access })).redirected_to,
      `${server.url}/json`,
    );
    assert.deepEqual(asked, [`${server.url}/json`]);
    assert.equal(
      await call(
        'http_get',
        { url: `${server.url}/moved` },
        { access: async () => ({ allowed: false, reason: 'no' }) },
      ),
      'permission_denied',
    );
    assert.equal(await call('http_get', { url: `${server.url}/loop` }), 'too_many_redirects');
  });

  it('answers with a typed error for what cannot be sent', async () => {
    assert.deepEqual(
      [
        await call('http_get', { url: `${server.url}/slow`, timeout: 200 }),
        await call('http_get', { url: 'ftp://127.0.0.1/' }),
        await call('http_get', { url: 'http://a:b@127.0.0.1/' }),
        await call('http_get', { url: `${server.url}/`, headers: { a: 'b\r\nc: d' } }),
        await call('http_get', { url: `${server.url}/`, headers: { 'a b': 'c' } }),
        await call('http_get', { url: `${server.url}/`, headers: { Host: 'x' } }),
        await call('http_get', { url: 'http://127.0.0.2:1/' }),
        await call('http_request', { url: `${server.url}/`, method: 'GET', body: 'x' }),
        await call('http_request', { url: `${server.url}/`, method: 'TRACE' }),
      ],
      [
        'timeout',
        'invalid_url',
        'invalid_url',
        'invalid_input',
        'invalid_input',
        'invalid_input',
        'address_refused',
        'invalid_input',
        'invalid_input',
      ],
    );
    const big = await call('http_get', { url: `${server.url}/big` });
    assert.deepEqual([big.truncated, big.body.length], [true, 2_000_000]);
  });

  it('sends a method and a body, objects as JSON and texts as they are', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await call('http_request', { url: `${server.url}/x`, method, body: { a: 'é' } });
      assert.deepEqual(
        [answer.status, answer.headers['x-method'], server.requests.at(-1)?.headers['content-type']],
        [404, method, 'application/json'],
      );
    }
    await call('http_request', {
      url: `${server.url}/x`,
      method: 'POST',
      body: 'plain',
      headers: { 'content-type': 'text/csv' },
    });
    assert.deepEqual(
      [bodies.at(0), bodies.at(-1), server.requests.at(-1)?.headers['content-type']],
      ['{"a":"é"}', 'plain', 'text/csv'],
    );
    assert.equal((await call('http_request', { url: `${server.url}/json`, method: 'HEAD' })).body, null);
  });
});
