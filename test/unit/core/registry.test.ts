import { strict as assert } from 'node:assert';
import { ToolError } from '../../../src/core/vocabulary/errors';
import { modelNames } from '../../../src/core/vocabulary/names';
import { CapabilityRegistry, type RegisteredTool } from '../../../src/core/registry/registry';
import { parseToolFilter, type ToolFacts } from '../../../src/core/registry/toolFilter';
import { sourceKey } from '../../../src/core/vocabulary/toolSource';
import { capabilityOf, definition } from '../../support/gate';

describe('the registry', () => {
  it('keeps the order of registration, refuses a duplicate id and forgets on disposal', () => {
    const registry = new CapabilityRegistry();
    let changes = 0;
    const listening = registry.onDidChange(() => changes++);
    const b = registry.register(capabilityOf(definition({ name: 'b_tool' }), {}, { id: 'b' }));
    const a = registry.register(capabilityOf(definition({ name: 'a_tool' }), {}, { id: 'a', aliases: ['old_a'] }));
    assert.deepEqual(registry.capabilityIds(), ['b', 'a']);
    assert.equal(registry.capability('old_a')?.id, 'a');
    assert.throws(
      () => registry.register(capabilityOf(definition({ name: 'c_tool' }), {}, { id: 'a' })),
      (error) => error instanceof ToolError && /registered already/.test(error.message),
    );
    a.dispose();
    a.dispose();
    assert.deepEqual(
      [registry.capabilityIds(), registry.tool('a_tool'), registry.capability('old_a'), changes],
      [['b'], undefined, undefined, 3],
    );
    b.dispose();
    listening.dispose();
    registry.dispose();
  });

  it('takes no name that every table of names leaves out, so that nothing is on that no profile can switch off', () => {
    const registry = new CapabilityRegistry();
    for (const name of ['constructor', 'prototype'])
      for (const faulty of [
        capabilityOf(definition({ name }), {}, { id: 'a' }),
        capabilityOf(definition({ name: 'a_tool' }), {}, { id: name }),
      ])
        assert.throws(() => registry.register(faulty), ToolError);
    registry.dispose();
  });

  it('S0.registry: refuses a malformed definition and names the path of each fault', () => {
    const registry = new CapabilityRegistry();
    const broken = capabilityOf(
      definition({
        name: 'Not Snake',
        rateLimit: { requests: 0, windowMs: 1 },
        timeoutMs: 0,
        inputSchema: { type: 'string' },
      }),
      {},
      { id: 'has space', version: 'one', name: ' ' },
    );
    try {
      registry.register(broken);
      assert.fail('it was registered');
    } catch (error) {
      assert.ok(error instanceof ToolError);
      const faults = error.data.details?.['faults'];
      assert.ok(Array.isArray(faults));
      assert.deepEqual(
        faults.map((fault) => String(fault).split(' ')[0]),
        [
          '/id',
          '/version',
          '/name',
          '/tools/0/name',
          '/tools/0/inputSchema/type',
          '/tools/0/rateLimit',
          '/tools/0/timeoutMs',
        ],
      );
    }
    registry.dispose();
  });

  it('S0.filter S1.filters: filters by permission scope, source, risk, side effect, kind and category, gets by id and searches by words', () => {
    const registry = new CapabilityRegistry();
    const held = [
      registry.register(
        capabilityOf(
          definition({ name: 'read_mail', title: 'Read mail', riskLevel: 'low', scopes: ['mail:read'], kind: 'data' }),
          {},
          { id: 'mail', category: 'Mail' },
        ),
      ),
      registry.register(
        capabilityOf(
          definition({ name: 'send_mail', riskLevel: 'high', scopes: ['mail:send'], sideEffects: ['network.socket'] }),
          {},
          { id: 'send', source: { type: 'definition', file: 'a.json' } },
        ),
      ),
      registry.register(
        capabilityOf(
          definition({ name: 'pay', riskLevel: 'critical', sideEffects: ['payments'] }),
          {},
          { id: 'pay', source: { type: 'mcp', server: 'bank' } },
        ),
      ),
    ];
    const factsOf = ({ definition: tool, source, capability }: RegisteredTool): ToolFacts => ({
      ...tool,
      description: '',
      source: sourceKey(source),
      category: capability.category,
      permission: tool.permissions.agent,
      enabled: true,
    });
    const names = (filter: string) =>
      registry
        .tools()
        .filter((tool) => parseToolFilter(filter).keep(factsOf(tool)))
        .map((tool) => tool.id);
    assert.deepEqual(names(''), ['cap:mail:read_mail', 'cap:send:send_mail', 'mcp:bank:pay']);
    assert.deepEqual(names('risk:<=medium'), ['cap:mail:read_mail']);
    assert.deepEqual(names('source:mcp,definition'), ['cap:send:send_mail', 'mcp:bank:pay']);
    assert.deepEqual(names('-effect:payments,network.socket'), ['cap:mail:read_mail']);
    assert.deepEqual(names('scope:mail:send,other'), ['cap:send:send_mail']);
    assert.deepEqual(names('kind:data'), ['cap:mail:read_mail']);
    assert.deepEqual(names('category:Mail'), ['cap:mail:read_mail']);
    assert.deepEqual(names('pay'), ['mcp:bank:pay']);
    assert.equal(registry.tool('mcp:bank:pay')?.modelName, 'bank_pay');
    assert.deepEqual(
      registry.search('mail read').map((tool) => tool.definition.name),
      ['read_mail'],
    );
    assert.deepEqual(registry.search('nothing like it'), []);
    for (const one of held) one.dispose();
    registry.dispose();
  });

  it('gives every foreign tool a name of its own that depends on nothing else installed, at most 48 characters', () => {
    const own = (...of: Parameters<typeof modelNames>): string => modelNames(...of).own;
    const mcp = (server: string) => ({ id: 'x', source: { type: 'mcp', server } as const });
    assert.equal(own(mcp('files'), 'read'), 'files_read');
    const long = own(mcp('a-server-with-a-long-name'), 'a_tool_whose_name_is_long_enough_to_be_cut');
    assert.match(long, /^[a-zA-Z0-9_-]{1,48}$/);
    assert.equal(own(mcp('everything'), 'get-sum'), 'everything_get-sum');
    assert.notEqual(long, own(mcp('a-server-with-a-long-name'), 'a_tool_whose_name_is_long_enough_to_be_cuts'));
    assert.notEqual(own(mcp('a.b'), 'c'), own(mcp('a-b'), 'c'));
    assert.match(
      own({ id: 'get-weather', source: { type: 'definition', file: 'w.json' } }, 'today'),
      /^get_weather_today_\w{7}$/,
    );
  });

  it('S2.namespacing: models see readable names, and two tools never the same one', () => {
    const registry = new CapabilityRegistry();
    const channel = capabilityOf(
      definition({ name: 'volume' }),
      {},
      {
        id: 'com.example.media',
        source: { type: 'channel', channel: 'com.example.media' },
      },
    );
    const first = registry.register(channel);
    const volume = registry.tool('chan:com.example.media:volume');
    assert.equal(volume?.modelName, 'com_example_media_volume');
    const { own } = modelNames(channel, 'volume');
    // Whoever is spelled so keeps the name; both are found by the one that they have.
    const server = capabilityOf(
      definition({ name: 'volume' }),
      {},
      {
        id: 'mcp_com',
        source: { type: 'mcp', server: 'com_example_media' },
      },
    );
    const held = registry.register(server);
    assert.deepEqual(
      registry.tools().map((tool) => tool.modelName),
      [own, 'com_example_media_volume'],
    );
    assert.equal(registry.tool('com_example_media_volume')?.source.type, 'mcp');
    assert.equal(registry.tool(own), volume);
    held.dispose();
    assert.equal(volume?.modelName, 'com_example_media_volume');
    assert.equal(registry.tool('com_example_media_volume'), volume);
    // A name that was held stays good.
    assert.equal(registry.tool(own), volume);
    first.dispose();
    registry.dispose();
  });

  it('S2.namespacing: the names of servers and extensions are kept for them, as other names of a capability too', () => {
    const registry = new CapabilityRegistry();
    const source = { type: 'definition', file: 'helper.capability.json' } as const;
    const more: readonly (readonly [object, RegExp])[] = [
      [{ id: 'mcp_web' }, /\/id must not begin with `mcp_`.*got `mcp_web`/],
      [{ id: 'helper', aliases: ['mcp_web'] }, /\/aliases must not begin with `mcp_`.*got `mcp_web`/],
      [{ id: 'helper', aliases: ['help', 'ext_acme_tools'] }, /\/aliases must not begin with `ext_`/],
    ];
    for (const [names, said] of more)
      assert.throws(() => registry.register(capabilityOf(definition({ name: 'go' }), {}, { ...names, source })), said);
    registry.dispose();
  });

  it('S2.namespacing: two tools that are spelled alike have a name each, and what was said of either name holds', () => {
    const registry = new CapabilityRegistry();
    const of = (server: string, name: string) =>
      capabilityOf(definition({ name }), {}, { id: `mcp_${server}`, source: { type: 'mcp', server } });
    const first = registry.register(of('a', 'b_c'));
    const one = registry.tool('mcp:a:b_c');
    assert.equal(one?.modelName, 'a_b_c');
    const second = registry.register(of('a_b', 'c'));
    const other = registry.tool('mcp:a_b:c');
    const names = [one?.modelName ?? '', other?.modelName ?? ''];
    assert.equal(new Set(names).size, 2);
    for (const name of names) assert.match(name, /^a_b_c_[a-z0-9]{7}$/);
    assert.deepEqual(
      names.map((name) => registry.tool(name)?.id),
      ['mcp:a:b_c', 'mcp:a_b:c'],
    );
    assert.equal(registry.tool('a_b_c'), undefined);
    assert.deepEqual(registry.toolsNamed('a_b_c'), [one, other]);
    for (const tool of [one, other]) assert.ok(tool?.knownAs?.includes('a_b_c'));
    second.dispose();
    assert.equal(one?.modelName, 'a_b_c');
    assert.equal(registry.tool(names[0] ?? ''), one, 'a name that was held stays good');
    first.dispose();
    // A name of ours stays ours.
    const ours = registry.register(capabilityOf(definition({ name: 'read_file' }), {}, { id: 'own' }));
    const theirs = registry.register(of('read', 'file'));
    assert.equal(registry.tool('read_file')?.id, 'cap:own:read_file');
    assert.equal(registry.tool('cap:own:read_file')?.modelName, 'read_file');
    assert.match(registry.tool('mcp:read:file')?.modelName ?? '', /^read_file_\w{7}$/);
    for (const one of [ours, theirs]) one.dispose();
    registry.dispose();
  });
});
