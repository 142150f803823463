import { strict as assert } from 'node:assert';
import type { HttpClient } from '../../../src/core/ports/http';
import { toDisposable } from '../../../src/core/base/lifecycle';
import { worded } from '../../../src/core/base/sentence';
import { createNodeProber } from '../../../src/node/prober';
import { openSystem, type SystemOptions } from '../../support/system';
import { until } from '../../support/editor/until';
import { FakeClock, MemorySecrets, MemoryStore } from '../../support/toolContext';

async function withSystem<T>(
  options: SystemOptions,
  body: (system: Awaited<ReturnType<typeof openSystem>>) => Promise<T>,
): Promise<T> {
  const system = await openSystem(options);
  try {
    return await body(system);
  } finally {
    system.dispose();
  }
}

const definitions = {
  watcher: { watch: () => toDisposable(() => undefined) },
  approver: { ask: async () => true },
  trusted: () => true,
};

/** A web of addresses and what they answer. */
function web(pages: Record<string, unknown>): { http: () => HttpClient; asked: string[] } {
  const asked: string[] = [];
  const http = (): HttpClient => ({
    async send({ url }) {
      asked.push(url);
      const page = pages[url];
      return {
        url,
        status: page === undefined ? 404 : 200,
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify(page ?? null)),
      };
    },
  });
  return { http, asked };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the composed system', () => {
  const manifestUrl = 'https://media.example.com/manifest.json';
  const stateUrl = 'https://media.example.com/api/state';
  const manifest = (...more: unknown[]) => ({
    channel: 'com.example.media',
    baseUrl: 'https://media.example.com',
    schemas: {},
    capabilities: [
      {
        id: 'playback',
        type: 'state',
        name: 'Playback',
        description: 'What is playing',
        endpoint: '/api/state',
        metadata: { refresh_interval_seconds: 5 },
        schema: { type: 'object' },
      },
      ...more,
    ],
  });

  it('S2.metadata: a channel of the settings refreshes itself while somebody watches, through the gate, and is read anew on demand', async () => {
    const pages: Record<string, unknown> = { [manifestUrl]: manifest(), [stateUrl]: { status: 'playing' } };
    const { http, asked } = web(pages);
    const clock = new FakeClock();
    const options: SystemOptions = {
      user: { channels: { media: manifestUrl } },
      platform: { http, clock, definitions },
    };
    await withSystem(options, async ({ core, events }) => {
      assert.deepEqual(core.definitions.channelState('com.example.media'), true, JSON.stringify(core.problems()));
      assert.deepEqual(
        [core.definitions.channelState('media'), core.definitions.channelState('other')],
        [false, undefined],
      );
      const watching = core.definitions.poller.watch();
      clock.advance(5000);
      const [value] = await until(async () => {
        await turn();
        const values = core.definitions.poller.values();
        assert.equal(values.length, 1);
        return values;
      });
      assert.deepEqual(
        value?.result.success && value.result.payload,
        { status: 'playing' },
        JSON.stringify(value?.result),
      );
      assert.ok(
        events.some(
          (event) => event.type === 'invocation.finished' && event.toolId === 'chan:com.example.media:playback',
        ),
      );
      watching.dispose();
      const before = asked.filter((url) => url === stateUrl).length;
      clock.advance(60_000);
      await turn();
      assert.equal(asked.filter((url) => url === stateUrl).length, before, 'nobody watches');

      pages[manifestUrl] = manifest({
        id: 'videos',
        type: 'data',
        name: 'Videos',
        description: 'All videos',
        endpoint: '/api/videos',
      });
      assert.equal(core.tools.registry.tool('chan:com.example.media:videos'), undefined);
      await core.definitions.reloadChannels();
      // What the channel says now is not what it said when the user named it.
      assert.equal(core.tools.registry.tool('chan:com.example.media:playback'), undefined);
      await core.definitions.loader?.approve(core.definitions.loader.pending()[0]?.hash ?? '');
      assert.ok(core.tools.registry.tool('chan:com.example.media:videos'), JSON.stringify(core.problems()));
    });
  });

  it('S2.metadata: what refreshes by itself asks nobody: where a rule asks or denies, it waits', async () => {
    const { http, asked } = web({ [manifestUrl]: manifest(), [stateUrl]: { status: 'playing' } });
    const clock = new FakeClock();
    let questions = 0;
    const options: SystemOptions = {
      user: {
        channels: { media: manifestUrl },
        'policy.boundaries': [
          { id: 'ask-media', match: { host: 'media.example.com' }, decision: 'require_approval', reason: 'ask first' },
        ],
      },
      platform: {
        http,
        clock,
        definitions,
        approvals: {
          type: 'preset',
          approver: {
            covering: () => undefined,
            ask: async () => {
              questions++;
              return { outcome: 'allowed', by: 'user', waitedMs: 0 };
            },
          },
        },
      },
    };
    await withSystem(options, async ({ core }) => {
      const watching = core.definitions.poller.watch();
      clock.advance(5000);
      const [value] = await until(async () => {
        await turn();
        assert.equal(core.definitions.poller.values().length, 1);
        return core.definitions.poller.values();
      });
      assert.equal(value?.result.success, false);
      assert.deepEqual([questions, asked.includes(stateUrl)], [0, false]);
      watching.dispose();
    });
  });

  it('S3.configuration: a configuration that its schema refuses is a problem of the system, and is gone once it is mended', async () => {
    const profiles = (maxBytes: unknown) => ({
      default: { capabilities: [{ ref: 'web_fetch', config: maxBytes === undefined ? {} : { nonsense: maxBytes } }] },
    });
    await withSystem({ user: { profiles: profiles(5) } }, async ({ core, write }) => {
      const found = () => core.problems().filter(({ code }) => code === 'invalid_configuration');
      assert.deepEqual(
        found().map(({ subject, severity }) => [subject, severity]),
        [['web_fetch', 'error']],
        JSON.stringify(core.problems()),
      );
      write({ user: { profiles: profiles(undefined) } });
      await until(async () => assert.deepEqual(found(), []));
    });
  });

  it('S0.rate-limit: windows and a circuit hold over a reload, with the exact time to wait, also where the clock was set back', async () => {
    for (const setBackMs of [0, 3_600_000]) {
      const storage = new MemoryStore();
      const options = (clock: FakeClock): SystemOptions => ({
        user: { limits: { tools: { calculate: { requests: 2, window: '1m' } } } },
        platform: { storage, clock },
      });
      const clock = new FakeClock();
      await withSystem(options(clock), async ({ core, call }) => {
        assert.deepEqual(
          [(await call('calculate', { expression: '1' })).success, core.policy.limits.use.calls],
          [true, 1],
        );
        clock.advance(10_000);
        assert.equal((await call('calculate', { expression: '2' })).success, true);
        await core.policy.limits.save();
      });
      // Another process: its monotonic clock starts at nought, and the wall clock may have been set back.
      const after = new FakeClock();
      after.time = clock.time + 5000 - setBackMs;
      await withSystem(options(after), async ({ call }) => {
        const refused = await call('calculate', { expression: '3' });
        const wait = refused.success ? -1 : refused.error.retryAfterMs;
        assert.equal(wait, setBackMs === 0 ? 45_000 : 60_000);
        after.advance((wait ?? 0) - 1);
        assert.equal((await call('calculate', { expression: '3' })).success, false, 'a millisecond too early');
        after.advance(1);
        assert.equal((await call('calculate', { expression: '3' })).success, true);
      });
    }
  });

  it('a tool that rests for an hour by the settings rests for all of it, also after a restart', async () => {
    const clock = new FakeClock();
    const storage = new MemoryStore();
    const options: SystemOptions = {
      user: { limits: { circuit: { failures: 2, cooldownSeconds: 3600 } } },
      platform: { storage, clock },
    };
    await withSystem(options, async ({ core }) => {
      const id = core.tools.registry.tool('calculate')?.id ?? '';
      await storage.set('limits', { circuits: { [id]: { failures: 2, openUntil: clock.time + 3_000_000 } } });
    });
    await withSystem(options, async ({ call }) => {
      const refused = await call('calculate', { expression: '1' });
      assert.equal(refused.success ? undefined : refused.error.retryAfterMs, 3_000_000);
    });
  });

  it('budgets and concurrency hold in the composed system, and a session ends with its window', async () => {
    const storage = new MemoryStore();
    const options: SystemOptions = { user: { limits: { budget: { calls: 2 } } }, platform: { storage } };
    await withSystem(options, async ({ core, call }) => {
      const codes: string[] = [];
      for (let turnOf = 0; turnOf < 3; turnOf++) {
        const result = await call('calculate', { expression: `1+${turnOf}` });
        codes.push(result.success ? 'ok' : result.error.code);
      }
      assert.deepEqual(codes, ['ok', 'ok', 'budget_exceeded']);
      await core.policy.limits.save();
    });
    await withSystem(options, async ({ call }) =>
      assert.equal((await call('calculate', { expression: '1' })).success, true),
    );
  });

  it('S4.probes: every kind of probe runs before a call, under policy, once within its budget', async () => {
    const { http, asked } = web({ 'https://health.example.com/': {} });
    const secrets = new MemorySecrets();
    await secrets.set('page', 'x');
    const clock = new FakeClock();
    const probes = {
      'res.http': { type: 'http', url: 'https://health.example.com/' },
      'res.command': { type: 'command', command: process.execPath, args: ['-e', ''] },
      'res.file': { type: 'file', path: 'README.md' },
      'res.secret': { type: 'secret', name: 'page' },
      'res.env': { type: 'env', name: 'AC_WIRED' },
      'res.mcp': { type: 'mcp', server: 'files' },
      'res.channel': { type: 'channel', channel: 'media' },
      'res.vscode': { type: 'vscode', command: 'fine' },
      'res.closed': { type: 'http', url: 'https://closed.example.com/' },
    };
    const rows = Object.entries(probes).map(([id, probe]) => ({ id, critical: true, freshnessBudgetHours: 1, probe }));
    const text = JSON.stringify(rows);
    const options: SystemOptions = {
      files: { 'README.md': 'x' },
      user: {
        'policy.boundaries': [
          { id: 'shut', match: { host: 'closed.example.com' }, decision: 'deny', reason: 'closed' },
        ],
      },
      platform: {
        http,
        clock,
        approvesProbes: true,
        resolverFiles: {
          read: () => [{ path: '.vscode/capabilities/requirements.json', text }],
          onDidChange: () => toDisposable(() => undefined),
        },
        prober: (client) =>
          createNodeProber({
            http: client,
            secrets,
            environment: { ...process.env, AC_WIRED: '1' },
            folder: () => process.cwd(),
            isServerUp: () => true,
            isChannelLoaded: () => true,
            runEditorCommand: async () => true,
          }),
      },
    };
    await withSystem(options, async ({ core, events }) => {
      const { resolver } = core.gate.resolver;
      const outcomes: Record<string, string> = {};
      for (const id of Object.keys(probes)) {
        const outcome = await resolver.probe(id, new AbortController().signal);
        outcomes[id] = outcome.outcome === 'probed' ? String(outcome.isGood) : worded(outcome.why);
      }
      const good = Object.fromEntries(Object.keys(probes).map((id) => [id, 'true']));
      assert.deepEqual(outcomes, { ...good, 'res.closed': 'denied by boundary "shut": closed' });
      assert.deepEqual(asked, ['https://health.example.com/']);
      assert.equal(events.filter((event) => event.type === 'probe').length, Object.keys(probes).length - 1);
      assert.deepEqual([resolver.state('res.file'), resolver.state('res.closed')], ['fresh', 'unknown']);
      clock.advance(3_600_001);
      assert.equal(resolver.state('res.file'), 'stale');
    });
  });
});
