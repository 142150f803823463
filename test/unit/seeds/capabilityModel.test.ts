import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { itSays, seedJson, seedLines } from '../../support/seeds';
import { type LoopbackServer, startServer } from '../../support/web';

const list = async (files: Readonly<Record<string, unknown>>) => {
  const { folder, dispose } = temporaryWorkspace(
    Object.fromEntries(
      Object.entries(files).map(([name, value]) => [`.vscode/capabilities/${name}`, JSON.stringify(value)]),
    ),
  );
  const listed = (await runCli(['list', '--json', '--yes', '--workspace', folder])).json();
  dispose();
  return listed;
};

describe('the examples of the capability model', () => {
  for (const [line, kind, name] of [
    [36, 'data', 'videos'],
    [56, 'state', 'playback_state'],
    [79, 'action', 'play'],
    [111, 'control', 'volume'],
    [133, 'status', 'connection_status'],
  ] as const)
    itSays(2, line, `S2.kinds: the ${kind} capability loads as it is written`, async () => {
      const listed = await list({
        'media.channel.json': {
          channel: 'com.example.media',
          baseUrl: 'https://media.example/',
          schemas: { video: { type: 'object' }, playback_state: { type: 'object' } },
          capabilities: [seedJson(2, line)],
        },
      });
      const channel = listed.capabilities.find((one: { id: string }) => one.id === 'com.example.media');
      assert.deepEqual(
        channel.tools.map((one: { id: string; kind: string }) => [one.id.split(':').at(-1), one.kind]),
        [[name, kind]],
      );
      assert.deepEqual(
        listed.problems.filter((one: { severity: string }) => one.severity === 'error'),
        [],
      );
    });
});

describe('the channel of the capability model, as its manifest is served', () => {
  let server: LoopbackServer;
  let manifest: unknown;
  const calls = (): readonly string[] =>
    server.requests.filter(({ path }) => path !== '/manifest.json').map(({ method, path }) => `${method} ${path}`);
  before(async () => {
    server = await startServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      const answers: Record<string, unknown> = {
        '/manifest.json': manifest,
        '/api/videos': [{ id: 'v1', title: 'Waves', duration: 60, thumbnail_url: 'x' }],
        '/api/state/playback': { status: 'playing', current_item_id: 'v1' },
      };
      response.end(JSON.stringify(answers[new URL(request.url ?? '', server.url).pathname] ?? { success: true }));
    });
  });
  after(() => server.close());
  const cli = (...args: readonly string[]) => {
    const { folder, dispose } = temporaryWorkspace();
    server.requests.length = 0;
    const settings = {
      channels: { 'com.example.media': `${server.url}/manifest.json` },
      'network.allowedPrivateHosts': ['127.0.0.1'],
    };
    const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]);
    return runCli([...args, '--yes', ...set, '--workspace', folder]).finally(dispose);
  };
  const channelIn = async () => {
    const listed = (await cli('list', '--json')).json();
    const channel = listed.capabilities.find((one: { id: string }) => one.id === 'com.example.media');
    const problems = listed.problems.filter((one: { severity: string }) => one.severity === 'error');
    return { tools: channel?.tools.map((one: { name: string }) => one.name), problems };
  };
  const wholeChannel = () => ({
    channel: 'com.example.media',
    schemas: { video: seedVideo, playback_state: seedJson(2, 56).schema },
    capabilities: [36, 56, 79, 111, 133].map((line) => seedJson(2, line)),
  });
  const seedVideo = {
    type: 'object',
    properties: { id: {}, title: {}, duration: {}, thumbnail_url: {} },
  };

  itSays(2, 210, 'S2.namespacing: plain and namespaced ids load unchanged, under readable names', async () => {
    manifest = seedJson(2, 210);
    const { tools, problems } = await channelIn();
    assert.deepEqual(
      tools,
      ['play', 'pause', 'com_example_custom_feature'].map((one) => `com_example_media_${one}`),
    );
    assert.deepEqual(problems, []);
    const { code, text } = await cli('call', 'com_example_media_play', '{"item_id":"v1"}');
    assert.equal(code, 0, text);
    assert.deepEqual(calls(), ['POST /api/actions/play']);
  });

  itSays(2, 220, 'S2.namespacing: a channel without capabilities is one, from a server or a file', async () => {
    manifest = { capabilities: [] };
    assert.deepEqual(await channelIn(), { tools: [], problems: [] });
    const listed = await list({ 'com.example.media.channel.json': manifest });
    const channel = listed.capabilities.find((one: { id: string }) => one.id === 'com.example.media');
    assert.deepEqual(channel.tools, []);
    assert.deepEqual(
      listed.problems.map((one: { message: string }) => one.message),
      [],
    );
  });

  itSays(2, 199, 'S2.discovery: the plan of the document works step by step', async () => {
    manifest = wholeChannel();
    const steps = [
      ['videos', { mood: 'relaxing' }, 'GET /api/videos?mood=relaxing'],
      ['videos', { filter: { mood: 'relaxing' } }, 'GET /api/videos?mood=relaxing'],
      ['play', { item_id: 'v1' }, 'POST /api/actions/play'],
      ['playback_state', {}, 'GET /api/state/playback'],
    ] as const;
    for (const [tool, input, expected] of steps) {
      const { code, text } = await cli('call', `com_example_media_${tool}`, JSON.stringify(input));
      assert.equal(code, 0, text);
      assert.deepEqual(calls(), [expected]);
    }
  });

  itSays(2, 174, 'S2.discovery: an agent enumerates by kind, with permissions and the shape of the data', async () => {
    manifest = wholeChannel();
    const kinds = { data: ['videos'], state: ['playback_state'], action: ['play'], control: ['volume'] };
    for (const [kind, names] of Object.entries(kinds)) {
      const input = { capability: 'com.example.media', kind, shapes: true };
      const { payload } = (await cli('call', 'list_capabilities', JSON.stringify(input))).json();
      const { tools } = payload.capabilities[0];
      assert.deepEqual(
        tools.map((one: { name: string }) => one.name),
        names.map((one) => `com_example_media_${one}`),
      );
      if (kind === 'data')
        assert.match(JSON.stringify(tools[0].output), /"id":.*"title":.*"duration":.*"thumbnail_url":/);
    }
  });

  itSays(2, 184, 'S2.permissions: allowed is invoked, confirmation asks, forbidden cannot be invoked', async () => {
    const example = seedJson(2, 79);
    const permissions = seedLines(2)
      .slice(183, 186)
      .map((line) => /^Action "(\w+)": agent=(\w+)/.exec(line));
    manifest = {
      ...wholeChannel(),
      capabilities: permissions.map((one) => ({ ...example, id: one?.[1], permissions: { agent: one?.[2] } })),
    };
    const effects = [];
    for (const one of permissions)
      effects.push((await cli('why', `com_example_media_${one?.[1]}`, '{"item_id":"v1"}')).json().effect);
    assert.deepEqual(effects, ['pass', 'ask', 'deny']);
  });
});
