// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { memoryStore } from '../../../../src/node/memory';
import { gateway, named, outcome, scripted, scriptedUser } from '../../../support/mcp/harness';

describe('MCP servers act as their entries say', () => {
  it('gives a server the environment that its entry names, secrets filled in, and nothing else of ours', async () => {
    const entry = (value: string) =>
      scripted({ tools: named('env') }, { env: { KEY: value, PLAIN: 'p', WHERE: '${workspaceFolder}' } });
    const g = await gateway({
      servers: { s: entry('${secret:api}'), broken: entry('${secret:missing}') },
      serverUser: scriptedUser().user,
      environment: { AGENT_CAPABILITIES_SECRET_API: 's3cret', OTHER: 'no', HOME: '/home/x' },
    });
    try {
      await g.core.servers.list.discover();
      const env = JSON.parse(outcome(await g.call('s_env'))) as Record<string, string>;
      assert.deepEqual(
        [env['KEY'], env['PLAIN'], env['WHERE'], env['OTHER'], env['HOME']],
        ['s3cret', 'p', g.folder, undefined, '/home/x'],
      );
      assert.equal(env['cwd'], g.folder);
      assert.equal(g.state('broken'), 'failed');
      assert.match(
        JSON.stringify(g.core.servers.list.list().find((one) => one.name === 'broken')?.detail),
        /secret `missing` is not set/,
      );
    } finally {
      await g.close();
    }
  });

  it('lets a workspace entry act only once its content is approved, and asks again when it changes', async () => {
    const storage = memoryStore();
    const open = async (entry: object, yes: boolean) => {
      const { user } = scriptedUser({ approveServer: async () => yes });
      const g = await gateway({
        files: { '.vscode/settings.json': JSON.stringify({ 'agentCapabilities.mcp.servers': { s: entry } }) },
        set: { profiles: { default: { capabilities: ['mcp_s'] } } },
        serverUser: user,
        storage,
      });
      await g.core.servers.list.discover();
      const state = g.state('s');
      await g.close();
      return state;
    };
    assert.equal(await open(scripted(), false), 'unapproved');
    assert.equal(await open(scripted(), true), 'running');
    assert.equal(await open(scripted(), false), 'stopped', 'approved before');
    assert.equal(await open(scripted({ greet: true }), false), 'unapproved', 'another content');
  });

  it('S1.mcp: one yes for each of several workspace entries starts all of them, and one no keeps only its own', async () => {
    const entries = { a: scripted(), b: scripted(), c: scripted() };
    const asked: string[] = [];
    const { user } = scriptedUser({
      approveServer: async ({ server }) => {
        asked.push(server);
        return server !== 'b';
      },
    });
    const g = await gateway({
      files: { '.vscode/settings.json': JSON.stringify({ 'agentCapabilities.mcp.servers': entries }) },
      set: { profiles: { default: { capabilities: ['mcp_a', 'mcp_b', 'mcp_c'] } } },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.deepEqual(asked, ['a', 'b', 'c']);
      assert.deepEqual(
        ['a', 'b', 'c'].map((name) => g.state(name)),
        ['running', 'unapproved', 'running'],
      );
    } finally {
      await g.close();
    }
  });
});
