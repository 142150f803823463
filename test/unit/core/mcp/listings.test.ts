import { worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { readTools } from '../../../../src/core/foreign/foreignList';
import { foreignDefinition } from '../../../../src/core/foreign/foreignTool';
import { listingHash, Pins } from '../../../../src/core/foreign/pins';
import { plainWords } from '../../../../src/core/base/translate';
import { changeLines } from '../../../../src/core/present/listingWords';
import { inGerman } from '../../../support/german';
import { nodeCrypto } from '../../../../src/node/system';
import { MemoryStore } from '../../../support/toolContext';

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

  it('pins the whole list whatever its order; any change is found and shown, but for a tool that is not there now', async () => {
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
      return judged.state === 'changed'
        ? changeLines(judged.pin.tools, after.tools, plainWords).join(' / ')
        : judged.state;
    });
    assert.deepEqual(shown, [
      'approved',
      '+ tool c: Does c / +   a?: string',
      'tool renamed: b → renamed',
      '  tool b, description: / - "Does b" / + "Does b⟨U+200B⟩"',
      '  tool b, title: / - null / + "B"',
      '  tool b, outputSchema: / - null / + {"type":"object"}',
      '  tool b, what it says of itself: / - nothing / + that it only reads',
      '  tool b, inputSchema: / - {"properties":{"a":{"type":"string"}},"type":"object"} / + {"properties":{"a":{"type":"number"}},"type":"object"}',
    ]);
    assert.deepEqual(changeLines(before.tools, before.tools, plainWords), []);
    const german = changes.flatMap((after) => changeLines(before.tools, after.tools, inGerman));
    assert.doesNotMatch(german.join('\n'), /UNTRANSLATED|\btool\b|\bsays\b|\bonly\b|nothing/);
    assert.equal(german[0], '- Tool b');
    assert.match(changeLines(undefined, before.tools, inGerman).join(), /^die freigegebene Liste war zu groß/);
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
