import { strict as assert } from 'node:assert';
import path from 'node:path';
import { builtinCapabilities } from '../../../src/capabilities/index';
import { main } from '../../../src/cli/main';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { gateway, until } from '../../support/mcp/harness';
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

const firstAfter = (line: number, mark: RegExp): string | undefined =>
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
    const { body } = await server.api('GET', firstAfter(399, /^GET (\S+)/) ?? '');
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
    const made = await first.api('POST', firstAfter(444, /^POST (\S+)/) ?? '', seedJson(3, 447));
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

  itSays(
    3,
    105,
    'S3.model: what the trait of the document asks of a capability is listed, and its defaults hold',
    async () => {
      const lines = seedLines(3).slice(105, 114);
      const functions = lines.flatMap((line) => /^ {4}fn (\w+)\(&self\)/.exec(line)?.[1] ?? []);
      const needed = lines.flatMap((line) => /^ {4}fn (\w+)\(&self\).*;$/.exec(line)?.[1] ?? []);
      assert.deepEqual([functions.length, needed.length], [8, 4]);
      const server = await serving(state.folder);
      const { body } = await server.api('GET', '/v1/capabilities/math');
      await server.close();
      const named: Readonly<Record<string, string>> = { system_prompt_addition: 'system_prompt' };
      for (const one of functions) assert.ok((named[one] ?? one) in body, one);
      const least = Object.fromEntries(needed.map((one) => [one, one === 'status' ? 'available' : `my ${one}`]));
      const { folder, dispose } = temporaryWorkspace({
        '.vscode/capabilities/least.capability.json': JSON.stringify({ ...least, id: 'least' }),
      });
      const listed = (await runCli(['list', '--json', '--yes', '--workspace', folder])).json();
      dispose();
      const { tools, icon, category, systemPrompt } = listed.capabilities.find((one: any) => one.id === 'least');
      assert.deepEqual([tools, icon, category, systemPrompt], [[], undefined, undefined, undefined]);
    },
  );

  itSays(
    3,
    487,
    'S3.profiles: an agent has a capability once, at its position, checked by the application',
    async () => {
      const table = seedLines(3).slice(486, 500).join('\n');
      assert.match(table, /UNIQUE\(agent_id, capability_id\)/);
      assert.match(table, /position INTEGER/);
      const server = await serving(state.folder);
      const make = async (...capabilities: string[]) =>
        server.api('POST', '/v1/agents', { name: 'a', system_prompt: '', capabilities });
      const ordered = await make('web_fetch', 'current_time', 'math');
      const again = await server.api('GET', `/v1/agents/${ordered.body.id}`);
      const twice = await make('math', 'test_math');
      const long = await make('m'.repeat(51));
      await server.close();
      assert.deepEqual(again.body.capabilities, ['web_fetch', 'current_time', 'math']);
      assert.deepEqual([twice.status, long.status], [400, 400]);
      assert.match(twice.body.error.message, /`math` twice/);
      assert.match(long.body.error.message, /is not a capability/);
    },
  );

  itSays(3, 388, 'S3.api: whoever has no token is told so in the form of HTTP', async () => {
    const server = await serving(state.folder);
    const { status, headers, body } = await server.api('GET', '/v1/capabilities', undefined, 'wrong');
    assert.equal(status, 401);
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="agent-capabilities", error="invalid_token"');
    assert.deepEqual(body, { error: { code: 'unauthorized', message: 'a valid token is needed' } });
    await server.close();
  });
});

/** What the document says after a mark within the lines of one tool. */
const toolLines = (line: number): readonly string[] => {
  const rest = seedLines(3).slice(line);
  const end = rest.findIndex((one) => /^ {2}- `|^- \*\*/.test(one));
  return rest.slice(0, end);
};

const parametersOf = (line: number): readonly string[] =>
  toolLines(line).flatMap((one) => /^ {6}- `(\w+)`: (?:string|boolean|enum|array)/.exec(one)?.[1] ?? []);

const returnsOf = (line: number): readonly string[] => {
  const [, names = ''] =
    toolLines(line)
      .map((one) => /Returns: Object containing (\w.*)$/.exec(one))
      .find(Boolean) ?? [];
  return names.split(', ').map((one) => one.split(' ')[0] ?? '');
};

describe('the tools of the capabilities specification', () => {
  let world: Awaited<ReturnType<typeof gateway>>;
  beforeEach(async () => {
    world = await gateway({
      files: { 'docs/readme.txt': 'hello\n' },
      set: {
        profiles: { p: { capabilities: ['session_file_system', 'current_time', 'test_math', 'stateless_todo_list'] } },
        activeProfile: 'p',
      },
    });
  });
  afterEach(() => world.close());
  const call = async (tool: string, input: object): Promise<any> => {
    const result: any = await world.call(tool, input);
    assert.equal(result.success, true, JSON.stringify(result));
    return result.payload;
  };

  for (const [line, tool, input] of [
    [190, 'read_file', { path: '/docs/readme.txt' }],
    [195, 'write_file', { path: '/a/b/c.txt', content: 'aGk=', encoding: 'base64' }],
    [202, 'list_directory', { path: '/' }],
    [207, 'grep_files', { pattern: 'hel+o', path_pattern: '*.txt' }],
    [219, 'stat_file', { path: '/docs/readme.txt' }],
    [213, 'delete_file', { path: '/docs', recursive: true }],
  ] as const)
    itSays(3, line, `S3.file-system: ${tool} takes what the document names and answers it`, async () => {
      assert.ok(seedLines(3)[line - 1]?.includes(`\`${tool}\``));
      const names = parametersOf(line);
      assert.deepEqual([...names].sort(), Object.keys(input).sort());
      const payload = await call(tool, input);
      const returns = returnsOf(line);
      assert.ok(returns.length >= 2);
      for (const name of returns) {
        const found = Object.keys(payload).some(
          (key) => key === name || (name === 'timestamps' && key.endsWith('_at')),
        );
        assert.ok(found, `${name} in ${JSON.stringify(payload)}`);
      }
    });

  itSays(3, 135, 'S3.current-time: the time in each zone and format', async () => {
    const lines = toolLines(135).join('\n');
    const zones = [...lines.matchAll(/"([\w/]+)"/g)].map(([, one]) => one);
    const formats = /enum \(([\w, ]+)\)/.exec(lines)?.[1]?.split(', ') ?? [];
    assert.deepEqual([zones.length, formats.length], [2, 3]);
    for (const timezone of zones)
      for (const format of formats)
        assert.ok(JSON.stringify(await call('get_current_time', { timezone, format })).length > 2);
  });

  itSays(3, 145, 'S3.math: the prompt is that of the document, and each operation answers', async () => {
    const [, prompt] = /"(.*)"$/.exec(seedLines(3)[144] ?? '') ?? [];
    const math = builtinCapabilities.find(({ id }) => id === 'math');
    assert.equal(math?.systemPrompt, prompt);
    const operations = seedLines(3)
      .slice(146, 150)
      .flatMap((line) => /`(\w+)`/.exec(line)?.[1] ?? []);
    const results = [];
    for (const one of operations) results.push((await call(one, { a: 6, b: 3 })).result);
    assert.deepEqual(results, [9, 3, 18, 2]);
  });

  itSays(3, 158, 'S3.weather S3.research S3.sandbox: their prompts are those of the document', () => {
    const prompts = [158, 169, 178].map((line) => /"(.*)"$/.exec(seedLines(3)[line - 1] ?? '')?.[1]);
    assert.deepEqual(
      ['weather', 'research', 'sandbox'].map((id) => builtinCapabilities.find((one) => one.id === id)?.systemPrompt),
      prompts,
    );
  });

  itSays(3, 304, 'S3.todo: its tasks are counted and warned about, and come back whole', async () => {
    const task = (line: number): readonly string[] =>
      [...(seedLines(3)[line - 1] ?? '').matchAll(/"([^"]+)"/g)].map(([, one = '']) => one);
    const [contents, forms] = [task(304), task(305)];
    const todos = contents.map((content, index) => ({ content, activeForm: forms[index], status: 'pending' }));
    assert.equal(todos.length, 2);
    const { success, counts, warnings, ...answer } = await call('write_todos', { todos });
    assert.deepEqual([success, counts.total, counts.pending], [true, 2, 2]);
    assert.match(warnings.join(), /no task is in_progress/);
    assert.deepEqual(
      answer.todos.map((one: any) => ({ content: one.content, activeForm: one.activeForm, status: one.status })),
      todos,
    );
    const both = todos.map((one) => ({ ...one, status: 'in_progress' }));
    assert.match((await call('write_todos', { todos: both })).warnings.join(), /in_progress/);
  });

  itSays(3, 94, 'S3.model: the states of the document are read as it writes them, and list shows them', async () => {
    const words = seedLines(3)
      .slice(94, 97)
      .flatMap((line) => /^ {4}(\w+), /.exec(line)?.[1] ?? []);
    const files = words.map((status, at) => [
      `.vscode/capabilities/cap${at}.capability.json`,
      JSON.stringify({ id: `cap${at}`, name: 'Cap', status, tools: [], ...(at === 2 ? { replacement: 'cap0' } : {}) }),
    ]);
    const { folder, dispose } = temporaryWorkspace(Object.fromEntries(files));
    const listed = (await runCli(['list', '--json', '--yes', '--workspace', folder])).json();
    const text = (await runCli(['list', '--yes', '--workspace', folder])).text;
    dispose();
    const found = listed.capabilities.filter(({ id }: { id: string }) => /^cap\d/.test(id));
    assert.deepEqual(
      found.map((one: any) => [one.id, one.status, one.enabled]),
      [
        ['cap0', 'available', true],
        ['cap1', 'coming_soon', false],
        ['cap2', 'deprecated', true],
      ],
    );
    assert.match(text, /\[ \] cap1 {2}Cap \(coming soon\): \n\[x\] cap2 {2}Cap \(deprecated, use cap0\)/);
  });

  itSays(3, 520, 'S3.custom: the new capability of the document loads, without a tool', async () => {
    const code = seedLines(3).slice(519, 530).join('\n');
    const of = (name: string): string => new RegExp(`fn ${name}\\(.*\\{ "([^"]+)" \\}`).exec(code)?.[1] ?? '';
    const definition = { id: of('id'), name: of('name'), description: of('description'), tools: [] };
    const { folder, dispose } = temporaryWorkspace({
      [`.vscode/capabilities/${definition.id}.capability.json`]: JSON.stringify(definition),
    });
    const listed = (await runCli(['list', '--json', '--yes', '--workspace', folder])).json();
    dispose();
    const { id, name, description, tools, status } = listed.capabilities.find(
      (one: { id: string }) => one.id === definition.id,
    );
    assert.deepEqual({ id, name, description, tools }, definition);
    assert.equal(status, 'available');
  });

  itSays(
    3,
    533,
    'S3.custom: the registry has the built-in capabilities and takes another one beside them',
    async () => {
      const code = seedLines(3).slice(532, 543).join('\n');
      assert.match(code, /fn with_builtins\(\)[^}]*registry\.register\(MyNewCapability\)/);
      const definition = { id: 'my_new_capability', name: 'My New Capability', description: 'x', tools: [] };
      const { folder, dispose } = temporaryWorkspace({
        '.vscode/capabilities/my_new_capability.capability.json': JSON.stringify(definition),
      });
      const listed = (await runCli(['list', '--json', '--yes', '--workspace', folder])).json();
      dispose();
      const ids = listed.capabilities.map((one: { id: string }) => one.id);
      for (const { id } of builtinCapabilities) assert.ok(ids.includes(id), id);
      assert.ok(ids.includes(definition.id));
    },
  );
});
