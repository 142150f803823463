import { strict as assert } from 'node:assert';
import path from 'node:path';
import { builtinCapabilities } from '../../../src/capabilities/index';
import { main } from '../../../src/cli/main';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { until } from '../../support/mcp/harness';
import { itSays, seedJson, seedLines } from '../../support/seeds';

const token = 'a'.repeat(64);
const apiToken = 'b'.repeat(64);

/** `serve --http` with the API, over a folder of state. */
async function serving(state: string) {
  const { folder, dispose } = temporaryWorkspace({ token, 'api-token': apiToken });
  const stop = new AbortController();
  const told: string[] = [];
  const files = ['--token-file', path.join(folder, 'token'), '--api-token-file', path.join(folder, 'api-token')];
  const ended = main(['serve', '--workspace', folder, '--http', '0', ...files, '--state-dir', state, '--yes'], {
    out() {},
    error: (line) => told.push(line),
    environment: { PATH: process.env['PATH'] },
    signal: stop.signal,
  });
  const listening = () => told.flatMap((line) => /^listening on (.*)\/mcp$/.exec(line)?.[1] ?? [])[0];
  await until(() => listening() !== undefined);
  return {
    async api(method: string, at: string, body?: unknown, bearer = apiToken) {
      const response = await fetch(`${listening()}${at}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer: any = await response.json();
      return { status: response.status, headers: response.headers, body: answer };
    },
    async close() {
      stop.abort();
      await ended;
      dispose();
    },
  };
}

const before = (line: number, mark: RegExp): string | undefined =>
  seedLines(3)
    .slice(line - 1)
    .map((one) => mark.exec(one)?.[1])
    .find((one) => one !== undefined);

describe('the ids of the capabilities specification', () => {
  itSays(3, 71, 'S1.descriptor S3.model: each of them names a capability', () => {
    const ids = seedLines(3)
      .slice(70, 79)
      .map((line) => /"(\w+)"/.exec(line)?.[1] ?? line);
    const known = new Set(builtinCapabilities.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
    assert.equal(ids.length, 9);
    assert.deepEqual(
      ids.filter((id) => !known.has(id)),
      [],
    );
  });
});

describe('the actions of the capabilities layer', () => {
  for (const [line, name, tool] of [
    [39, 'http-get', 'http_get'],
    [42, 'db-query', 'db_query'],
    [46, 'file-read', 'read_file'],
    [49, 'email-send', 'send_email'],
  ] as const)
    itSays(0, line, `S1.descriptor: \`${name}\` is the tool ${tool}, and takes what the document names`, () => {
      const text = seedLines(0)[line - 1] ?? '';
      assert.ok(text.includes(`id: '${name}'`));
      const tools = builtinCapabilities.flatMap((one) => one.tools);
      const found = tools.find(({ definition }) => definition.aliases?.includes(name))?.definition;
      assert.equal(found?.name, tool);
      const required = /required: \[([^\]]*)\]/.exec(text.slice(text.indexOf(`id: '${name}'`)))?.[1] ?? '';
      for (const one of required.split(',').map((word) => word.trim().replace(/'/g, '')))
        assert.ok(Object.hasOwn(found?.inputSchema.properties ?? {}, one), one);
    });
});

describe('the endpoints of the capabilities specification', () => {
  let state: ReturnType<typeof temporaryWorkspace>;
  beforeEach(() => (state = temporaryWorkspace()));
  afterEach(() => state.dispose());

  itSays(3, 399, 'S3.api: the capabilities are listed with the fields of the document', async () => {
    const server = await serving(state.folder);
    const said = seedJson(3, 402);
    const { body } = await server.api('GET', before(399, /^GET (\S+)/) ?? '');
    assert.deepEqual(Object.keys(body), Object.keys(said));
    assert.equal(body.total, body.items.length);
    assert.ok(body.total >= said.total);
    for (const item of said.items) {
      const one = await server.api('GET', `/v1/capabilities/${item.id}`);
      assert.equal(one.status, 200, item.id);
      for (const key of Object.keys(item)) assert.equal(typeof one.body[key], 'string', `${item.id}: ${key}`);
      assert.equal(one.body.category, item.category);
    }
    await server.close();
  });

  itSays(3, 444, 'S3.api: an agent is made and changed as written, and outlives the command', async () => {
    const first = await serving(state.folder);
    const made = await first.api('POST', before(444, /^POST (\S+)/) ?? '', seedJson(3, 447));
    assert.equal(made.status, 201);
    const { id, ...rest } = made.body;
    assert.deepEqual(rest, { ...seedJson(3, 447), status: 'active', mode: 'execute' });
    const patch = seedJson(3, 470);
    const changed = await first.api('PATCH', `/v1/agents/${id}`, patch);
    assert.deepEqual([changed.status, changed.body.capabilities], [200, patch.capabilities]);
    await first.close();
    const second = await serving(state.folder);
    assert.deepEqual((await second.api('GET', `/v1/agents/${id}`)).body, changed.body);
    await second.close();
    const { folder, dispose } = temporaryWorkspace();
    const listed = await runCli([
      'list',
      '--json',
      '--profile',
      id,
      '--state-dir',
      state.folder,
      '--workspace',
      folder,
    ]);
    dispose();
    assert.equal(listed.json().profile, id);
  });

  itSays(3, 388, 'S3.api: whoever has no token is told so in the form of HTTP', async () => {
    const server = await serving(state.folder);
    const { status, headers, body } = await server.api('GET', '/v1/capabilities', undefined, 'wrong');
    assert.equal(status, 401);
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="agent-capabilities", error="invalid_token"');
    assert.deepEqual(body, { error: { code: 'unauthorized', message: 'a valid token is needed' } });
    await server.close();
  });
});
