import { say, worded } from '../../../../src/core/base/sentence';
import { headerFault, withoutHeaders } from '../../../../src/core/foreign/headerDeclarations';
import { readPrompt } from '../../../../src/core/foreign/contents';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { infer } from '../../../../src/core/foreign/inference';
import { clientConfiguration, clientNames } from '../../../../src/core/foreign/clientConfiguration';
import { readEditorServers } from '../../../../src/core/foreign/editorConfig';
import { readTools } from '../../../../src/core/foreign/foreignList';
import { foreignDefinition } from '../../../../src/core/foreign/foreignTool';
import { foreignToolName } from '../../../../src/core/foreign/toolName';
import { listingDiff, listingHash, Pins } from '../../../../src/core/foreign/pins';
import { readCallResult } from '../../../../src/core/foreign/result';
import { extensionCapabilities } from '../../../../src/core/foreign/extensionTools';
import { parseServers, serverCapabilityId } from '../../../../src/core/foreign/serverSpec';
import { nodeCrypto } from '../../../../src/node/system';
import { runs } from '../../../support/counts';
import { fakePorts, MemoryStore } from '../../../support/toolContext';

const judged = (name: string, description = '', more: object = {}) => {
  const { riskLevel, sideEffects, kind } = infer({ name, description, ...more });
  return [riskLevel, sideEffects.join(' '), kind].join(' · ');
};

describe('inference of foreign tools', () => {
  it('S1.risk: infers risk and side effects from permissions, names and hints', () => {
    const cases: Record<string, string> = {
      'get_weather|Tells the weather': 'medium ·  · action',
      'write_file|': 'high · fs.write · action',
      'store|Writes a note': 'high · fs.write · action',
      'delete_record|': 'high · database.delete database.read fs.delete · action',
      'removeUser|': 'high · fs.delete · action',
      'exec|': 'high · system.exec · action',
      'helper|Executes what you say': 'high · system.exec · action',
      'create_note|': 'medium · fs.write · action',
      'add|Adds two numbers': 'medium ·  · action',
      'http_get|': 'medium · network.http · action',
      'sendEmail|': 'high · network.http · action',
      'make_payment|': 'critical · payments · action',
      'refund|': 'critical · payments · action',
      'delete_s3_bucket|': 'critical · cloud.resource_delete fs.delete · action',
      'create-aws-key|': 'critical · cloud.key_write fs.write · action',
      'overwriter|Overcharged by deletions of underwritings': 'medium ·  · action',
    };
    const got = Object.fromEntries(
      Object.keys(cases).map((key) => [key, judged(...(key.split('|') as [string, string]))]),
    );
    assert.deepEqual(got, cases);
    assert.equal(judged('x', '', { permissions: ['network'] }), 'high · network.http · action');
    assert.equal(judged('x', '', { permissions: ['payments'] }), 'critical · payments · action');
    assert.equal(judged('x', '', { permissions: ['cloud'] }), 'critical · cloud.resource_create · action');
  });

  it('S1.risk: takes the tags of another extension’s tool for permissions where they name one', () => {
    const tool = (name: string, tags: readonly string[]) => ({ name, description: 'Helps', inputSchema: {}, tags });
    const { capabilities } = extensionCapabilities(
      [
        tool('plain', ['acme', 'search', 'constructor', '__proto__']),
        tool('online', ['acme', 'Network']),
        tool('shop', ['payments']),
      ],
      [
        {
          id: 'acme.tools',
          displayName: 'Acme',
          version: '1.0.0',
          tools: ['plain', 'online', 'shop'].map((name) => ({ name })),
        },
      ],
      'ours.ours',
      { invoke: async () => ({ payload: {} }), timeoutMs: 1000, files: fakePorts().files },
    );
    assert.deepEqual(
      capabilities.flatMap(({ tools }) =>
        tools.map(
          ({ definition: { name, riskLevel, sideEffects, scopes } }) =>
            `${name} ${riskLevel} ${sideEffects.join()} ${scopes.join()}`,
        ),
      ),
      [
        'plain medium  foreign:call',
        'online high network.http foreign:call,http:read',
        'shop critical payments foreign:call,payments:write',
      ],
    );
  });

  it('takes hints upwards at once and downwards only when the user confirmed them', () => {
    assert.equal(judged('look', '', { hints: { destructiveHint: true } }), 'high ·  · action');
    assert.equal(judged('look', '', { hints: { openWorldHint: true } }), 'medium · network.http · action');
    assert.equal(judged('look', '', { hints: { readOnlyHint: true } }), 'medium ·  · action');
    assert.equal(judged('look', '', { hints: { readOnlyHint: true }, hintsConfirmed: true }), 'low ·  · data');
    assert.equal(
      judged('look', '', {
        hints: { readOnlyHint: true, destructiveHint: true },
        argumentEffects: ['fs.read'],
        hintsConfirmed: true,
      }),
      'low · fs.read · data',
    );
  });

  it('no hint lowers anything before it is confirmed, whatever the tool says', () => {
    const hints = fc.record({ readOnlyHint: fc.boolean(), idempotentHint: fc.boolean() });
    fc.assert(
      fc.property(fc.string(), fc.string(), hints, (name, description, given) => {
        const plain = infer({ name, description });
        const hinted = infer({ name, description, hints: given });
        assert.deepEqual(
          [hinted.riskLevel, hinted.sideEffects, hinted.kind, hinted.idempotent],
          [plain.riskLevel, plain.sideEffects, plain.kind, false],
        );
      }),
      { numRuns: runs(20, 500) },
    );
  });

  it('shows what the user set as such, and lets it decide', () => {
    const { definition } = foreignDefinition(
      { name: 'delete_all', inputSchema: { type: 'object' } },
      {
        from: 's',
        hintsConfirmed: false,
        override: { risk: 'low', permission: 'allowed', sideEffects: ['fs.read'], kind: 'data' },
        timeoutMs: 1000,
      },
    );
    assert.deepEqual(
      [
        definition.riskLevel,
        definition.permissions.agent,
        definition.sideEffects,
        definition.kind,
        definition.origins,
        definition.reasons?.map((one) => worded(one)),
      ],
      [
        'low',
        'allowed',
        ['fs.read'],
        'data',
        { riskLevel: 'override', sideEffects: 'override', kind: 'override', permission: 'override' },
        ['the name says delete'],
      ],
    );
  });

  it('keeps names that can be kept and tells the others apart', () => {
    assert.deepEqual(['get-sum', 'a.b', 'read_file', 'X'].map(foreignToolName), ['get-sum', 'a.b', 'read_file', 'X']);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
        assert.match(foreignToolName(a), /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/);
        if (a !== b) assert.notEqual(foreignToolName(a), foreignToolName(b));
      }),
      { numRuns: runs(20, 1000) },
    );
  });
});

describe('MCP server entries', () => {
  it('reads the shape of the editor, and names each fault', () => {
    const { servers, problems } = parseServers(
      {
        files: {
          command: 'npx',
          args: ['-y', 'x', '${workspaceFolder}'],
          env: { A: '1', PORT: 8080 },
          timeoutMs: 5000,
        },
        web: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${secret:t}' } },
        off: { command: 'x', disabled: true },
        old: { type: 'sse', url: 'https://example.com/sse' },
        none: {},
        wrong: { command: 'x', args: 'y' },
        typo: { command: 'x', comand: 'y' },
        'a:b': { command: 'x' },
        list: [],
        map: {
          command: 'x',
          accessMapping: { '*': { where: 'fs.read', n: 5 } },
          tools: { t: { risk: 'tiny', sideEffects: ['a'], enabled: false } },
        },
      },
      'user',
    );
    assert.deepEqual(
      servers.map((one) => [one.name, one.capabilityId, one.transport.type, one.enabled, one.timeoutMs]),
      [
        ['files', 'mcp_files', 'stdio', true, 5000],
        ['web', 'mcp_web', 'http', true, 60_000],
        ['off', 'mcp_off', 'stdio', false, 60_000],
        ['typo', 'mcp_typo', 'stdio', true, 60_000],
        ['map', 'mcp_map', 'stdio', true, 60_000],
      ],
    );
    assert.deepEqual(
      problems.map((one) => one.message),
      [
        "the MCP server `old`: `/type` sse is the old transport that the protocol has given up; use the server's streamable HTTP address with type http",
        'the MCP server `none`: `/command` is required',
        'the MCP server `wrong`: `/args` must be an array of strings (got string)',
        'the MCP server `typo`: `/comand` is not a known property; did you mean `command`?',
        'the MCP server `a:b`: its name must have 1 to 64 characters without `:`',
        'the MCP server `list`: must be an object (got array)',
        'the MCP server `map`: `/accessMapping/*/n` must be a side effect such as fs.read, several, or none',
        'the MCP server `map`: `/tools/t/risk` must be one of low, medium, high, critical; it counts as critical',
      ].map((text) =>
        text.replace(
          '; did you mean `command`?',
          problems.find((one) => one.message.includes('comand'))?.message.split('property')[1] ?? '',
        ),
      ),
    );
    assert.deepEqual(
      [{ ...servers[4]?.accessMapping, '*': { ...servers[4]?.accessMapping['*'] } }, { ...servers[4]?.tools }],
      [{ '*': { where: 'fs.read' } }, { t: { sideEffects: ['a'], enabled: false, risk: 'critical' } }],
    );
  });

  it('tells wrong declarations of headers apart, and lists none itself', () => {
    const argument = (schema: object) => ({ type: 'object', properties: { a: schema } });
    const header = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name });
    const judged = [
      argument({ type: 'string' }),
      argument(header('Region')),
      argument({ type: 'object', properties: { inner: header('Inner', 'integer') } }),
      // A property may be called like the word.
      { type: 'object', properties: { 'x-mcp-header': { type: 'object' } } },
      argument({ type: 'string', default: { 'x-mcp-header': 'X' } }),
      argument(header('')),
      argument(header('two words')),
      argument(header(7)),
      argument(header('A', 'number')),
      { type: 'object', properties: { a: header('A'), b: header('a') } },
      argument({ type: 'array', items: header('A') }),
      { ...argument({ type: 'string' }), 'x-mcp-header': 'A' },
      { type: 'object', anyOf: [argument(header('A'))] },
    ].map((schema) => headerFault(schema) === undefined);
    assert.deepEqual(judged, [true, true, true, true, true, false, false, false, false, false, false, false, false]);
    const schema = { type: 'object' as const, properties: { a: header('Region'), 'x-mcp-header': { type: 'string' } } };
    assert.deepEqual(withoutHeaders(schema as never), {
      type: 'object',
      properties: { a: { type: 'string' }, 'x-mcp-header': { type: 'string' } },
    });
    const plain = argument({ type: 'string' }) as never;
    assert.equal(withoutHeaders(plain), plain);
  });

  it('reads prompts with pictures beside their messages, and nothing that is no prompt', () => {
    const message = (content: object) => ({ role: 'user', content });
    const read = readPrompt({
      description: 'De\u202Escribes',
      messages: [
        message({ type: 'text', text: 'one\u200B' }),
        message({ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }),
        message({ type: 'resource', resource: { uri: 'a://b', text: 'inside' } }),
        message({ type: 'unheard-of' }),
        'nothing',
      ],
    });
    assert.deepEqual(read, {
      payload: {
        description: 'De⟨U+202E⟩scribes',
        messages: [
          message({ type: 'text', text: 'one⟨U+200B⟩' }),
          message({ type: 'media', media: 0 }),
          message({ type: 'resource', resource: { uri: 'a://b', text: 'inside' } }),
        ],
      },
      media: [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
    });
    assert.throws(() => readPrompt({ messages: 'none' }), /no prompt/);
  });

  it('gives every server an id of its own', () => {
    assert.equal(serverCapabilityId('files'), 'mcp_files');
    const ids = ['a-b', 'a_b', 'A_B', 'a b', 'ä', '日本', 'x'.repeat(64)].map(serverCapabilityId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^mcp_[a-z0-9_]+$/);
  });

  it("takes servers over from the editor's mcp.json in each of its shapes, inputs as secrets", () => {
    const editor = readEditorServers(
      parse(`{ // comment
        "inputs": [{ "type": "promptString", "id": "token", "password": true }],
        "servers": {
          "gh": { "type": "http", "url": "https://x.example/mcp", "headers": { "Authorization": "Bearer \${input:token}" }, "oauth": { "clientId": "c" }, "sandbox": true },
          "old": { "type": "sse", "url": "https://x.example/sse" },
        },
      }`),
    );
    assert.deepEqual(editor.servers, [
      {
        name: 'gh',
        entry: {
          type: 'http',
          url: 'https://x.example/mcp',
          headers: { Authorization: 'Bearer ${secret:token}' },
          oauth: { clientId: 'c' },
        },
        notes: [say('setting_not_carried', 'sandbox'), say('input_becomes_secret', 'token')],
      },
    ]);
    assert.match(editor.faults.map((one) => worded(one))[0] ?? '', /`old`.*sse/);
    assert.equal(
      readEditorServers({ mcpServers: { a: { command: 'x', type: 'local' } } }).servers[0]?.entry['type'],
      'stdio',
    );
    assert.deepEqual(
      readEditorServers({ a: { command: 'x' }, other: 5, more: {} }).servers.map((one) => one.name),
      ['a'],
    );
    assert.deepEqual(
      readEditorServers([]).faults.map((one) => worded(one)),
      ['the file must hold an object (got array)'],
    );
  });
});

describe('listings of servers', () => {
  const tool = (name: string, more: object = {}) => ({
    name,
    description: `Does ${name}`,
    inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    ...more,
  });

  it('leaves out what cannot be used and says why; the rest stays', () => {
    let deep: object = {};
    for (let index = 0; index < 100; index++) deep = { type: 'object', properties: { a: deep } };
    const read = readTools([
      tool('ok'),
      tool('ok'),
      { name: '' },
      7,
      { name: 'nested', inputSchema: deep },
      tool('remote', { inputSchema: { type: 'object', properties: { a: { $ref: 'https://evil.example/schema' } } } }),
      tool('list', { inputSchema: { type: 'array' } }),
      tool('big', { inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
      tool('output', { outputSchema: { $ref: 'file:///etc/passwd' } }),
      { name: 'bare' },
    ]);
    assert.deepEqual(
      read.tools.map((one) => one.name),
      ['ok', 'output', 'bare'],
    );
    assert.equal(read.faults.length, 8);
    assert.equal(read.tools[1]?.outputSchema, undefined);
    assert.deepEqual(read.tools[2]?.inputSchema, { type: 'object' });
    assert.deepEqual(
      readTools('no').faults.map((one) => worded(one)),
      ['the list of tools is not an array'],
    );
  });

  it('pins the whole list whatever its order; any change is found and shown', async () => {
    const read = (...tools: unknown[]) => readTools(tools);
    const before = read(tool('a'), tool('b'));
    assert.equal(listingHash(before, nodeCrypto), listingHash(read(tool('b'), tool('a')), nodeCrypto));
    const changes = [
      read(tool('a')),
      read(tool('a'), tool('b'), tool('c')),
      read(tool('a'), tool('renamed', { description: 'Does b' })),
      read(tool('a'), tool('b', { description: 'Does b\u200b' })),
      read(tool('a'), tool('b', { title: 'B' })),
      read(tool('a'), tool('b', { outputSchema: { type: 'object' } })),
      read(tool('a'), tool('b', { annotations: { readOnlyHint: true } })),
      read(tool('a'), tool('b', { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } })),
    ];
    const pins = new Pins(new MemoryStore(), nodeCrypto);
    assert.equal(pins.judge('s', before).state, 'new');
    await pins.approve('s', before, false, 0);
    assert.equal(pins.judge('s', before).state, 'approved');
    const shown = changes.map((after) => {
      const judged = pins.judge('s', after);
      return judged.state === 'changed' ? judged.diff?.join(' / ') : judged.state;
    });
    assert.deepEqual(shown, [
      '- tool b',
      '+ tool c: Does c / +   a?: string',
      'tool renamed: b → renamed',
      '  tool b, description: / - "Does b" / + "Does b⟨U+200B⟩"',
      '  tool b, title: / - null / + "B"',
      '  tool b, outputSchema: / - null / + {"type":"object"}',
      '  tool b, what it says of itself: / - nothing / + that it only reads',
      '  tool b, inputSchema: / - {"properties":{"a":{"type":"string"}},"type":"object"} / + {"properties":{"a":{"type":"number"}},"type":"object"}',
    ]);
    assert.deepEqual(listingDiff(before.tools, before.tools), []);
  });

  it('counts a pin whose stored list was changed as none, so that the user is asked again', async () => {
    const store = new MemoryStore();
    const pins = new Pins(store, nodeCrypto);
    const read = readTools([tool('a')]);
    await pins.approve('s', read, true, 0);
    const stored = JSON.stringify(store.get('mcp.pin.s'));
    await store.set('mcp.pin.s', JSON.parse(stored.replace('Does a', 'Does harm')));
    assert.equal(pins.get('s'), undefined);
    for (const damaged of [null, 'x', { hash: 'short' }, []]) {
      await store.set('mcp.pin.s', damaged as never);
      assert.equal(pins.judge('s', read).state, 'new');
    }
  });
});

describe('schemas of servers', () => {
  it('tell models no invisible character: descriptions show it, patterns escape it, names and values that hold one leave the tool out', () => {
    const listed = (property: object, name = 'a', more = {}) =>
      readTools([{ name: 't', inputSchema: { type: 'object', properties: { [name]: property }, ...more } }]);
    const told = listed({
      type: 'string',
      title: 't\u202e',
      description: 'hid\u{e0041}den',
      items: { $comment: 'c\u200b', anyOf: [{ description: 'd\u200b' }] },
    });
    const [tool] = told.tools;
    const { definition } = foreignDefinition(tool ?? assert.fail(), {
      from: 'x',
      hintsConfirmed: false,
      override: undefined,
      timeoutMs: 1,
    });
    assert.deepEqual(definition.inputSchema.properties, {
      a: {
        type: 'string',
        title: 't⟨U+202E⟩',
        description: 'hid⟨U+E0041⟩den',
        items: { $comment: 'c⟨U+200B⟩', anyOf: [{ description: 'd⟨U+200B⟩' }] },
      },
    });
    for (const [property, name, more] of [
      [{ type: 'string' }, 'a\u200bb', {}],
      [{ enum: ['x\u200b'] }, 'a', {}],
      [{ const: { 'k\u202e': 1 } }, 'a', {}],
      [{ default: 'x\u202e' }, 'a', {}],
      [{ enum: ['\u0645\u200c\u200c\u0631', 'pass\u200cword'] }, 'a', {}],
      [{ $ref: '#/$defs/x\u200b' }, 'a', { $defs: { 'x\u200b': {} } }],
    ] as const) {
      const { tools, faults } = listed(property, name, more);
      assert.deepEqual([tools.length, faults.length], [0, 1], JSON.stringify(property));
      assert.match(worded(faults[0] ?? assert.fail()), /invisible characters in a name or value \(`.*⟨U\+/);
    }
    const seen = (property: object): unknown => {
      const [one] = listed(property).tools;
      const options = { from: 'x', hintsConfirmed: false, override: undefined, timeoutMs: 1 };
      return foreignDefinition(one ?? assert.fail(JSON.stringify(property)), options).definition.inputSchema.properties;
    };
    for (const honest of [
      { enum: ['\n', '\r\n', '\r', '\t'] },
      { const: '\r' },
      { default: '\u0645\u06cc\u200c\u0631\u0648\u0645', examples: ['a\rb', '\u0915\u094d\u200d\u0937'] },
    ])
      assert.deepEqual(seen(honest), { a: honest });
    assert.deepEqual(seen({ examples: ['x\u200b'] }), { a: { examples: ['x⟨U+200B⟩'] } });
    for (const [raw, shown] of [
      ['^[^\u0000-\u001f]+$', '^[^\\u0000-\\u001f]+$'],
      ['^\u{e0041}\\d\n', '^\\u{e0041}\\d\n'],
      ['\\\\\u200b', '\\\\\\u200b'],
    ] as const) {
      assert.deepEqual(seen({ pattern: raw }), { a: { pattern: shown } });
      assert.deepEqual(seen({ patternProperties: { [raw]: {} } }), { a: { patternProperties: { [shown]: {} } } });
    }
    for (const name of ['format', 'enum', 'default', 'properties'])
      assert.equal(listed({ description: 'd\u200b' }, name).tools.length, 1, `a property called ${name}`);
    const output = readTools([
      { name: 't', inputSchema: {}, outputSchema: { type: 'object', properties: { 'a\u200b': {} } } },
    ]);
    assert.deepEqual([output.tools[0]?.outputSchema, output.faults.length], [undefined, 1]);
  });
});

describe('answers of servers', () => {
  it('say why a call failed where only structured content does', () => {
    const failed =
      (structuredContent: unknown, content: unknown[] = []) =>
      () =>
        readCallResult({ isError: true, content, structuredContent }, 't', true);
    assert.throws(failed({ reason: 'no\u202e quota' }), { message: '{"reason":"no⟨U+202E⟩ quota"}' });
    assert.throws(failed({ a: 1 }, [{ type: 'text', text: 'said' }]), { message: 'said' });
    assert.throws(failed(undefined), /gave no reason/);
  });

  it('joins texts, hands pictures on, links the rest and bounds everything', () => {
    const read = readCallResult(
      {
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
          { type: 'image', mimeType: 'text', data: 5 },
          { type: 'resource', resource: { uri: 'a://b', text: 'inside' } },
          { type: 'resource', resource: { uri: 'a://c', mimeType: 'application/zip', blob: 'AAAA' } },
          { type: 'resource_link', uri: 'a://d', name: 'D', more: {} },
          { type: 'novel' },
        ],
        structuredContent: { v: 1 },
      },
      't',
      false,
    );
    assert.deepEqual(read, {
      payload: {
        links: [
          { uri: 'a://c', mimeType: 'application/zip', bytes: 3 },
          { uri: 'a://d', name: 'D' },
        ],
        structured: { v: 1 },
        text: 'one\ntwo\ninside',
      },
      media: [
        { mimeType: 'image/png', data: 'AAAA' },
        { mimeType: 'audio/wav', data: 'AAAA' },
      ],
      parts: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
        { type: 'media', index: 0 },
        { type: 'media', index: 1 },
        { type: 'resource', resource: { uri: 'a://b', text: 'inside' } },
        { type: 'blob', resource: { uri: 'a://c', mimeType: 'application/zip' }, data: 'AAAA' },
        { type: 'link', link: { uri: 'a://d', name: 'D' } },
      ],
      warnings: ['a picture or sound without type or data left out', 'a part of unknown type `novel` left out'],
    });
    const large = (bytes: number) => ({ type: 'resource', resource: { uri: 'a://x', blob: 'A'.repeat(bytes) } });
    const bounded = readCallResult({ content: [large(6_000_000), large(6_000_000), large(0)] }, 't', false);
    assert.deepEqual(
      [bounded.parts?.length, bounded.warnings],
      [2, ['a resource left out: too much for one answer']],
      'bytes are bounded together, whatever they are',
    );
    // Behind a sign of no base64 a receiver may read on, where nothing was looked for.
    for (const blob of ['*', `${'A'.repeat(8192)}*AAAA`, `${'A'.repeat(8192)}=AAAA`, `AAAA${' '.repeat(9000)}AAAA`])
      assert.deepEqual(
        readCallResult({ content: [{ type: 'resource', resource: { uri: 'a://x', blob } }] }, 't', false).warnings,
        ['a resource left out: its data is not base64'],
      );
    const padded = { type: 'resource', resource: { uri: 'a://x', blob: `${'_-+/'.repeat(2000)}QQ==\n` } };
    assert.equal(readCallResult({ content: [padded] }, 't', false).warnings, undefined);
    assert.equal(readCallResult({ content: [{ type: 'text', text: 'plain' }] }, 't', false).parts, undefined);
    assert.deepEqual(readCallResult({ content: [], structuredContent: { v: 1 } }, 't', true).payload, { v: 1 });
    assert.deepEqual(readCallResult({ content: [{ type: 'text', text: 'x'.repeat(3_000_000) }] }, 't', false).payload, {
      text: `${'x'.repeat(2_000_000)}\n[cut: more than 2000000 characters; ask for a part]`,
    });
  });
});

describe('configuration for clients', () => {
  it('writes for each client what starts serve on this folder, with nothing unescaped', () => {
    const options = {
      command: ['node', '/opt/a b/cli.js'] as [string, string],
      workspace: '/home/x/it\'s "here"',
      profile: 'reviewer',
    };
    const all = Object.fromEntries(clientNames.map((name) => [name, clientConfiguration(name, options).text]));
    const args = ['/opt/a b/cli.js', 'serve', '--workspace', options.workspace, '--profile', 'reviewer'];
    assert.deepEqual(JSON.parse(all['claude-code'] ?? ''), {
      mcpServers: { 'agent-capabilities': { type: 'stdio', command: 'node', args } },
    });
    assert.deepEqual(JSON.parse(all['copilot-cli'] ?? ''), {
      mcpServers: { 'agent-capabilities': { type: 'local', command: 'node', args, tools: ['*'] } },
    });
    assert.equal(
      all['codex'],
      `[mcp_servers.agent-capabilities]\ncommand = "node"\nargs = ["/opt/a b/cli.js", "serve", "--workspace", "/home/x/it's \\"here\\"", "--profile", "reviewer"]\n`,
    );
    assert.equal(
      all['generic'],
      `node '/opt/a b/cli.js' serve --workspace '/home/x/it'\\''s "here"' --profile reviewer\n`,
    );
  });
});
