import { strict as assert } from 'node:assert';
import { memoryStore } from '../../../../src/node/memory';
import { gateway, outcome, scriptedUser, until } from '../../../support/mcp/harness';
import { httpServer } from '../../../support/mcp/httpServer';

const tool = (name: string, description = `Does ${name}`) => ({ name, description, inputSchema: { type: 'object' } });

/** A server that lists `first` at the start of each session, and says at once that it has `all` by now. */
async function growing(first: readonly object[], all: readonly object[]) {
  const server = await httpServer();
  let lists = 0;
  server.at.behave = ({ id, method }, response) => {
    if (method === 'initialize') lists = 0;
    if (method !== 'tools/list') return false;
    const events = [
      { id, result: { tools: lists++ === 0 ? first : all } },
      ...(lists === 1 ? [{ method: 'notifications/tools/list_changed' }] : []),
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((one) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...one })}\n\n`).join(''));
    return true;
  };
  return { server, listed: () => lists };
}

describe('an MCP server whose list of tools grows after each start', () => {
  const start = async (from: Awaited<ReturnType<typeof growing>>, storage = memoryStore()) => {
    const { user, asked } = scriptedUser();
    const g = await gateway({
      servers: { web: { ...from.server.entry, protocol: '2025-11-25' } },
      set: { 'network.allowedPrivateHosts': ['127.0.0.1'] },
      serverUser: user,
      storage,
    });
    await g.core.servers.list.start('web');
    // Asked for its second list it is running still with its first:
    // both are approved once a tool of the second is there.
    await until(() => g.core.tools.registry.tool('web_wave') !== undefined && from.listed() > 1);
    await until(() => g.state('web') === 'running');
    return { g, asked, storage };
  };

  it('is approved once for all: a part of what was approved asks nothing, nor does the rest', async () => {
    const from = await growing([tool('greet')], [tool('greet'), tool('wave')]);
    const first = await start(from);
    await first.g.close();
    const again = await start(from, first.storage);
    try {
      assert.equal(again.asked.length, 0);
      assert.equal(outcome(await again.g.call('web_wave')), 'hello');
    } finally {
      await again.g.close();
      await from.server.close();
    }
  });

  it('is asked about where its first list has anything that was not approved', async () => {
    const from = await growing([tool('greet')], [tool('greet'), tool('wave')]);
    const first = await start(from);
    await first.g.close();
    await from.server.close();
    const other = await growing([tool('greet', 'Sends all away')], [tool('greet'), tool('wave')]);
    const again = await start(other, first.storage);
    try {
      assert.ok(again.asked.length > 0);
    } finally {
      await again.g.close();
      await other.server.close();
    }
  });
});
