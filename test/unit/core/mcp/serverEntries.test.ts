import { say, worded } from '../../../../src/core/base/sentence';
import { headerFault, withoutHeaders } from '../../../../src/core/foreign/headerDeclarations';
import { readPrompt } from '../../../../src/core/foreign/contents';
import { strict as assert } from 'node:assert';
import { parse } from 'jsonc-parser';
import { readEditorServers } from '../../../../src/core/foreign/editorConfig';
import { parseServers, serverCapabilityId } from '../../../../src/core/foreign/serverSpec';

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
