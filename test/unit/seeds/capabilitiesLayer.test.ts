import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { gateway } from '../../support/mcp/harness';
import { itSays, seedJson, seedLines, seedLiteral } from '../../support/seeds';
import { startServer } from '../../support/web';

const handler = 'module.exports = async ({ location }) => ({ temperature: 21, location });';

function workspace(example: unknown): ReturnType<typeof temporaryWorkspace> {
  return temporaryWorkspace({
    '.vscode/capabilities/agent.actions.json': JSON.stringify(example),
    '.vscode/capabilities/handlers/weather.js': handler,
    '.vscode/capabilities/handlers/notify.js': handler,
  });
}

const profile = (more: object) => [
  ...['--set', `profiles=${JSON.stringify({ p: { capabilities: ['agent'], ...more } })}`],
  ...['--profile', 'p', '--yes'],
];

describe('the examples of the capabilities layer', () => {
  itSays(0, 50, 'S0.config S0.permission: the secure configuration restricts what it says', async () => {
    const example = seedJson(0, 50);
    const { folder, dispose } = workspace(example);
    const weather = async (...more: string[]) => {
      const at = ['call', 'get-weather', '{"location":"Paris"}', '--workspace', folder];
      return (await runCli([...at, ...more])).json();
    };
    try {
      // `requireAuth`: nothing proves who calls on a command line.
      const unproven = await weather(...profile({ scopes: ['weather:read'] }));
      assert.equal(unproven.error.code, 'permission_denied');
      assert.match(unproven.error.message, /^Permission denied: .*`requireAuth`.*`serve --http`/);
    } finally {
      dispose();
    }
  });

  itSays(0, 50, 'S0.permission: `defaultPermissions` names what a profile without scopes may', async () => {
    const example = seedJson(0, 50);
    example.layers.capabilities.security.requireAuth = false;
    const scope = async (defaults: readonly string[] | undefined, more: object): Promise<string> => {
      example.layers.capabilities.security.defaultPermissions = defaults;
      const { folder, dispose } = workspace(example);
      const why = ['why', 'get-weather', '{"location":"Paris"}', '--workspace', folder, '--json'];
      const { steps } = (await runCli([...why, ...profile(more)])).json();
      dispose();
      return steps.find((one: { step: string }) => one.step === 'scopes').effect;
    };
    assert.equal(await scope([], {}), 'deny');
    assert.equal(await scope(['weather:read'], {}), 'pass');
    assert.equal(await scope(undefined, {}), 'pass');
    assert.equal(await scope([], { scopes: ['weather:read'] }), 'pass');
    // What a file names grants nothing where the profile lists its scopes.
    assert.equal(await scope(['weather:read'], { scopes: ['notify:send'] }), 'deny');
  });
});

const actions = (...more: readonly object[]): object => ({
  layers: { capabilities: { actions: more.map((one) => ({ ...one, handler: './handlers/weather.js' })) } },
});

describe('the actions of the capabilities layer, as they are written', () => {
  itSays(0, 15, 'S0.registry: all five load with their parameters, results, permissions and limits', async () => {
    const written = [15, 39, 42, 46, 49].map((line) => seedLiteral(0, line));
    const { folder, dispose } = workspace(actions(...written));
    const { code, text } = await runCli(['validate', '--workspace', folder]);
    const at = ['list', 'source:definition', '--json', '--workspace', folder, ...profile({})];
    const { capabilities } = (await runCli(at)).json();
    dispose();
    assert.equal(code, 0, text);
    const { tools } = capabilities[0];
    assert.equal(tools.length, written.length);
    for (const [index, action] of written.entries()) {
      const { id, title, description, inputSchema, scopes, rateLimit, outputSchema } = tools[index];
      assert.equal(id, `cap:agent:${action.id.replace('-', '_')}`);
      assert.deepEqual([title, description, scopes], [action.name, action.description, action.permissions]);
      const { additionalProperties: _, ...schema } = inputSchema;
      assert.deepEqual(schema, action.parameters);
      assert.equal(rateLimit?.requests, action.rateLimit?.requests);
      if (action.returns) assert.deepEqual(outputSchema.properties, action.returns.properties);
    }
  });

  itSays(0, 85, 'S0.validation: the weather is answered for Paris, with the default unit', async () => {
    const server = await startServer((request, response) => {
      const asked = new URL(request.url ?? '', server.url).searchParams;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ temperature: 21, condition: [...asked.values()].join(' in '), humidity: 40 }));
    });
    const handler = { type: 'http', url: `${server.url}/?location=\${input.location}&unit=\${input.unit}` };
    const action = { ...seedLiteral(0, 15), handler };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/agent.actions.json': JSON.stringify({ layers: { capabilities: { actions: [action] } } }),
    });
    const [, id = '', location = ''] =
      /execute\( '([\w-]+)', \{ location: '(\w+)' \}/.exec(seedLines(0)[84] ?? '') ?? [];
    const open = ['--set', 'network.allowedPrivateHosts=["127.0.0.1"]'];
    const at = ['call', id, JSON.stringify({ location }), '--workspace', folder, ...open];
    const { success, payload, error } = (await runCli([...at, ...profile({})])).json();
    // Line 88: a caller without the permission.
    const denied = (await runCli([...at, ...profile({ scopes: [] })])).json();
    dispose();
    await server.close();
    assert.equal(success, true, JSON.stringify(error));
    assert.deepEqual(payload, { temperature: 21, condition: 'Paris in celsius', humidity: 40 });
    assert.equal(denied.success, false);
    assert.match(denied.error.message, /^Permission denied/);
  });

  itSays(
    0,
    91,
    'S0.rate-limit: a hundred calls of the weather pass, and the next says when to come again',
    async () => {
      const server = await startServer((_request, response) => response.end('{"temperature":21}'));
      const action = { ...seedLiteral(0, 15), handler: { type: 'http', url: `${server.url}/` } };
      const world = await gateway({
        files: {
          '.vscode/capabilities/agent.actions.json': JSON.stringify({
            layers: { capabilities: { actions: [action] } },
          }),
        },
        set: {
          profiles: { p: { capabilities: ['agent'] } },
          activeProfile: 'p',
          'network.allowedPrivateHosts': ['127.0.0.1'],
        },
      });
      const call = () => world.call('get-weather', { location: 'Paris' });
      const failed = [];
      for (let i = 0; i < 100; i++) {
        const result = await call();
        if (!result.success) failed.push(result.error.message);
      }
      const next = await call();
      await world.close();
      await server.close();
      assert.deepEqual(failed, []);
      assert.match(next.success ? '' : next.error.message, /^Rate limit exceeded.*\d/);
    },
  );

  itSays(0, 39, 'S0.http-get S0.file-read: the actions that we have ourselves answer under their names', async () => {
    const server = await startServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"ok":true}');
    });
    const { folder, dispose } = temporaryWorkspace({ 'docs/readme.txt': 'Hello.' });
    const call = async (id: string, input: object) => {
      const profiles = { p: { capabilities: ['http', 'file_system', 'email', 'database'] } };
      const set = [
        '--set',
        `profiles=${JSON.stringify(profiles)}`,
        '--set',
        'network.allowedPrivateHosts=["127.0.0.1"]',
      ];
      const at = ['--profile', 'p', '--yes', '--workspace', folder, ...set];
      return (await runCli(['call', id, JSON.stringify(input), ...at])).json();
    };
    const got = await call('http-get', { url: `${server.url}/`, headers: { accept: 'text/plain' }, timeout: 30000 });
    assert.deepEqual([got.payload.status, got.payload.body], [200, { ok: true }]);
    assert.equal(got.payload.headers['content-type'], 'application/json');
    const read = await call('file-read', { path: 'docs/readme.txt', encoding: 'utf-8' });
    assert.equal(read.payload.content, 'Hello.');
    const outside = await call('file-read', { path: '../../etc/passwd', encoding: 'utf-8' });
    assert.equal(outside.success, false);
    const unaddressed = await call('email-send', { to: 'nobody', subject: 'x', body: 'x', html: false });
    assert.match(unaddressed.error.message, /\/to/);
    dispose();
    await server.close();
  });
});
