import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import type { AuditBody } from '../../../src/core/audit/record';
import { type LoopbackServer, startServer } from '../../support/web';

describe('the command line: what may pass is tried again', () => {
  let server: LoopbackServer;
  let left: { faults: number; status: number; headers: Record<string, string> };
  before(async () => {
    server = await startServer((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      if (left.faults-- <= 0) return void response.setHeader('content-type', 'application/json').end('{"ok":true}');
      if (left.status === 0) return void response.destroy();
      response.writeHead(left.status, left.headers).end();
    });
  });
  after(() => server.close());
  const fail = (faults: number, status = 0, headers: Record<string, string> = {}): void => {
    left = { faults, status, headers };
    server.requests.length = 0;
  };
  const hits = (): number => server.requests.filter((request) => request.path !== '/robots.txt').length;

  const run = async (tool: string, input: object, files: Record<string, string> = {}) => {
    const { folder, dispose } = temporaryWorkspace(files);
    const settings = ['--set', 'agentCapabilities.network.allowedPrivateHosts=["127.0.0.1"]'];
    const profile =
      'agentCapabilities.profiles={"all":{"capabilities":["http","web_fetch","probe"],"scopes":["http:read","http:write"]}}';
    const common = ['--workspace', folder, '--audit-dir', `${folder}/audit`, ...settings, '--set', profile];
    const result = await runCli(['call', tool, JSON.stringify(input), ...common, '--profile', 'all', '--yes']);
    const audit = (await runCli(['audit', 'query', `${folder}/audit`, '--json'])).json();
    dispose();
    return { ...result, retries: audit.records.flatMap((one: Pick<AuditBody, 'retries'>) => one.retries ?? []) };
  };

  it('S0.errors: two resets, 503 and a Retry-After are waited out by every tool that only reads, and recorded', async () => {
    const definition = {
      id: 'probe',
      name: 'Probe',
      tools: [
        {
          name: 'probe_get',
          description: 'Reads the state.',
          handler: { type: 'http', url: `${server.url}/state` },
        },
      ],
    };
    const files = { '.vscode/capabilities/probe.capability.json': JSON.stringify(definition) };
    for (const tool of ['http_get', 'web_fetch', 'probe_get']) {
      fail(2);
      const url = `${server.url}/state`;
      const input = { http_get: { url }, web_fetch: { url, method: 'HEAD' }, probe_get: {} }[tool] ?? {};
      const result = await run(tool, input, files);
      assert.equal(result.code, 0, `${tool}: ${result.text}${result.errors}`);
      assert.equal(hits(), 3, tool);
      assert.equal(result.retries.length, 2, tool);
      for (const { cause, waited_ms: waited } of result.retries)
        assert.ok(cause === 'ECONNRESET' && Number.isInteger(waited) && waited > 0, `${cause} ${waited}`);
    }
    for (const status of [502, 503, 504]) {
      fail(1, status);
      assert.equal((await run('http_get', { url: `${server.url}/` })).json().payload.status, 200);
    }
    fail(1, 429, { 'retry-after': '1' });
    const started = Date.now();
    assert.equal((await run('http_get', { url: `${server.url}/` })).json().payload.status, 200);
    assert.ok(Date.now() - started >= 1000);
  });

  it('S0.errors: what stays, what writes and what would take longer than the call are not tried again', async () => {
    for (const status of [400, 404, 500]) {
      fail(3, status);
      assert.equal((await run('http_get', { url: `${server.url}/` })).json().payload.status, status);
      assert.equal(hits(), 1, String(status));
    }
    // A definition's tool fails by the status, and promises nothing that is not tried here either.
    const definition = {
      id: 'probe',
      name: 'Once',
      tools: [{ name: 'probe_get', description: 'Reads.', handler: { type: 'http', url: `${server.url}/` } }],
    };
    const files = { '.vscode/capabilities/probe.capability.json': JSON.stringify(definition) };
    for (const [status, retryable, tried] of [
      [500, false, 1],
      [503, true, 3],
    ] as const) {
      fail(9, status);
      const { error } = (await run('probe_get', {}, files)).json();
      assert.deepEqual([error.code, error.retryable, hits()], ['network_error', retryable, tried], String(status));
    }
    fail(3);
    const written = await run('http_request', { url: `${server.url}/`, method: 'POST', body: 'x' });
    assert.deepEqual([written.json().error.code, hits()], ['network_error', 1]);
    fail(3, 503, { 'retry-after': '60' });
    const patient = await run('http_get', { url: `${server.url}/`, timeout: 2000 });
    assert.deepEqual([patient.json().payload.status, hits()], [503, 1]);
  });
});
