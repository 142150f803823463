import { strict as assert } from 'node:assert';
import { ToolIndex } from '../../../src/core/registry/toolIndex';
import { gateway, scripted, scriptedUser, served, until } from '../../support/mcp/harness';
import { workedMs } from '../../support/processorTime';

const payload = (result: any): any => {
  assert.ok(result.success, JSON.stringify(result));
  return result.payload;
};

describe('discovery for agents', () => {
  it('S2.discovery: lists capabilities by kind, category and source, with permissions and data shapes', async () => {
    const g = await gateway({ servers: { s: scripted() }, serverUser: scriptedUser().user });
    try {
      await g.core.servers.list.discover();
      const list = async (input: object) => payload(await g.call('list_capabilities', input));
      const all = await list({});
      assert.deepEqual(
        all.capabilities.map((one: any) => one.id),
        ['file_system', 'web_fetch', 'todo_list', 'current_time', 'math', 'capabilities', 'mcp_s'],
      );
      assert.deepEqual(all.capabilities.at(-1).tools, [
        { name: 's_echo', kind: 'action', agent: 'confirmation_required', risk: 'medium' },
      ]);
      assert.equal(all.total_tools, all.capabilities.flatMap((one: any) => one.tools).length);
      assert.deepEqual(
        (await list({ source: 'mcp' })).capabilities.map((one: any) => one.id),
        ['mcp_s'],
      );
      assert.deepEqual((await list({ source: 'mcp:s' })).total_tools, 1);
      assert.deepEqual(
        (await list({ category: 'network' })).capabilities.map((one: any) => one.id),
        ['web_fetch'],
      );
      assert.ok(
        (await list({ kind: 'data' })).capabilities.every((one: any) =>
          one.tools.every((tool: any) => tool.kind === 'data'),
        ),
      );
      const shapes = await list({ capability: 'math', shapes: true });
      assert.equal(shapes.capabilities[0].tools[0].input.type, 'object');
      assert.deepEqual((await list({ offset: 1000 })).capabilities, []);
      g.core.tools.profiles.activate('readOnly');
      const off = await list({ include_disabled: true });
      assert.equal(off.capabilities.find((one: any) => one.id === 'mcp_s').enabled, false);
      const unknown = await g.call('list_capabilities', { capability: 'nothing' });
      assert.equal(!unknown.success && unknown.error.code, 'not_found');
    } finally {
      await g.close();
    }
  });

  it('finds tools by words of their names, descriptions and parameters, best first', async () => {
    const g = await gateway({ servers: { s: scripted() }, serverUser: scriptedUser().user });
    try {
      await g.core.servers.list.discover();
      const find = async (query: string, more: object = {}) =>
        payload(await g.call('search_tools', { query, ...more })).tools.map((one: any) => one.name);
      assert.equal((await find('delete files'))[0], 'delete_file');
      assert.equal((await find('fetch a web page'))[0], 'web_fetch');
      assert.equal((await find('time zone'))[0].includes('time'), true);
      assert.equal((await find('s_echo'))[0], 's_echo');
      assert.deepEqual(await find('echoing texts', { source: 'mcp' }), ['s_echo']);
      assert.equal((await find('file', { limit: 2 })).length, 2);
      assert.ok(!(await find('file', { kind: 'data' })).includes('write_file'));
      assert.deepEqual(await find('zzzzz'), []);
      const one = payload(await g.call('search_tools', { query: 'read_file', limit: 1 })).tools[0];
      assert.deepEqual(
        [one.agent, one.risk, one.source, one.parameters.includes('path')],
        ['allowed', 'low', 'builtin', true],
      );
    } finally {
      await g.close();
    }
  });

  it('offers search instead of all tools where the profile says so; what was found joins the list', async () => {
    let changes = 0;
    const capabilities = ['file_system', { ref: 'capabilities', config: { offer: 'search' } }];
    const s = await served({
      set: { profiles: { lean: { capabilities } }, activeProfile: 'lean' },
      args: ['--profile', 'lean'],
      onListChanged: () => changes++,
    });
    try {
      const names = async () => (await s.client.listTools()).tools.map((tool) => tool.name);
      assert.deepEqual(await names(), ['list_capabilities', 'search_tools', 'check_capability']);
      await s.call('search_tools', { query: 'read_file', limit: 1 });
      await until(() => changes > 0);
      assert.deepEqual(await names(), ['read_file', 'list_capabilities', 'search_tools', 'check_capability']);
    } finally {
      await s.close();
    }
  });

  it('searches 10,000 tools in less than 20 ms', () => {
    const verbs = ['create', 'list', 'update', 'delete', 'search', 'send', 'read', 'move', 'copy', 'watch'];
    const nouns = ['issue', 'file', 'message', 'branch', 'user', 'invoice', 'ticket', 'image', 'event', 'report'];
    const tools = Array.from({ length: 10_000 }, (_, index) => ({
      name: `${verbs[index % 10]}_${nouns[Math.floor(index / 10) % 10]}_${index}`,
      title: `Tool ${index}`,
      tags: [],
      parameters: ['path', 'owner', `option_${index % 50}`],
      description: `${verbs[index % 10]} the ${nouns[Math.floor(index / 10) % 10]} number ${index} of a repository, with its labels and comments`,
    }));
    const index = new ToolIndex(tools);
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const since = workedMs();
      const found = index.search('update the invoices with labels of a repository', 10);
      times.push(workedMs() - since);
      assert.match(tools[found[0]?.index ?? 0]?.name ?? '', /^update_invoice/);
    }
    times.sort((a, b) => a - b);
    assert.ok((times[10] ?? 99) < 20, `${times[10]} ms`);
  });
});
