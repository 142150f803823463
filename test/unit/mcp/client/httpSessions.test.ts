import { strict as assert } from 'node:assert';
import { gateway, outcome, scriptedUser } from '../../../support/mcp/harness';
import { httpServer } from '../../../support/mcp/httpServer';

describe('a session with an MCP server over HTTP', () => {
  let server: Awaited<ReturnType<typeof httpServer>>;
  let g: Awaited<ReturnType<typeof gateway>>;
  const open = async (more: object = {}): Promise<void> => {
    server = await httpServer();
    g = await gateway({
      servers: { web: { ...server.entry, ...more } },
      set: { 'network.allowedPrivateHosts': ['127.0.0.1'] },
      serverUser: scriptedUser().user,
    });
    await g.core.servers.list.discover();
    assert.equal(g.state('web'), 'running');
  };
  afterEach(async () => {
    await g.close();
    await server.close();
  });
  const times = (method: string): number => server.heard.filter((one) => one === method).length;

  it('is opened anew where the server knows it no more, and the call that found out is made in the new one', async () => {
    await open({ protocol: '2025-11-25' });
    server.sessions.clear();
    assert.equal(outcome(await g.call('web_greet')), 'hello');
    assert.deepEqual([times('initialize'), server.sessions.size, g.state('web')], [2, 1, 'running']);
    assert.equal(outcome(await g.call('web_greet')), 'hello');
    assert.equal(times('initialize'), 2);
  });

  it('that is over for one call brings another the answer that is under way', async () => {
    await open({ protocol: '2025-11-25' });
    let calls = 0;
    let bring = (): void => undefined;
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((done) => (isAsked = done));
    server.at.behave = ({ id, method }, response) => {
      if (method !== 'tools/call' || ++calls > 2) return false;
      if (calls === 2) response.writeHead(404).end();
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': soon\n\n');
        const result = { content: [{ type: 'text', text: 'slow' }] };
        bring = () => response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
        isAsked();
      }
      return true;
    };
    const slow = g.call('web_greet');
    await asked;
    assert.equal(outcome(await g.call('web_greet')), 'hello');
    bring();
    assert.equal(outcome(await slow), 'slow');
    assert.equal(times('initialize'), 2);
  });

  it('is opened no third time for one call where the server knows no session at all', async () => {
    await open({ protocol: '2025-11-25' });
    server.at.behave = ({ method }, response) => {
      if (method !== 'tools/call') return false;
      response.writeHead(404).end();
      return true;
    };
    assert.equal(outcome(await g.call('web_greet')), 'mcp_error');
    assert.equal(times('tools/call'), 2);
    server.at.behave = () => false;
    assert.equal(outcome(await g.call('web_greet')), 'hello');
  });

  it('is no session where the server forgets it at once, and the server has failed then', async () => {
    await open({ protocol: '2025-11-25' });
    server.at.behave = ({ method }, response) => {
      if (method !== 'tools/list') return false;
      response.writeHead(404).end();
      return true;
    };
    await g.core.servers.list.restart('web');
    assert.equal(g.state('web'), 'failed');
    assert.equal(times('tools/list'), 3);
  });

  it('waits no longer for an answer once the stream that was to bring it has ended', async () => {
    await open({ protocol: '2025-11-25', timeoutMs: 60_000 });
    server.at.behave = ({ method }, response) => {
      if (method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
      return true;
    };
    const result = await g.call('web_greet');
    assert.ok(!result.success);
    assert.deepEqual([result.error.code, result.error.retryable], ['mcp_error', true]);
    server.at.behave = () => false;
    assert.equal(outcome(await g.call('web_greet')), 'hello');
    assert.equal(times('initialize'), 1, 'one answer that is missing ends no session');
  });

  it('is of the newer protocol once the server speaks that alone, though it was found to speak the older', async () => {
    await open();
    assert.equal(g.core.servers.list.list()[0]?.protocol, '2025-11-25');
    await g.core.servers.list.stop('web');
    const answer = (result: object): string => JSON.stringify({ jsonrpc: '2.0', ...result });
    server.at.behave = ({ id, method }, response) => {
      const is = (status: number, text: string): true => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
        return true;
      };
      const meta = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      if (method === 'server/discover')
        return is(
          200,
          answer({
            id,
            result: {
              ...meta,
              supportedVersions: ['2026-07-28'],
              capabilities: { tools: {} },
              serverInfo: { name: 'http', version: '2' },
            },
          }),
        );
      if (method === 'tools/list')
        return is(
          200,
          answer({ id, result: { ...meta, tools: [{ name: 'greet', inputSchema: { type: 'object' } }] } }),
        );
      if (method === 'tools/call')
        return is(200, answer({ id, result: { ...meta, content: [{ type: 'text', text: 'hello again' }] } }));
      const error = { code: -32_022, message: 'unsupported protocol version', data: { supported: ['2026-07-28'] } };
      return is(400, answer({ id, error }));
    };
    await g.core.servers.list.start('web');
    assert.equal(outcome(await g.call('web_greet')), 'hello again');
    assert.equal(g.core.servers.list.list()[0]?.protocol, '2026-07-28');
  });
});
