import { strict as assert } from 'node:assert';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { math } from '../../../../src/capabilities/math/math';
import type { ChannelSetting } from '../../../../src/core/definitions/channels';
import { CallLimits } from '../../../../src/core/policy/limits/limits';
import { type DefinitionWorld, makeWorld, type WorldOptions } from '../../../support/definitions';
import { makeSandbox } from '../../../support/sandbox';
import { realClock } from '../../../support/web';

const manifest = {
  channel: 'com.example.media',
  schemas: {
    video: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        title: { type: 'string' },
        related: { type: 'array', items: { $ref: '#/schemas/video' } },
      },
      required: ['id'],
    },
    playback_state: { type: 'object', properties: { status: { enum: ['idle', 'playing', 'paused', 'buffering'] } } },
  },
  capabilities: [
    {
      id: 'videos',
      type: 'data',
      name: 'Video Library',
      endpoint: '/api/videos',
      metadata: { searchable: true, sortable: true, paginated: true, filterable: true },
      schema: { type: 'array', items: { $ref: '#/schemas/video' } },
    },
    {
      id: 'playback_state',
      type: 'state',
      name: 'Playback State',
      endpoint: '/api/state/playback',
      metadata: { refresh_interval_seconds: 1 },
      schema: {
        type: 'object',
        properties: {
          status: { enum: ['idle', 'playing', 'paused', 'buffering'] },
          position_seconds: { type: 'number' },
          duration_seconds: { type: 'number' },
          current_item_id: { type: 'string' },
        },
      },
    },
    {
      id: 'play',
      type: 'action',
      name: 'Play',
      endpoint: '/api/actions/play',
      permissions: { user: 'allowed', agent: 'allowed' },
      schema: {
        input: {
          type: 'object',
          properties: { item_id: { type: 'string' }, start_position: { type: 'number', default: 0 } },
          required: ['item_id'],
        },
        output: {
          type: 'object',
          properties: { success: { type: 'boolean' }, new_state: { $ref: '#/schemas/playback_state' } },
        },
      },
    },
    {
      id: 'volume',
      type: 'control',
      name: 'Volume',
      endpoint: '/api/controls/volume',
      permissions: { user: 'allowed', agent: 'confirmation_required' },
      schema: {
        type: 'object',
        properties: { value: { type: 'number', minimum: 0, maximum: 100 }, muted: { type: 'boolean' } },
      },
    },
    {
      id: 'connection_status',
      type: 'status',
      name: 'Connection Status',
      endpoint: '/api/status/connection',
      metadata: { passive: true, refresh_interval_seconds: 30 },
      schema: {
        type: 'object',
        properties: {
          connected: { type: 'boolean' },
          latency_ms: { type: 'integer' },
          last_sync: { type: 'string', format: 'date-time' },
        },
      },
    },
    { id: 'com.example.custom_feature', type: 'action', endpoint: '/api/custom' },
    { id: 'secret', type: 'data', endpoint: '/api/secret', metadata: { agent_visible: false } },
    { id: 'robots', type: 'data', endpoint: '/api/robots', metadata: { agent_only: true } },
    { id: 'purchase', type: 'action', endpoint: '/api/purchase', permissions: { user: 'allowed', agent: 'forbidden' } },
  ],
};

/** A small FieldSpace server that keeps its state and serves its own manifest. */
async function startChannel() {
  const log: string[] = [];
  let playing = '';
  let volume: Record<string, unknown> = { value: 50, muted: false };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      log.push(`${request.method} ${request.url}${text === '' ? '' : ` ${text}`}`);
      const { pathname } = new URL(request.url ?? '', 'http://x');
      const answer = (value: unknown): void =>
        void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
      if (pathname === '/manifest.json') answer(manifest);
      else if (pathname === '/api/videos') answer([{ id: 'v1', title: 'Waves', related: [{ id: 'v2' }] }]);
      else if (pathname === '/api/state/playback')
        answer({
          status: playing ? 'playing' : 'idle',
          position_seconds: 0,
          ...(playing ? { current_item_id: playing } : {}),
        });
      else if (pathname === '/api/actions/play') {
        playing = JSON.parse(text).item_id;
        answer({ success: true, new_state: { status: 'playing' } });
      } else if (pathname === '/api/controls/volume') {
        if (request.method === 'PUT') volume = { ...volume, ...JSON.parse(text) };
        answer(volume);
      } else if (pathname === '/api/status/connection')
        answer({ connected: true, latency_ms: 3, last_sync: '2026-11-21T00:00:00Z' });
      else if (pathname === '/api/robots') answer('for robots');
      else {
        response.statusCode = 500;
        answer({ error: 'not made' });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    log,
    close: () => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

describe("the seeds' formats, end to end", () => {
  let world: DefinitionWorld | undefined;
  let channel: Awaited<ReturnType<typeof startChannel>>;
  const start = (options: WorldOptions = {}): DefinitionWorld => (world = makeWorld(options));
  before(async () => (channel = await startChannel()));
  after(() => channel.close());
  beforeEach(() => channel.log.splice(0));
  afterEach(() => {
    world?.dispose();
    world = undefined;
  });

  it('S2.kinds S2.manifest: reads data, state and status, performs actions, reads and sets controls', async () => {
    const { define, call, problems } = start();
    await define({ 'media.channel.json': { ...manifest, baseUrl: channel.url } });
    assert.deepEqual(problems(), []);
    const id = (name: string): string => `chan:com.example.media:${name}`;
    assert.deepEqual(
      await call(id('videos'), {
        search: 'relaxing',
        sort: '-title',
        filter: { mood: 'calm' },
        page: 2,
        page_size: 10,
      }),
      [{ id: 'v1', title: 'Waves', related: [{ id: 'v2' }] }],
    );
    assert.deepEqual(await call(id('playback_state')), { status: 'idle', position_seconds: 0 });
    assert.deepEqual(await call(id('play'), { item_id: 'v1' }), { success: true, new_state: { status: 'playing' } });
    assert.deepEqual(await call(id('playback_state')), {
      status: 'playing',
      position_seconds: 0,
      current_item_id: 'v1',
    });
    assert.deepEqual(await call(id('volume')), { value: 50, muted: false });
    assert.deepEqual(await call(id('volume'), { value: 20 }), { value: 20, muted: false });
    assert.deepEqual(await call(id('connection_status')), {
      connected: true,
      latency_ms: 3,
      last_sync: '2026-11-21T00:00:00Z',
    });
    assert.deepEqual(channel.log, [
      'GET /api/videos?search=relaxing&sort=-title&mood=calm&page=2&page_size=10',
      'GET /api/state/playback',
      'POST /api/actions/play {"item_id":"v1","start_position":0}',
      'GET /api/state/playback',
      'GET /api/controls/volume',
      'PUT /api/controls/volume {"value":20}',
      'GET /api/status/connection',
    ]);
    const codes = [
      await call(id('volume'), { value: 101 }),
      await call(id('play'), {}),
      await call(id('videos'), { page: 0 }),
      await call(id('custom')),
      await call('com.example.custom_feature'),
    ].map((one: any) => one.code);
    assert.deepEqual(codes, ['invalid_input', 'invalid_input', 'invalid_input', 'tool_not_found', 'network_error']);
  });

  it('S2.metadata: visibility, permissions and refreshing have their effect', async () => {
    const { define, call, gate, loader } = start();
    await define({ 'media.channel.json': { ...manifest, baseUrl: channel.url } });
    const code = async (name: string, actor: 'user' | 'agent'): Promise<string> => {
      const result = await gate.call(`chan:com.example.media:${name}`, {}, actor);
      return result.success ? 'ok' : result.error.code;
    };
    assert.deepEqual(
      [
        await code('secret', 'agent'),
        await code('robots', 'agent'),
        await code('robots', 'user'),
        await code('purchase', 'agent'),
      ],
      ['not_visible', 'ok', 'not_visible', 'permission_denied'],
    );
    const before = gate.asked.length;
    await call('chan:com.example.media:volume');
    assert.equal(gate.asked.length, before + 1);
    assert.deepEqual(loader.polling(), [
      { tool: 'playback_state', intervalSeconds: 1, channel: 'com.example.media' },
      { tool: 'connection_status', intervalSeconds: 30, channel: 'com.example.media' },
    ]);
    const tools = gate.registry.tools().filter((tool) => tool.source.type === 'channel');
    assert.deepEqual(
      tools.map(({ definition: one }) => [
        one.name,
        one.kind,
        one.riskLevel,
        one.permissions.agent,
        one.repeatable === true,
      ]),
      [
        ['videos', 'data', 'low', 'allowed', false],
        ['playback_state', 'state', 'low', 'allowed', true],
        ['play', 'action', 'medium', 'allowed', false],
        ['volume', 'control', 'medium', 'confirmation_required', false],
        ['connection_status', 'status', 'low', 'allowed', true],
        ['com_example_custom_feature', 'action', 'medium', 'confirmation_required', false],
        ['secret', 'data', 'low', 'allowed', false],
        ['robots', 'data', 'low', 'allowed', false],
        ['purchase', 'action', 'medium', 'forbidden', false],
      ],
    );
  });

  it('S2.manifest: reads a manifest from its URL; the workspace’s address is contacted only once approved', async () => {
    const settings: ChannelSetting[] = [{ name: 'mine', url: `${channel.url}/manifest.json`, origin: 'user' }];
    const first = start({ channels: () => settings, approve: () => false });
    await first.loader.reload();
    assert.deepEqual(
      [first.tools().length, await first.call('chan:com.example.media:connection_status')],
      [9, { connected: true, latency_ms: 3, last_sync: '2026-11-21T00:00:00Z' }],
    );
    first.dispose();
    channel.log.splice(0);
    let allow = false;
    const second = start({
      channels: () => settings.map((one) => ({ ...one, origin: 'workspace' as const })),
      approve: () => allow,
    });
    await second.loader.reload();
    assert.deepEqual([second.tools(), channel.log], [[], []]);
    allow = true;
    await second.loader.approve(second.loader.pending()[0]!.hash);
    await second.define({});
    assert.equal(second.tools().length, 9);
  });

  it('S2.namespacing: a minimal channel is no mistake, and what cannot be is reported at its place', async () => {
    const { define, problems, tools } = start();
    await define({
      'min.channel.json': { channel: 'min', baseUrl: channel.url, capabilities: [] },
      'bad.channel.json': {
        channel: 'bad',
        baseUrl: channel.url,
        capabilities: [
          { id: 'a', type: 'stream', endpoint: '/a' },
          { id: 'b', type: 'data', endpoint: 'http://other.example/b' },
          { id: 'c', type: 'data', endpoint: '/c', schema: { $ref: '#/schemas/none' } },
          { id: 'd', type: 'data', endpoint: '/d', schema: { $ref: 'http://x.example/schema' } },
        ],
      },
      'nobase.channel.json': { channel: 'n', capabilities: [{ id: 'e', type: 'data', endpoint: '/e' }] },
      'none.channel.json': { capabilities: [] },
    });
    assert.deepEqual(tools(), []);
    const text = problems().join('\n');
    for (const part of [
      '`type` must be one of `data`',
      'must stay at',
      '`#/schemas/none` names nothing',
      '`$ref` must name a place in this manifest',
      '`baseUrl` is required in a file',
    ])
      assert.ok(text.includes(part), `${part}\n${text}`);
    assert.ok(!/(?:min|none)\.channel\.json/.test(text));
  });

  it('S2.manifest: a capability that is declared twice, or for nobody, is told at its place', async () => {
    const { define, problems, tools } = start();
    await define({
      'twice.channel.json': {
        channel: 'twice',
        baseUrl: channel.url,
        capabilities: [
          { id: 'play', type: 'action', endpoint: '/a' },
          { id: 'play', type: 'data', endpoint: '/b' },
          { id: 'com.play', type: 'action', endpoint: '/c' },
          { id: 'com_play', type: 'action', endpoint: '/d' },
          { id: 'lost', type: 'data', endpoint: '/e', metadata: { agent_only: true, agent_visible: false } },
        ],
      },
    });
    // Two ids that make one name are two tools; one id is one.
    assert.deepEqual(
      tools().map((one) => one.replace(/_[0-9a-z]{7}$/, '_#')),
      ['chan:twice:play', 'chan:twice:com_play', 'chan:twice:com_play_#', 'chan:twice:lost'],
    );
    const text = problems().join('\n');
    assert.match(text, /`play` is there twice/);
    assert.match(text, /`agent_visible` must be true \(`agent_only`\) \(got false\)/);
    assert.equal(problems().length, 2, text);
  });

  it('S0.config S0.handler-module: a weather action runs in the sandbox, a hundred times an hour', async () => {
    const sandbox = await makeSandbox();
    const { define, call, gate } = start({
      ports: { sandbox },
      capabilities: [math],
      // `defaultPermissions: []` of the file grants nothing to a profile that lists no scopes.
      profile: () => ({ capabilities: ['agent', 'math'], scopes: ['weather:read'] }),
      limits: new CallLimits({ clock: realClock }),
      answer: () => ({ outcome: 'allowed', by: 'user', waitedMs: 0 }),
    });
    try {
      await define({
        'handlers/weather.js':
          'module.exports = async (params, context) => ({ temperature: 21, condition: "sunny", humidity: 40, location: params.location, user: context.user.type });',
        'agent.actions.json': {
          layers: {
            capabilities: {
              actions: [
                {
                  id: 'get-weather',
                  name: 'Get Weather',
                  description: 'Fetch weather data',
                  handler: './handlers/weather.js',
                  parameters: { location: { type: 'string', required: true } },
                  permissions: ['weather:read'],
                  rateLimit: { requests: 100, window: '1h' },
                },
              ],
              security: { defaultPermissions: [], requireAuth: true, auditLog: true },
            },
          },
        },
      });
      assert.deepEqual(await call('get-weather', { location: 'Paris' }), {
        temperature: 21,
        condition: 'sunny',
        humidity: 40,
        location: 'Paris',
        user: 'agent',
      });
      assert.equal(((await call('get-weather', {})) as any).code, 'invalid_input');
      for (let index = 1; index < 100; index++) await call('get-weather', { location: `city ${index}` });
      assert.match(((await call('get-weather', { location: 'Paris' })) as any).message, /^Rate limit exceeded/);
      assert.equal(gate.registry.tool('get-weather')?.definition.provenCallersOnly, true);
      assert.equal(gate.registry.tool('get-weather')?.definition.scopes[0], 'weather:read');
      await define({ 'handlers/weather.js': 'module.exports = () => "changed"' });
      assert.equal(gate.registry.tool('get-weather') !== undefined, true);
    } finally {
      sandbox.dispose();
    }
  }).timeout(60_000);

  it('S0.handler-module: a file that changed behind the approval does not run', async () => {
    const sandbox = await makeSandbox();
    const { define, call, workspace } = start({ ports: { sandbox } });
    try {
      await define({
        'h.js': 'export default () => 1',
        'm.capability.json': { id: 'm', tools: [{ name: 'go', description: 'Go.', handler: './h.js' }] },
      });
      assert.equal(await call('m_go'), 1);
      workspace.put({ '.vscode/capabilities/h.js': 'export default () => 2' });
      assert.equal(((await call('m_go')) as any).code, 'definition_error');
    } finally {
      sandbox.dispose();
    }
  });
});
