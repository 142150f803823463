// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { math } from '../../../../src/capabilities/math/math';
import { capabilityOf, definition } from '../../../support/gate';
import { type DefinitionWorld } from '../../../support/definitions';
import { makeSandbox } from '../../../support/sandbox';
import { echoServer } from '../../../support/echoServer';
import { open, worldWithTools } from '../../../support/definitionTools';

describe('the handlers of definitions', () => {
  let world: DefinitionWorld;
  let base = '';
  const server = echoServer();
  before(async () => {
    base = await server.open();
  });
  after(() => server.close());
  afterEach(() => world.dispose());

  const start = async (...args: Parameters<typeof worldWithTools>): Promise<DefinitionWorld> =>
    (world = await worldWithTools(...args));
  const code = async (tool: string, input: unknown = {}): Promise<string> =>
    ((await world.call(tool, input)) as any)?.code ?? 'ok';

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
});
