// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { main } from '../../../../src/cli/main';
import { referenceServers } from '../../../support/mcp/referenceCalls';
import { runCli, temporaryWorkspace } from '../../../support/cli';
import { named, scripted, served, type ServedOptions, until } from '../../../support/mcp/harness';

const text = (result: any): string => result.content[0]?.text;
const allow = (decision: string) => () => ({ action: 'accept' as const, content: { decision } });

type Answer = ReturnType<NonNullable<ServedOptions['answer']>>;

describe('serve on stdio', () => {
  it('a line that is no JSON is answered with -32700, and the next one as if nothing had been', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const messages: any[] = [];
    const answers = createInterface({ input: stdout }).on('line', (line) => messages.push(JSON.parse(line)));
    const io = { out: () => undefined, error: () => undefined, environment: {}, stdin, stdout };
    const ended = main(['serve', '--workspace', folder], io);
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    for (const part of [
      '{"jsonrpc": "2.0", "id": 7',
      ',\n',
      '\n',
      'GET / HTTP/1.1\r\n',
      `${JSON.stringify(initialize)}\n`,
    ])
      stdin.write(part);
    await until(() => messages.some(({ id }) => id === 1));
    stdin.end();
    await ended;
    answers.close();
    dispose();
    const faults = messages.filter(({ error }) => error !== undefined);
    assert.deepEqual(
      faults.map(({ id, error }) => [id, error.code]),
      [
        [null, -32_700],
        [null, -32_700],
      ],
    );
  });

  it('a line that is JSON and no request is answered with -32600 and its id, and only once', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const messages: any[] = [];
    const told: string[] = [];
    const answers = createInterface({ input: stdout }).on('line', (line) => messages.push(JSON.parse(line)));
    const io = { out: () => undefined, error: (text: string) => told.push(text), environment: {}, stdin, stdout };
    const ended = main(['serve', '--workspace', folder], io);
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    for (const message of [
      { foo: 1 },
      [],
      5,
      null,
      { jsonrpc: '2.0', id: 3, method: 5 },
      { jsonrpc: '1.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 4, method: 'ping', params: [] },
      { jsonrpc: '2.0', id: 1.5, method: 'ping' },
      { jsonrpc: '2.0', id: 2 ** 60, method: 'ping' },
      { jsonrpc: '2.0', id: 5, method: 'ping', params: { _meta: { progressToken: {} } } },
      { jsonrpc: '2.0', id: 6, method: 'ping', params: { _meta: 5 } },
      { jsonrpc: '2.0', id: 7, method: 'initialize', params: { ...initialize, protocolVersion: 5 } },
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
      { jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'x', arguments: [] } },
      { jsonrpc: '2.0', id: 10, method: 'tools/list', params: { cursor: 5 } },
      // A request that nobody knows has an answer of its own.
      { jsonrpc: '2.0', id: 2, method: 'nope/nope' },
      { jsonrpc: '2.0', id: 9, method: 'ping' },
    ])
      stdin.write(`${JSON.stringify(message)}\n`);
    stdin.write('{"jsonrpc":"2.0","id":1e400,"method":"ping"}\n');
    await until(() => messages.some(({ id }) => id === 9) && messages.length >= 19);
    stdin.end();
    await ended;
    answers.close();
    dispose();
    const faults = messages.filter(({ error }) => error !== undefined).map(({ id, error }) => [id, error.code]);
    const invalid = [null, null, null, null, 3, 'a', null, 4, 1.5, 2 ** 60, null].map((id) => [id, -32_600]);
    const unfit = [5, 6, 7, 8, 10].map((id) => [id, -32_602]);
    const byId = (all: (readonly [unknown, number])[]) => all.map((one) => JSON.stringify(one)).sort();
    assert.deepEqual(byId(faults as [unknown, number][]), byId([...invalid, ...unfit, [2, -32_601]] as never));
    const wordsOf = (wanted: number): string => messages.find(({ id }) => id === wanted).error.message;
    assert.deepEqual([7, 8, 10].map(wordsOf), [
      '`params.protocolVersion` must be string (got number)',
      '`params.arguments` must be object (got array)',
      '`params.cursor` must be string (got number)',
    ]);
    assert.ok(!told.some((text) => text.includes('invalid_union')), told.join('\n'));
  });

  it('S1.router: a tool of a server that still starts is called before any list was asked for', async () => {
    const tools = named('look_up');
    const s = await served({
      servers: { s: scripted({ tools }) },
      args: ['--yes'],
      set: { profiles: { p: { capabilities: ['math', 'mcp_s'] } }, activeProfile: 'p' },
    });
    try {
      const result = await s.call('look_up', {});
      assert.notEqual(result.isError, true, text(result));
      assert.doesNotMatch(s.errors.join('\n'), /is not a capability/);
    } finally {
      assert.equal(await s.close(), 0);
    }
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`S1.router: lists what the profile offers and calls through the gate (${era})`, async () => {
      const s = await served({ era, files: { 'a.txt': 'hello', '.env': 'KEY=1' } });
      try {
        const { tools } = await s.client.listTools();
        const names = tools.map((tool) => tool.name);
        assert.ok(
          names.includes('read_file') && names.includes('add') && !names.includes('cap_read_file'),
          names.join(),
        );
        const read = tools.find((tool) => tool.name === 'read_file');
        assert.deepEqual(read?.annotations, {
          title: read?.title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        });
        assert.equal(tools.find((tool) => tool.name === 'delete_file')?.annotations?.readOnlyHint, false);
        assert.match(text(await s.call('read_file', { path: '/a.txt' })), /hello/);
        const denied = await s.call('read_file', { path: '/.env' });
        assert.equal(denied.isError, true);
        assert.doesNotMatch(JSON.stringify(denied._meta ?? {}), /error/, 'a client hands it to its model');
        assert.match(text(denied), /^denied by boundary "preset.secrets"/);
        const unknown = await s.call('read_fil', {});
        assert.match(text(unknown), /no tool is called `read_fil`.*read_file/);
        const invalid = await s.call('read_file', {});
        assert.match(text(invalid), /^input is not valid/);
      } finally {
        assert.equal(await s.close(), 0);
      }
    });

    it(`asks the client's user by elicitation and does what the answer says (${era})`, async () => {
      let decision = 'allow_once';
      const s = await served({ era, answer: () => allow(decision)() });
      try {
        assert.equal((await s.call('write_file', { path: '/a.txt', content: 'one' })).isError, undefined);
        assert.match(s.questions[0] ?? '', /^Allow "write_file" to create a.txt\?/);
        decision = 'deny';
        const denied = await s.call('write_file', { path: '/a.txt', content: 'two' });
        assert.match(text(denied), /^the user declined/);
        decision = 'allow_session';
        assert.equal((await s.call('write_file', { path: '/a.txt', content: 'three' })).isError, undefined);
        const asked = s.questions.length;
        assert.equal((await s.call('write_file', { path: '/a.txt', content: 'four' })).isError, undefined);
        assert.equal(s.questions.length, asked, 'allowed for the session');
        assert.match(text(await s.call('read_file', { path: '/a.txt' })), /four/);
      } finally {
        await s.close();
      }
    });

    it(`D.approval-binding: tells a client that answered for its user that nobody decided (${era})`, async () => {
      let answer: Answer = { action: 'cancel' };
      const s = await served({ era, answer: () => answer });
      const write = async (): Promise<string> => text(await s.call('write_file', { path: '/a.txt', content: 'one' }));
      try {
        assert.match(
          await write(),
          /needs a confirmation and is denied, because the client closed the question without an answer/,
        );
        answer = { action: 'decline' };
        assert.match(await write(), /^the user declined/);
        const contents: Record<string, string>[] = [
          {},
          { decision: 'yes' },
          { decision: 'allow_once', confirm: 'true' },
        ];
        for (const content of contents) {
          answer = { action: 'accept', content };
          assert.match(await write(), /something else than the choices it was given; nobody decided/);
        }
        assert.match(text(await s.call('read_file', { path: '/a.txt' })), /^nothing is at /);
      } finally {
        await s.close();
      }
    });

    it(`D.approval-binding: takes no yes and no refusal that came before a person can have read (${era})`, async () => {
      const answers: Answer[] = [allow('allow_once')(), allow('deny')(), { action: 'decline' as const }];
      const s = await served({ era, answer: () => answers.pop() ?? allow('allow_session')(), answersWithinMs: 499 });
      try {
        for (let i = 0; i < 4; i++) {
          const denied = await s.call('write_file', { path: '/a.txt', content: 'one' });
          assert.equal(denied.isError, true);
          assert.match(text(denied), /answered 499 ms after it was asked.*nobody decided/);
        }
      } finally {
        await s.close();
      }
    });

    it(`denies what needs a confirmation where the client cannot ask (${era})`, async () => {
      const s = await served({ era });
      try {
        const denied = await s.call('write_file', { path: '/a.txt', content: 'one' });
        assert.match(text(denied), /elicitation/);
      } finally {
        await s.close();
      }
    });

    it(`puts MCP servers behind the gate, with pictures, progress and their questions (${era})`, async () => {
      const tools = ['echo', 'picture', 'ask', 'progress'].map((name) => ({
        name,
        description: name,
        inputSchema: { type: 'object' },
      }));
      const s = await served({
        era,
        args: ['--yes'],
        servers: { s: scripted({ tools }) },
        answer: () => ({ action: 'accept', content: { name: 'Ada' } }),
      });
      try {
        const names = (await s.client.listTools()).tools.map((tool) => tool.name);
        assert.ok(names.includes('s_echo'), names.join());
        assert.equal(text(await s.call('s_echo', { text: 'hi' })), 'hi');
        assert.deepEqual((await s.call('s_picture')).content[1], {
          type: 'image',
          data: 'iVBORw0KGgo=',
          mimeType: 'image/png',
        });
        assert.match(text(await s.call('s_ask')), /Ada/);
        assert.deepEqual(s.questions, ['The MCP server "s" asks: your name?']);
        const heard: number[] = [];
        await s.client.callTool(
          { name: 's_progress', arguments: {} },
          { onprogress: (one) => heard.push(one.progress) },
        );
        await until(() => heard.length > 0);
      } finally {
        await s.close();
      }
    });
  }

  for (const era of ['legacy', 'modern'] as const)
    it(`hands cancellation, structured content, resources and a server's wish for a model through (${era})`, async () => {
      const output = { type: 'object', properties: { v: { type: 'number' } }, required: ['v'] };
      const tools = ['hang', 'structured', 'sample', 'echo', 'askTwice'].map((name) => ({
        name,
        description: name,
        inputSchema: { type: 'object' },
        ...(name === 'structured' ? { outputSchema: output } : {}),
      }));
      const s = await served({
        era,
        args: ['--yes'],
        servers: { s: scripted({ tools, resources: true }) },
        capabilities: { elicitation: {}, sampling: {} },
        answer: (message) => ({ action: 'accept', content: { name: message.includes('first') ? 'Ada' : 'Grace' } }),
        sample: 'a completion',
      });
      try {
        await s.client.listTools();
        const structured = await s.call('s_structured');
        assert.deepEqual(structured.structuredContent, { v: 1 });
        assert.match(text(await s.call('s_list_resources')), /note:\/\/one/);
        assert.equal(text(await s.call('s_read_resource', { uri: 'note://one' })), 'the content of note://one');
        assert.match(text(await s.call('s_sample')), /a completion/);
        // Two questions of one call at once reach the client both, and each answer finds its question.
        assert.equal(text(await s.call('s_askTwice')), 'Ada Grace');
        const stop = new AbortController();
        const hanging = s.client.callTool({ name: 's_hang', arguments: {} }, { signal: stop.signal });
        setTimeout(() => stop.abort('enough'), 50);
        await assert.rejects(hanging);
        assert.equal(text(await s.call('s_echo', { text: 'on' })), 'on');
      } finally {
        await s.close();
      }
    });

  for (const era of ['legacy', 'modern'] as const)
    it(`hands embedded resources, links, sounds and other bytes on as what they are, guarded like any text (${era})`, async () => {
      const tools = [{ name: 'embedded', inputSchema: { type: 'object' } }];
      const s = await served({ era, args: ['--yes'], servers: { s: scripted({ tools, resources: true, pdf: true }) } });
      try {
        await s.client.listTools();
        assert.deepEqual((await s.call('s_embedded')).content, [
          { type: 'text', text: 'see:' },
          // Invisible characters of a foreign text are shown, in an embedded one too.
          {
            type: 'resource',
            resource: { uri: 'note://⟨U+200B⟩one', mimeType: 'text/markdown', text: '# One⟨U+202E⟩' },
          },
          { type: 'audio', mimeType: 'audio/wav', data: 'UklG' },
          { type: 'resource', resource: { uri: 'note://two', mimeType: 'application/pdf', blob: 'JVBERg==' } },
          { type: 'resource_link', uri: 'note://three', name: 'three', mimeType: 'text/plain' },
          { type: 'text', text: '[warning: 1 invisible or control character made visible]' },
        ]);
        const read = await s.client.readResource({ uri: 'note://two.pdf' });
        assert.deepEqual(read.contents, [{ uri: 'note://two.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' }]);
      } finally {
        await s.close();
      }
    });

  for (const era of ['legacy', 'modern'] as const)
    it(`offers the resources and prompts of governed servers as such, each through the gate (${era})`, async () => {
      const broken = scripted({
        tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
        resources: true,
        prompts: 'broken',
      });
      const s = await served({ era, args: ['--yes'], servers: { everything: referenceServers.everything, broken } });
      try {
        const tools = (await s.client.listTools()).tools.map((tool) => tool.name);
        assert.ok(
          tools.includes('everything_list_resources') && !tools.includes('everything_list_prompts'),
          'prompts are for people',
        );
        const { prompts } = await s.client.listPrompts();
        const names = prompts.map((prompt) => prompt.name);
        assert.ok(names.includes('simple-prompt') && names.includes('args-prompt'), names.join());
        const args = prompts.find((prompt) => prompt.name === 'args-prompt')?.arguments;
        assert.deepEqual(
          args?.map(({ name, required }) => [name, required]),
          [
            ['city', true],
            ['state', false],
          ],
        );
        const filled = await s.client.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris' } });
        assert.match(JSON.stringify(filled.messages), /Paris/);
        const embedded = await s.client.getPrompt({
          name: 'resource-prompt',
          arguments: { resourceType: 'Text', resourceId: '1' },
        });
        assert.ok(embedded.messages.some(({ content }) => content.type === 'resource'));
        const suggested = await s.client.complete({
          ref: { type: 'ref/prompt', name: 'completable-prompt' },
          argument: { name: 'department', value: 'E' },
        });
        assert.deepEqual(suggested.completion.values, ['Engineering']);
        const { resources } = await s.client.listResources();
        assert.ok(
          resources.some(({ uri }) => uri === 'note://one'),
          'of both servers',
        );
        const read = await s.client.readResource({ uri: 'note://one' });
        assert.deepEqual(read.contents, [{ uri: 'note://one', text: 'the content of note://one' }]);
        const { resourceTemplates } = await s.client.listResourceTemplates();
        const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate.includes('text'))?.uriTemplate ?? '';
        const dynamic: any = await s.client.readResource({ uri: template.replace(/\{[^}]*\}/, '7') });
        assert.match(dynamic.contents[0].text, /7/);
        // Nothing is asked of a server that did not list it.
        await assert.rejects(s.client.readResource({ uri: 'note://two/../../etc' }), /not found/i);
        await assert.rejects(s.client.readResource({ uri: 'file:///etc/passwd' }), /not found/i);
        await assert.rejects(s.client.getPrompt({ name: 'no-such-prompt' }), /no prompt is called/);
        await assert.rejects(s.client.getPrompt({ name: 'args-prompt' }), /city/);
      } finally {
        await s.close();
      }
    });

  it('gives a server that wants a model a plain no where the client lends none', async () => {
    const tools = [{ name: 'sample', description: 'sample', inputSchema: { type: 'object' } }];
    const s = await served({ args: ['--yes'], servers: { s: scripted({ tools }) } });
    try {
      await s.client.listTools();
      assert.match(text(await s.call('s_sample')), /declined/);
    } finally {
      await s.close();
    }
  });

  it('asks the client to approve a new server, and offers its tools once that is done', async () => {
    const s = await served({ servers: { s: scripted() }, answer: allow('approve') });
    try {
      await until(() => s.questions.length > 0);
      assert.match(s.questions[0] ?? '', /^The MCP server "s" offers 1 tool:\necho \(medium risk\)/);
      let names: string[] = [];
      for (let tries = 0; tries < 50 && !names.includes('s_echo'); tries++) {
        names = (await s.client.listTools()).tools.map((tool) => tool.name);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.ok(names.includes('s_echo'), names.join());
    } finally {
      await s.close();
    }
  });

  it('tells the client when the list of tools changed', async () => {
    let changes = 0;
    const tools = ['echo', 'change'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
    const s = await served({ args: ['--yes'], servers: { s: scripted({ tools }) }, onListChanged: () => changes++ });
    try {
      await s.client.listTools();
      const before = changes;
      await s.call('s_change', { tools: JSON.stringify(tools.slice(1)) });
      // The change is not approved, so the list stays; a call is refused.
      await until(() => s.errors.some((line) => /changed its tools/.test(line)));
      assert.match(text(await s.call('s_echo', {})), /changed since the user approved/);
      assert.equal(changes, before);
    } finally {
      await s.close();
    }
  });

  it('keeps approved servers in --state-dir, so that a change is found after a restart', async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-state-'));
    const tools = (description: string) => [{ name: 'echo', description, inputSchema: { type: 'object' } }];
    try {
      const first = await served({
        args: ['--yes', '--state-dir', state],
        servers: { s: scripted({ tools: tools('Echoes') }) },
      });
      assert.equal(text(await first.call('s_echo', { text: 'x' }).catch(String)) !== undefined, true);
      await first.client.listTools();
      await first.close();
      const second = await served({
        args: ['--yes', '--state-dir', state],
        servers: { s: scripted({ tools: tools('Echoes and sends') }) },
      });
      assert.match(text(await second.call('s_echo', { text: 'x' })), /changed since the user approved/);
      await second.close();
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });

  it('serves the same on loopback HTTP with --http, behind its tokens, hosts and origins', async () => {
    const secret = (letter: string): string => letter.repeat(64);
    const { folder, dispose } = temporaryWorkspace({ token: secret('a'), api: secret('b'), 'a.txt': 'hello' });
    const stop = new AbortController();
    const errors: string[] = [];
    const argv = [
      'serve',
      '--workspace',
      folder,
      '--http',
      '0',
      '--token-file',
      path.join(folder, 'token'),
      '--api-token-file',
    ];
    const ended = main([...argv, path.join(folder, 'api')], {
      out() {},
      error: (line) => errors.push(line),
      environment: { PATH: process.env['PATH'] },
      signal: stop.signal,
    });
    try {
      await until(() => errors.some((line) => /listening on/.test(line)));
      const url = new URL(/listening on (\S+)/.exec(errors.join('\n'))?.[1] ?? '');
      const client = new Client({ name: 'http', version: '1' });
      const headers = { Authorization: `Bearer ${secret('a')}` };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      const read: any = await client.callTool({ name: 'read_file', arguments: { path: '/a.txt' } });
      assert.match(text(read), /hello/);
      await client.close();
      const status = (target: string, more: Record<string, string>): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          httpGet(new URL(target, url), { headers: more }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          }).on('error', reject);
        });
      const api = { authorization: `Bearer ${secret('b')}` };
      assert.deepEqual(
        await Promise.all([
          status('/v1/capabilities', api),
          status('/v1/capabilities', { authorization: headers.Authorization }),
          status('/v1/capabilities', { ...api, host: `evil.example:${url.port}` }),
          status('/v1/capabilities', { ...api, origin: 'http://evil.example' }),
          status('/mcp', {}),
          status('/mcp', api),
          status('/mcp', { ...headers, host: `evil.example:${url.port}` }),
        ]),
        [200, 401, 403, 403, 401, 401, 403],
      );
      const agent = { name: 'Wide', capabilities: ['http'] };
      const refused = await fetch(new URL('/v1/agents', url), {
        method: 'POST',
        headers: { ...api, 'content-type': 'application/json' },
        body: JSON.stringify(agent),
      });
      assert.equal(refused.status, 403);
      assert.match(JSON.stringify(await refused.json()), /start `serve` with `--yes`/);
      assert.ok(!errors.join().includes(secret('a')), 'a token is never printed');
    } finally {
      stop.abort();
      assert.equal(await ended, 0);
      dispose();
    }
  });

  it('refuses a command line that it does not understand', async () => {
    const { folder, dispose } = temporaryWorkspace({ short: 'abc' });
    const code = async (...argv: string[]) => (await runCli(['serve', '--workspace', folder, ...argv])).code;
    assert.equal(await code('more'), 2);
    assert.equal(await code('--http', '0'), 2);
    assert.equal(await code('--http', '99999', '--token-file', 'x'), 2);
    assert.equal(await code('--token-file', 'x'), 2);
    assert.equal(await code('--http', '0', '--token-file', path.join(folder, 'short')), 2);
    dispose();
  });
});
