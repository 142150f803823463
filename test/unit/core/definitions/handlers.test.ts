// @tier full: starts programs
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Ajv from 'ajv';
import { math } from '../../../../src/capabilities/math/math';
import { ChannelPoller } from '../../../../src/core/definitions/channelPoller';
import { configurationProblems } from '../../../../src/core/profiles/profileChecks';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { explainDefinition } from '../../../../src/core/present/definitionPage';
import { parseDefinition } from '../../../../src/core/definitions/parse';
import { definitionTemplates } from '../../../../src/core/definitions/templates';
import { createValidator } from '../../../../src/core/base/validator';
import { parseProfile, resolveProfile } from '../../../../src/core/profiles/profile';
import { buildRuntimeAgent } from '../../../../src/core/profiles/runtimeAgent';
import { runs } from '../../../support/counts';
import { capabilityOf, definition } from '../../../support/gate';
import { type DefinitionWorld, makeWorld, type WorldOptions } from '../../../support/definitions';
import { makeSandbox } from '../../../support/sandbox';
import { FakeClock } from '../../../support/toolContext';
import { anyCharacter } from '../../../support/anyCharacter';

const open = { permissions: { user: 'allowed', agent: 'allowed' }, description: 'Do it.' };

const decoded = (text: string): string => text.replace(/(?:%[0-9a-f]{2})+/gi, (all) => decodeURIComponent(all));

describe('the handlers of definitions', () => {
  let world: DefinitionWorld;
  const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
  let base = '';
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      if (request.url?.startsWith('/away')) response.writeHead(302, { location: '/echo/there' }).end();
      else if (request.url?.startsWith('/mirror'))
        response
          .writeHead(request.url.includes('wrong') ? 400 : 200, { 'content-type': 'text/plain' })
          .end(`${'x'.repeat(470)} ${request.url} ${request.headers['x-key'] ?? ''} ${body}`);
      else if (request.url?.startsWith('/fail'))
        response.writeHead(422, { 'content-type': 'application/json' }).end('{"error":{"message":"no such city"}}');
      else
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ main: { temp: 20 }, list: [1, 2], secret: request.headers['authorization'] ?? null }));
    });
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => seen.splice(0));
  afterEach(() => world.dispose());

  const start = async (
    tools: unknown[],
    options: WorldOptions = {},
    files: Record<string, string> = {},
  ): Promise<DefinitionWorld> => {
    world = makeWorld({ capabilities: [math], ...options });
    await world.define({ ...files, 't.capability.json': { id: 't', tools } });
    return world;
  };
  const code = async (tool: string, input: unknown = {}): Promise<string> =>
    ((await world.call(tool, input)) as any)?.code ?? 'ok';

  it('http: fills URL, query, headers and body, each escaped for its place, and maps the answer', async () => {
    await start([
      {
        ...open,
        name: 'post',
        parameters: { city: 'string', tags: 'array', note: 'string', count: 'number' },
        handler: {
          type: 'http',
          method: 'POST',
          url: `${base}/echo/\${input.city}/x?fixed=1&c=\${input.city}`,
          query: { tag: '${input.tags}', none: '${input.note}' },
          headers: { Authorization: 'Bearer ${secret:TOKEN}', 'X-City': '${input.note}' },
          body: { city: '${input.city}', n: '${input.count}', text: 'in ${input.city}', none: '${input.note}' },
          response: { map: { degrees: '/main/temp', secret: '/secret', none: '/no' } },
        },
      },
    ]);
    assert.equal(await code('t_post', { city: 'x' }), 'not_available');
    world.secrets.values.set('TOKEN', 's3cr3t-token');
    assert.deepEqual(await world.call('t_post', { city: 'São/Paulo?a=b#c', tags: ['a', 'b&c'], count: 3 }), {
      degrees: 20,
      secret: 'Bearer [secret TOKEN]',
      none: null,
    });
    assert.deepEqual(
      [seen[0]?.url, seen[0]?.headers['authorization'], seen[0]?.headers['x-city'], JSON.parse(seen[0]?.body ?? '')],
      [
        '/echo/S%C3%A3o%2FPaulo%3Fa%3Db%23c/x?fixed=1&c=S%C3%A3o%2FPaulo%3Fa%3Db%23c&tag=a&tag=b%26c',
        'Bearer s3cr3t-token',
        undefined,
        { city: 'São/Paulo?a=b#c', n: 3, text: 'in São/Paulo?a=b#c' },
      ],
    );
    for (const city of ['.', '..']) assert.equal(await code('t_post', { city }), 'invalid_input');
    assert.equal(await code('t_post', { city: 'x', note: 'a\r\nHost: evil' }), 'invalid_input');
    const events = JSON.stringify(world.gate.events);
    assert.ok(!events.includes('s3cr3t-token'), 'the record holds no secret');
  });

  it('http: whatever the input, the host and the number of path segments stay', async () => {
    await start([
      { ...open, name: 'get', parameters: { a: 'string' }, handler: { type: 'http', url: `${base}/p/\${input.a}/q` } },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string({ unit: anyCharacter }),
          fc.constantFrom('//evil.example', '@evil.example', '\\\\evil', '%2e%2e', '..%2f', '?', '#', '/../..'),
        ),
        async (a) => {
          const preview = await world.gate.preview('t_get', { a });
          for (const access of preview.accesses) {
            const url = new URL(access.resource);
            assert.equal(url.origin, base);
            assert.equal(url.pathname.split('/').length, 4);
            assert.equal(url.search, '');
          }
        },
      ),
      { numRuns: runs(12, 150, 300) },
    );
  });

  it('http: errors speak with the server’s words, redirects are asked of the gate, forms and texts are sent as such', async () => {
    await start([
      { ...open, name: 'fail', handler: { type: 'http', url: `${base}/fail`, response: { error: '/error/message' } } },
      { ...open, name: 'away', handler: { type: 'http', url: `${base}/away`, response: { select: '/list' } } },
      {
        ...open,
        name: 'form',
        parameters: { a: 'string' },
        handler: {
          type: 'http',
          method: 'POST',
          url: `${base}/echo`,
          bodyType: 'form',
          body: { a: '${input.a}', b: [1, 2] },
        },
      },
      {
        ...open,
        name: 'text',
        parameters: { a: 'string' },
        handler: {
          type: 'http',
          method: 'PUT',
          url: `${base}/echo`,
          body: 'text ${input.a}',
          response: { type: 'text' },
        },
      },
      { ...open, name: 'head', handler: { type: 'http', method: 'HEAD', url: `${base}/echo` } },
    ]);
    assert.match(((await world.call('t_fail')) as any).message, /the server answered 422: no such city/);
    assert.deepEqual(await world.call('t_away'), [1, 2]);
    await world.call('t_form', { a: 'x&y' });
    await world.call('t_text', { a: 'z' });
    assert.deepEqual(
      [seen.at(-2)?.body, seen.at(-2)?.headers['content-type'], seen.at(-1)?.body],
      ['a=x%26y&b=1&b=2', 'application/x-www-form-urlencoded', 'text z'],
    );
    assert.equal(((await world.call('t_head')) as any).status, 200);
  });

  it('no secret comes back, in whatever form it was sent, in answers, errors and refusals', async () => {
    const http = (name: string, handler: object): unknown => ({
      ...open,
      name,
      handler: { type: 'http', url: `${base}/mirror`, ...handler },
    });
    const argument = '${secret:S}';
    await start([
      http('path', { url: `${base}/mirror/${argument}` }),
      http('query', { query: { k: argument } }),
      http('header', { headers: { 'X-Key': argument } }),
      http('json', { method: 'POST', body: { k: argument } }),
      http('form', { method: 'POST', bodyType: 'form', body: { k: argument, o: { k: argument } } }),
      http('wrong', { url: `${base}/mirror/wrong/${argument}` }),
      http('wrongForm', { url: `${base}/mirror/wrong`, method: 'POST', bodyType: 'form', body: { k: argument } }),
      { ...open, name: 'program', handler: { type: 'process', command: 'printf', args: ['%s', argument] } },
      { ...open, name: 'nul', handler: { type: 'process', command: 'printf', args: ['x'], env: { A: argument } } },
    ]);
    for (const secret of ['-hunter+seven/three==', '-a "quoted" \\ b', "-it's*(so)~!", '-ümlaut&x=%2f', '-with\0nul']) {
      world.secrets.values.set('S', secret);
      const isHeader = /^[\x20-\x7e\x80-\xff]*$/.test(secret);
      for (const name of ['path', 'query', 'header', 'json', 'form', 'wrong', 'wrongForm', 'program', 'nul']) {
        const answer = JSON.stringify(await world.call(`t_${name}`));
        const read = [answer, decoded(answer), decoded(answer.replaceAll('+', ' ')), answer.replace(/\\(.)/g, '$1')];
        const words = secret.match(/[a-zü]{3,}/g) ?? [];
        assert.ok(
          words.every((word) => read.every((text) => !text.includes(word) || word === 'nul' || word === 'with')),
          `${name} of ${JSON.stringify(secret)}: ${answer.slice(-200)}`,
        );
        if (!/^(?:program|nul|wrongForm)$/.test(name) && (name !== 'header' || isHeader))
          assert.match(answer, /\[secr/, `${name} of ${secret}`);
      }
    }
  });

  it('what no URL, program or system takes is an input that does not fit, not a fault of ours', async () => {
    const node = { type: 'process', command: process.execPath };
    const parameters = { a: 'string' };
    await start([
      { ...open, name: 'get', parameters, handler: { type: 'http', url: `${base}/p/\${input.a}/q?x=\${input.a}` } },
      { ...open, name: 'env', parameters, handler: { ...node, args: ['-v'], env: { A: '${input.a}' } } },
      { ...open, name: 'arg', parameters, handler: { ...node, args: ['-e', '', '--', '${input.a}'] } },
      { ...open, name: 'dot', parameters, handler: { type: 'http', url: `${base}/p/.\${input.a}/q` } },
    ]);
    assert.deepEqual(
      [
        await code('t_get', { a: '\ud800' }),
        await code('t_env', { a: 'x\0y' }),
        await code('t_arg', { a: 'x\0y' }),
        await code('t_arg', { a: 'x'.repeat(200_000) }),
        await code('t_env', { a: 'x'.repeat(200_000) }),
        await code('t_dot', { a: '.' }),
        await code('t_arg', { a: 'fine' }),
      ],
      ['invalid_input', 'invalid_input', 'invalid_input', 'too_large', 'too_large', 'invalid_input', 'ok'],
    );
  });

  it('process: passes arguments as they are, without a shell, a foreign environment or options from input', async () => {
    const echo =
      'process.stdout.write(JSON.stringify({ args: process.argv.slice(1), env: Object.keys(process.env).sort(), cwd: process.cwd() }))';
    process.env['AGENT_TEST_TOKEN'] = 'do-not-pass';
    await start(
      [
        {
          ...open,
          name: 'echo',
          parameters: { a: 'string', list: 'array' },
          handler: {
            type: 'process',
            command: process.execPath,
            args: ['-e', echo, '--', 'x${input.a}', '${input.list}', '${input.a}'],
            env: { OWN: '${input.a}' },
            output: 'json',
            cwd: 'sub',
          },
        },
        {
          ...open,
          name: 'lines',
          handler: {
            type: 'process',
            command: process.execPath,
            args: ['-e', 'console.log("a\\n\\nb")'],
            output: 'lines',
          },
        },
        {
          ...open,
          name: 'stdin',
          parameters: { text: 'string' },
          handler: {
            type: 'process',
            command: process.execPath,
            args: ['-e', 'process.stdin.pipe(process.stdout)'],
            stdin: '${input.text}',
          },
        },
        { ...open, name: 'none', handler: { type: 'process', command: 'no-such-program-here' } },
        { ...open, name: 'local', handler: { type: 'process', command: './link' } },
      ],
      {},
      { '../../sub/': '' },
    );
    const nasty = '$(touch hacked); `id` | cat & "quoted" \'single\' *';
    const answer = (await world.call('t_echo', { a: nasty, list: ['1', '2'] })) as any;
    assert.deepEqual(
      [answer.args, answer.env.includes('AGENT_TEST_TOKEN'), answer.env.includes('OWN'), answer.cwd],
      [[`x${nasty}`, '1', '2', nasty], false, true, world.workspace.at('sub')],
    );
    assert.equal(await code('t_echo', { a: '--eval=1', list: [] }), 'invalid_input');
    assert.equal(await code('t_echo', { a: 'x', list: ['-e'] }), 'invalid_input');
    assert.deepEqual(await world.call('t_lines'), ['a', 'b']);
    assert.deepEqual(await world.call('t_stdin', { text: 'héllo' }), { exit_code: 0, stdout: 'héllo' });
    assert.deepEqual([await code('t_none'), await code('t_local')], ['process_error', 'process_error']);
    (await import('node:fs')).symlinkSync('/bin/ls', world.workspace.at('link'));
    assert.equal(await code('t_local'), 'path_outside');
    delete process.env['AGENT_TEST_TOKEN'];
  });

  it('compose: passes results on, judges conditions, loops, goes on or stops after errors, each step through the gate', async () => {
    await start([
      {
        ...open,
        name: 'all',
        parameters: { numbers: 'array', flag: 'boolean' },
        handler: {
          type: 'compose',
          steps: [
            { id: 'first', tool: 'add', input: { a: 1, b: 2 } },
            {
              id: 'each',
              tool: 'multiply',
              forEach: '${input.numbers}',
              input: { a: '${item}', b: '${steps.first.result}' },
            },
            { id: 'maybe', tool: 'add', if: '${input.flag}', input: { a: 0, b: 0 } },
            {
              id: 'big',
              tool: 'add',
              if: {
                all: [
                  { value: '${steps.each.0.result}', greaterThan: 5 },
                  { not: { value: '${steps.first.result}', equals: 4 } },
                ],
              },
              input: { a: '${steps.each.0.result}', b: 1 },
            },
            { id: 'bad', tool: 'divide', input: { a: 1, b: 0 }, onError: 'continue' },
            { id: 'instead', tool: 'divide', input: { a: 1, b: 0 }, onError: { tool: 'add', input: { a: 40, b: 2 } } },
          ],
          output: {
            first: '${steps.first.result}',
            each: '${steps.each}',
            maybe: '${steps.maybe}',
            big: '${steps.big.result}',
            bad: '${steps.bad.error.code}',
            instead: '${steps.instead.result}',
            text: 'sum ${steps.first.result}',
          },
        },
      },
      {
        ...open,
        name: 'stops',
        handler: {
          type: 'compose',
          steps: [
            { id: 'a', tool: 'divide', input: { a: 1, b: 0 } },
            { id: 'b', tool: 'add', input: { a: 1, b: 1 } },
          ],
        },
      },
    ]);
    assert.deepEqual(world.problems(), []);
    assert.deepEqual(await world.call('t_all', { numbers: [2, 3] }), {
      first: 3,
      each: [
        { result: 6, exact: true },
        { result: 9, exact: true },
      ],
      maybe: null,
      big: 7,
      bad: 'division_by_zero',
      instead: 42,
      text: 'sum 3',
    });
    const stopped = (await world.call('t_stops')) as any;
    assert.deepEqual(
      [stopped.code, stopped.message.startsWith('step `a` failed: `divide`')],
      ['division_by_zero', true],
    );
    const finished = world.gate.events.filter((event) => event.type === 'invocation.finished');
    assert.equal(finished.filter((event) => (event as any).parentId !== undefined).length, 8);
    assert.equal(await code('t_all', { numbers: Array.from({ length: 201 }, () => 1) }), 'too_large');
  });

  it('compose: is never less than its steps in risk, effects, permissions, scopes and cost, whatever it says', async () => {
    const inner = capabilityOf(
      definition({
        name: 'wipe',
        riskLevel: 'critical',
        sideEffects: ['fs.delete', 'payments'],
        permissions: { user: 'confirmation_required', agent: 'forbidden' },
        scopes: ['x:y'],
        costClass: 'paid',
        idempotency: 'non-idempotent',
        reversible: false,
      }),
    );
    await start(
      [
        {
          ...open,
          name: 'mild',
          riskLevel: 'low',
          idempotency: 'idempotent',
          reversible: true,
          costClass: 'free',
          kind: 'data',
          handler: { type: 'compose', steps: [{ tool: 'wipe' }] },
        },
      ],
      { capabilities: [inner] },
    );
    const { riskLevel, sideEffects, permissions, scopes, costClass, idempotency, reversible } =
      world.gate.registry.tool('t_mild')!.definition;
    assert.deepEqual(
      { riskLevel, sideEffects, permissions, scopes, costClass, idempotency, reversible },
      {
        riskLevel: 'critical',
        sideEffects: ['fs.delete', 'payments'],
        permissions: { user: 'confirmation_required', agent: 'forbidden' },
        scopes: ['x:y'],
        costClass: 'paid',
        idempotency: 'non-idempotent',
        reversible: false,
      },
    );
    assert.equal(await code('t_mild'), 'permission_denied');
  });

  it('command, tool and mcp: reach what they name through port and gate', async () => {
    const ran: unknown[] = [];
    const mcp = capabilityOf(definition({ name: 'read' }), {}, { id: 'srv', source: { type: 'mcp', server: 'srv' } });
    const commands = {
      run: async (command: string, args: readonly unknown[]) => (ran.push([command, args]), { done: true }),
    };
    await start(
      [
        {
          ...open,
          name: 'cmd',
          parameters: { a: 'number' },
          handler: { type: 'command', command: 'editor.action.x', args: ['${input.a}', { deep: ['${input.a}'] }] },
        },
        {
          ...open,
          name: 'bound',
          parameters: { a: 'number' },
          handler: { type: 'tool', tool: 'add', input: { a: '${input.a}', b: 10 } },
        },
        {
          ...open,
          name: 'far',
          parameters: { value: 'string' },
          handler: { type: 'mcp', server: 'srv', tool: 'read' },
        },
      ],
      { capabilities: [math, mcp], ports: { commands } },
    );
    assert.deepEqual(
      [await world.call('t_cmd', { a: 1 }), ran],
      [{ done: true }, [['editor.action.x', [1, { deep: [1] }]]]],
    );
    assert.deepEqual(
      [await world.call('t_bound', { a: 5 }), await world.call('t_far', { value: 'v' })],
      [{ result: 15, exact: true }, { value: 'v' }],
    );
    assert.deepEqual((await world.gate.preview('t_cmd', { a: 1 })).accesses, [
      { effect: 'system.exec', resource: 'command:editor.action.x' },
    ]);
  });

  it('module: fetches, reads, writes and calls only what it declares and the gate lets through', async () => {
    const sandbox = await makeSandbox();
    const files = {
      'h.js': `export default async (input, context) => {
        const attempt = async (f) => { try { return await f() } catch (e) { return e.message } };
        return {
          fetched: await attempt(async () => (await (await fetch(input.base + '/echo')).json()).main.temp),
          other: await attempt(() => fetch('http://127.0.0.2:9/')),
          read: await attempt(() => context.files.read('a.txt')),
          outside: await attempt(() => context.files.read('../x')),
          written: await attempt(() => context.files.write('b.txt', 'new')),
          secret: await attempt(() => context.secrets.get('MINE')),
          foreign: await attempt(() => context.secrets.get('OTHER')),
          sum: await attempt(async () => (await context.tools.call('add', { a: 1, b: 1 })).result),
          tool: await attempt(() => context.tools.call('divide', { a: 1, b: 1 })),
        };
      }`,
      'plain.js':
        'export default (input, context) => [typeof fetch, typeof context.files, typeof context.secrets, typeof context.tools]',
      'broken.js': "export default () => JSON.parse('{')",
      '../../a.txt': 'content',
    };
    await start(
      [
        {
          ...open,
          name: 'full',
          parameters: { base: 'string' },
          handler: {
            type: 'module',
            file: './h.js',
            ports: { fetch: ['127.0.0.1'], files: 'write', secrets: ['MINE'], tools: ['add'] },
          },
        },
        { ...open, name: 'plain', handler: './plain.js' },
        { ...open, name: 'broken', handler: './broken.js' },
        { ...open, name: 'node', handler: { type: 'module', file: './plain.js', mode: 'node' } },
      ],
      { ports: { sandbox } },
      files,
    );
    world.secrets.values.set('MINE', 'm1');
    const answer = (await world.call('t_full', { base })) as any;
    assert.deepEqual(
      {
        ...answer,
        other: /not declared/.test(answer.other),
        outside: /outside the workspace/.test(answer.outside),
        foreign: /does not declare/.test(answer.foreign),
        tool: /does not declare/.test(answer.tool),
      },
      {
        fetched: 20,
        other: true,
        read: 'content',
        outside: true,
        written: { created: true },
        secret: 'm1',
        foreign: true,
        sum: 2,
        tool: true,
      },
    );
    assert.equal(readFileSync(world.workspace.at('b.txt'), 'utf8'), 'new');
    assert.deepEqual(await world.call('t_plain'), ['undefined', 'undefined', 'undefined', 'undefined']);
    assert.equal(await code('t_node'), 'not_available');
    // Where in its file it failed is for whoever wrote it, and stands in the log.
    const broken = await world.gate.call('t_broken');
    assert.match(broken.success ? '' : broken.error.message, /^the code failed: SyntaxError: [^()]+$/);
    assert.doesNotMatch(JSON.stringify(broken), /broken\.js/);
    assert.ok(
      world.asked.some(
        (one) => one.outsideSandbox.length === 1 && one.tools.some((tool) => tool.does.code === 'does_module_node'),
      ),
    );
    sandbox.dispose();
  });

  it('S3.configuration: fills the prompt and the defaults, and checks the profile’s values against the schema', async () => {
    world = makeWorld({ profile: () => ({ capabilities: [{ ref: 'c', config: { project: 'alpha' } }] }) });
    await world.define({
      'c.capability.json': {
        id: 'c',
        systemPrompt: 'Work on ${config.project} in ${config.area}.',
        configSchema: {
          type: 'object',
          properties: { project: { type: 'string' }, area: { type: 'string', default: 'all' } },
          additionalProperties: false,
        },
        tools: [
          {
            ...open,
            name: 'where',
            handler: { type: 'compose', steps: [{ tool: 'c_inner' }], output: '${config.area}' },
          },
          { ...open, name: 'inner', handler: { type: 'process', command: process.execPath, args: ['-e', ''] } },
        ],
      },
    });
    const profile = (config: unknown) =>
      resolveProfile(parseProfile('p', { capabilities: [{ ref: 'c', config }] }, 'user').value, world.gate.registry);
    assert.equal(buildRuntimeAgent(profile({ project: 'alpha' })).systemPrompt, 'Work on alpha in all.');
    assert.equal(await world.call('c_where'), 'all');
    const validator = createValidator(
      async () => ({}),
      async () => (await import('../../../../src/core/base/runtimeAjv')).createCompiler(),
    );
    const problems = await configurationProblems(profile({ project: 5, areaa: 1 }), validator);
    assert.deepEqual(
      problems.map((one) => one.code),
      ['invalid_configuration'],
    );
    assert.deepEqual(await configurationProblems(profile({ project: 'x' }), validator), []);
  });

  it('templates are definitions without a mistake, for our reader and for the schemas of the editor, and can be explained', async () => {
    world = makeWorld();
    for (const template of definitionTemplates) {
      const file = `.vscode/capabilities/mine.${template.format}.json`;
      const text = template.text('mine');
      const parsed = parseDefinition(text, file);
      assert.deepEqual(parsed.problems, [], template.id);
      const schema = JSON.parse(readFileSync(`media/schemas/${template.format}.schema.json`, 'utf8'));
      const ajv = new Ajv({ strict: false });
      const plain = JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
      assert.ok(ajv.validate(schema, plain), `${template.id}: ${JSON.stringify(ajv.errors)}`);
      assert.match(explainDefinition(text, file), /^# [\s\S]*Models call it `mine_/);
    }
    // What is ours in a page is in the language of whoever reads it.
    const t: Translate = (message, ...values) => plainWords(`«${message}»`, ...values);
    const told = explainDefinition(definitionTemplates[0]?.text('mine') ?? '', 'a.capability.json', [], t);
    const ours = told.split('\n').filter((line) => /^(?:- |Id )|[«»]/.test(line));
    assert.ok(ours.length > 4, told);
    for (const line of ours) assert.match(line, /^(?:- )?«.*»$/);
    assert.match(
      explainDefinition('{"id": 5}', 'x.capability.json'),
      /# Problems[\s\S]*x\\.capability\\.json\\:1\\:8 error/,
    );
  });

  it('D.definitions: the page of a definition tells a problem once, and the same of two places twice', () => {
    const [file, text] = ['x.capability.json', '{"id": 5}'];
    const [own] = parseDefinition(text, file).problems;
    assert.ok(own);
    const there = { ...own, pointer: '/tools/1', line: 9, column: 1 };
    const told = explainDefinition(text, file, [own, there, { ...own, file: 'other.json' }]);
    const ownLines = parseDefinition(text, file).problems.map(({ line = 0, column = 0 }) => `${line}:${column}`);
    const lines = told.split('\n').flatMap((line) => /\\:(\d+)\\:(\d+) error/.exec(line)?.slice(1, 3).join(':') ?? []);
    assert.deepEqual(lines, [...ownLines, '9:1']);
  });

  it('S2.metadata: refreshes what channels recommend while somebody watches, and no longer', async () => {
    world = makeWorld();
    const clock = new FakeClock();
    const calls: number[] = [];
    let fails = false;
    const poller = new ChannelPoller({
      clock,
      polling: () => [{ channel: 'c', tool: 's', intervalSeconds: 5 }],
      invoke: async () => {
        calls.push(clock.mono);
        const common = { invocationId: 'i', toolId: 't', declaredSideEffects: [], durationMs: 1 };
        return fails
          ? { ...common, success: false, error: { code: 'timeout', message: 'm', retryable: true } }
          : { ...common, success: true, payload: 1 };
      },
    });
    const advance = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await advance(20_000);
    const watching = poller.watch();
    for (let turn = 0; turn < 3; turn++) await advance(5000);
    fails = true;
    for (let turn = 0; turn < 6; turn++) await advance(5000);
    watching.dispose();
    await advance(60_000);
    assert.deepEqual(
      calls.map((at) => at / 1000),
      [25, 30, 35, 40, 60],
    );
    assert.equal(poller.values().length, 1);
    poller.dispose();
  });
});
