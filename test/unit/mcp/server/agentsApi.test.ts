import { strict as assert } from 'node:assert';
import { apiToken, raw, type Started, started, token } from '../../../support/mcp/loopback';

describe("the agents' API on the loopback server", () => {
  let s: Started;
  const api = async (method: string, path: string, body?: unknown, bearer = apiToken) =>
    raw(s.server.port, {
      method,
      path,
      headers: { host: `127.0.0.1:${s.server.port}`, authorization: `Bearer ${bearer}` },
      body: body === undefined ? '' : JSON.stringify(body),
    });
  beforeEach(async () => {
    s = await started();
  });
  afterEach(() => s.close());

  it('S3.api: lists capabilities and answers one by id or alias', async () => {
    const list = await api('GET', '/v1/capabilities');
    assert.equal(list.status, 200);
    assert.equal(list.body.total, list.body.items.length);
    const time = list.body.items.find((one: any) => one.id === 'current_time');
    assert.deepEqual(Object.keys(time), ['id', 'name', 'description', 'status', 'icon', 'category']);
    const one = await api('GET', '/v1/capabilities/session_file_system');
    assert.deepEqual(
      [one.status, one.body.id, one.body.tools.some((tool: any) => tool.name === 'read_file')],
      [200, 'file_system', true],
    );
    assert.deepEqual(
      [(await api('GET', '/v1/capabilities/file_sistem')).status, (await api('GET', '/v1/nothing')).status],
      [404, 404],
    );
    for (const [method, path, allow] of [
      ['DELETE', '/v1/capabilities', 'GET, HEAD'],
      ['PUT', '/v1/capabilities/math', 'GET, HEAD'],
      ['PATCH', '/v1/agents', 'GET, HEAD, POST'],
      ['DELETE', '/v1/agents/default', 'GET, HEAD, PATCH'],
    ] as const) {
      const wrong = await api(method, path);
      assert.deepEqual([wrong.status, wrong.headers['allow']], [405, allow], `${method} ${path}`);
    }
    // Whatever its body is: it is not the body that is wrong.
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': undefined }, {}]) {
      const send = async (method: string, path: string) =>
        raw(s.server.port, {
          method,
          path,
          headers: { host: `127.0.0.1:${s.server.port}`, authorization: `Bearer ${apiToken}`, ...headers },
          body: '{',
        });
      const wrong = await send('POST', '/v1/capabilities');
      assert.deepEqual([wrong.status, wrong.body.error.code], [405, 'unsupported']);
      assert.equal((await send('PATCH', '/v1/agents')).status, 405);
      assert.equal((await send('POST', '/v1/agents/default')).status, 405);
      assert.equal((await send('POST', '/v1/nothing')).status, 404);
    }
  });

  it('S3.api: answers HEAD as GET without its body', async () => {
    const ask = async (method: string, path: string, bearer = apiToken) =>
      fetch(`http://127.0.0.1:${s.server.port}${path}`, { method, headers: { authorization: `Bearer ${bearer}` } });
    for (const path of [
      '/v1/capabilities',
      '/v1/capabilities/math',
      '/v1/agents',
      '/v1/agents/default',
      '/v1/agents/nobody',
      '/v1/nothing',
    ]) {
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
      const told = ({ status, headers }: Response) => [
        status,
        headers.get('content-type'),
        headers.get('content-length'),
        headers.get('allow'),
      ];
      assert.deepEqual(told(head), told(get), path);
      assert.equal(Number(head.headers.get('content-length')), (await get.arrayBuffer()).byteLength, path);
      assert.equal(await head.text(), '', path);
    }
    assert.equal((await ask('HEAD', '/v1/capabilities', 'another')).status, 401);
  });

  it('S3.api: creates, reads and changes agents, which are profiles', async () => {
    const made = await api('POST', '/v1/agents', {
      name: 'Research Assistant',
      system_prompt: 'You are a helpful research assistant.',
      capabilities: ['current_time', 'test_math'],
    });
    assert.equal(made.headers['location'], `/v1/agents/${made.body.id}`);
    assert.deepEqual(
      [made.status, made.body],
      [
        201,
        {
          id: 'research-assistant',
          name: 'Research Assistant',
          system_prompt: 'You are a helpful research assistant.',
          capabilities: ['current_time', 'test_math'],
          mode: 'execute',
          status: 'active',
        },
      ],
    );
    const changed = await api('PATCH', '/v1/agents/research-assistant', {
      capabilities: ['current_time', 'web_fetch', 'session_file_system'],
    });
    assert.deepEqual(
      [changed.status, changed.body.capabilities],
      [200, ['current_time', 'web_fetch', 'session_file_system']],
    );
    assert.deepEqual((await api('GET', '/v1/agents/research-assistant')).body, changed.body);
    assert.equal(s.core.tools.profiles.resolve('research-assistant')?.tools[0]?.definition.name, 'get_current_time');
    assert.ok((await api('GET', '/v1/agents')).body.items.some((one: any) => one.id === 'research-assistant'));
    const second = await api('POST', '/v1/agents', { name: 'Research Assistant' });
    assert.notEqual(second.body.id, 'research-assistant');
  });

  it('asks the person before an agent may do more, and keeps everything as it was where the answer is no', async () => {
    await api('POST', '/v1/agents', { name: 'Small', capabilities: ['math'] });
    const asked = s.widenings.length;
    s.refuse();
    const refused = await api('PATCH', '/v1/agents/small', { capabilities: ['math', 'file_system'] });
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'declined']);
    assert.ok(s.widenings[asked]?.added.includes('write_file'));
    assert.deepEqual((await api('GET', '/v1/agents/small')).body.capabilities, ['math']);
    assert.equal((await api('PATCH', '/v1/agents/small', { capabilities: [] })).status, 200, 'less needs no question');
  });

  it('names the fault of a body, and takes no other token', async () => {
    const fault = async (body: unknown) => {
      const answer = await api('POST', '/v1/agents', body);
      return [answer.status, answer.body.error.message];
    };
    assert.deepEqual(await fault({}), [400, '/name must be a non-empty string']);
    assert.deepEqual(await fault({ name: 7 }), [400, '/name must be string (got number)']);
    assert.deepEqual(await fault({ name: 'x', tools: [] }), [400, '/tools is not a known property']);
    assert.deepEqual(await fault([]), [400, 'the body must be an object (got array)']);
    assert.match(
      String((await fault({ name: 'x', capabilities: ['maths'] }))[1]),
      /`maths` is not a capability; did you mean `math`/,
    );
    assert.match(String((await fault({ name: 'x', capabilities: ['math', 'test_math'] }))[1]), /names `math` twice/);
    assert.equal((await api('GET', '/v1/agents', undefined, token)).status, 401);
    assert.equal((await api('GET', '/v1/agents/none')).status, 404);
  });
});
