import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRe2 } from '../../../../src/core/base/re2Syntax';
import { createCompiler } from '../../../../src/core/base/runtimeAjv';
import { schemaFault } from '../../../../src/core/base/schemaBounds';
import { createValidator } from '../../../../src/core/base/validator';
import { runs } from '../../../support/counts';
import { workedMs } from '../../../support/processorTime';

const codeOf = (schema: unknown): string | undefined => schemaFault(schema)?.code;

/** A chain in which each part refers twice to the one before. */
const doubling = (
  steps: number,
  twice: (reference: object) => object,
  name = (index: number) => `d${index}`,
): object => {
  const parts: Record<string, unknown> = { [name(0)]: { type: 'object' } };
  for (let index = 1; index <= steps; index++) parts[name(index)] = twice({ $ref: `#/$defs/${name(index - 1)}` });
  return { type: 'object', $defs: parts, properties: { a: { $ref: `#/$defs/${name(steps)}` } } };
};
/** What `\\p{…}` names, in this engine's words and in others that it does not know. */
const properties = [
  ...['L', 'Lu', 'LC', 'Any', 'Letter', 'Nonsense', '', '^Lu', 'Alphabetic', 'Emoji', 'ASCII', 'ID_Start', 'Cn', 'Cx'],
  ...['Greek', 'Grek', 'greek', 'Thai', 'Yi', 'Script=Greek', 'sc=Greek', 'sc=Grek', 'Script=Nonsense', 'sc=Lu'],
  ...['scx=Greek', 'Script_Extensions=Greek', 'gc=Lu', 'General_Category=Lu', 'gc=Letter', 'gc=Greek', 'Script=Thai'],
];
const repeated = [
  ...['a{1000}', 'a{1001}', 'a{1,2000}', 'a{2000,}', 'a{0,}', 'a{99999999999}', '(a{100}){10}', '(?:a{100}){11}'],
  ...['((a{10}){10}){11}', '(a{10}|b{200}){6}', '(a{10}b{200}){5}', '(a+){1000}', '(a{2,}){501}', '(a{0}b){1000}'],
  ...['(?:(?:a{500}){0}b){900}', '\\x{2000}', '\\u{2000}', '\\{2000}', '[a{2000}]', 'a{2000', '\\pL{3}', '\\pX'],
];
const inBoth = (reference: object): object => ({ allOf: [reference, reference] });

describe('the bounds of foreign schemas', () => {
  it('refuse a schema that asks for an asynchronous check, and no property of that name', () => {
    const asynchronous = { $async: true, type: 'object', required: ['a'] };
    assert.equal(codeOf(asynchronous), 'schema_async');
    assert.equal(codeOf({ properties: { a: { anyOf: [asynchronous] } } }), 'schema_async');
    assert.equal(codeOf({ default: asynchronous, allOf: [{ $ref: '#/default' }] }), 'schema_async');
    for (const fine of [{ properties: { $async: { const: true } } }, { properties: { a: { const: asynchronous } } }])
      assert.equal(codeOf(fine), undefined);
  });

  it('count what references lead to, in each way in which they double', () => {
    const ways: readonly ((reference: object) => object)[] = [
      inBoth,
      (one) => ({ anyOf: [one, one] }),
      (one) => ({ not: one, ...one }),
      (one) => ({ if: one, else: one }),
      (one) => ({ patternProperties: { a: one, '.': one } }),
      (one) => ({ items: one, contains: one }),
      (one) => ({ dependentSchemas: { a: one, b: one } }),
      (one) => ({ properties: { a: inBoth(one) } }),
    ];
    for (const [index, twice] of ways.entries()) {
      assert.equal(codeOf(doubling(8, twice)), undefined, `${index}`);
      assert.equal(codeOf(doubling(28, twice)), 'schema_alternatives', `${index}`);
    }
    const hidden = doubling(28, inBoth, (index) => `d%${index}/~`);
    const written = JSON.stringify(hidden).replace(/#\/\$defs\/d%(\d+)\/~/g, '#/$defs/d%25$1~1~0');
    assert.equal(codeOf(JSON.parse(written)), 'schema_alternatives', 'names that a pointer escapes');
    const within = { $defs: { inner: { $id: 'https://e.example/x', ...doubling(28, inBoth) } } };
    assert.equal(codeOf(within), 'schema_alternatives', 'a document within the document');
    const way: Record<string, unknown> = { d0: { $anchor: 'd0' } };
    for (let index = 1; index <= 28; index++)
      way[`d${index}`] = { $anchor: `d${index}`, ...inBoth({ $ref: `#d${index - 1}` }) };
    assert.equal(codeOf({ $defs: way, $ref: '#d28' }), 'schema_alternatives', 'anchors');
  });

  it('count a way back into the schema once, and refuse one that never goes into the value', () => {
    const expression = {
      type: 'object',
      properties: { op: { type: 'string' }, args: { type: 'array', items: { $ref: '#' } }, not: { $ref: '#' } },
    };
    assert.equal(codeOf(expression), undefined);
    // A way back from inside keeps no doubling from being counted, wherever it is met first.
    const chain = doubling(22, inBoth) as { $defs: Record<string, object> };
    chain.$defs['d11'] = { properties: { back: { $ref: '#/$defs/d22' } }, ...chain.$defs['d11'] };
    assert.equal(codeOf({ ...chain, properties: { a: { $ref: '#/$defs/d11' } } }), 'schema_alternatives');
    for (const endless of [
      { $ref: '#' },
      { allOf: [{ not: { $ref: '#' } }] },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } },
      { properties: { b: { $ref: '#/$defs/b' } }, $defs: { b: { properties: { c: {} }, $ref: '#/properties/b' } } },
    ])
      assert.equal(codeOf(endless), 'schema_endless', JSON.stringify(endless));
  });

  it('refuse what no value can be checked by, exactly where it would not compile', () => {
    const compiler = createCompiler();
    const parts: object[] = [
      ...[-1, 0.5, 0, 3].flatMap((value) => [{ minLength: value }, { maxItems: value }, { minProperties: value }]),
      ...[0, -1, 0.01, 2].map((multipleOf) => ({ multipleOf })),
      ...['#/nowhere', '#/$defs/nowhere', '#nowhere', '#/$defs/here', '#/properties/a/not', '#here'].map(($ref) => ({
        $ref,
      })),
      // Tuples as they were written before the draft of 2020, and as they are.
      ...['old/items/0', 'old/items/1/items/0', 'old/items/2', 'old/additionalItems', 'old/prefixItems/0'].map(
        (at) => ({
          $ref: `#/properties/${at}`,
        }),
      ),
      ...['new/prefixItems/0', 'new/items', 'new/items/0', 'new/additionalItems'].map((at) => ({
        $ref: `#/properties/${at}`,
      })),
      ...['(', '[', '*a', 'a{2,1}', '^(?!x)', '(?<=a)b', '(a)\\1', '(?<n>a)\\k<n>'].map((pattern) => ({ pattern })),
      ...[
        '^a+$',
        '\\(\\?!',
        '[(?!]',
        '\\d-\\w',
        '(?i)a',
        '(?i:a)',
        '(?P<n>a)',
        '(?<n>a)',
        '\\\\1',
        '\\/',
        '\\-',
        '\\p{L}',
        '^[\u{1f600}-\u{1f64e}]+$',
        '^a\\-b$',
      ].map((pattern) => ({ pattern })),
      ...properties.flatMap((name) => [{ pattern: `\\p{${name}}` }, { pattern: `^[\\P{${name}}a]+$` }]),
      ...repeated.map((pattern) => ({ pattern })),
      { patternProperties: { '(': {} } },
      { patternProperties: { '^x': { type: 'string' } } },
    ];
    for (const part of parts) {
      const schema = {
        type: 'object',
        $defs: { here: { $anchor: 'here', type: 'string' } },
        properties: {
          a: { not: { type: 'null' } },
          b: part,
          old: { items: [{ type: 'string' }, { items: [{ type: 'null' }] }], additionalItems: { type: 'number' } },
          new: { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
        },
      };
      let isRefused = false;
      try {
        compiler.compile(schema as never);
      } catch {
        isRefused = true;
      }
      assert.equal(schemaFault(schema) !== undefined, isRefused, `${JSON.stringify(part)}: ${codeOf(schema)}`);
    }
    assert.equal(codeOf({ type: 'object', $defs: { unused: { $ref: '#/nowhere' } } }), undefined);
  });

  it('take the patterns that the engine compiles, and no others', () => {
    const pieces = [
      ...['[\\b]', '[a-\\d]', '[\\d-a]', '\\ö', '(?<a>', '(?P<a>', '(?<b>', '\\Qa{2000}\\E', '\\Q(\\E', '\\Q\\E', '[\\1]', '\\1', '\\12'],
      ...['^', '$', '\\b', '[[:foo:]]', '[[:^alpha:]]', '[[:', ':]', '(?<1a>', '(?<ä>', '(?<>', '\\x{110000}', '\\u{10ffff}', '\\u{110000}'],
      ...['\\8', '[\\B]', '(?i-)', '(?i-s:', '(?)', '(?-)', '(?:', '\\E', '\\😀', '😀', '[😀-🙏]', '[z-a]', '[a-', '[', ']', '[]', '[^]', '[^', '-', '\\'],
      ...['(', ')', '|', '*', '+', '?', '{', '}', '{2}', '{2,1}', '{02}', '{,3}', '{1001}', '{40}', '{99999999999}', 'a', '\\p{L}', '\\pX', '\\P'],
      ...['(?=', '(?<=', '(?>', '\\cA', '\\c', '\\x4', '\\x41', '\\k', '\\_', '\\Z', '\\e', '[\\x41-\\x{40}]', '[+--]', '[\\-a]', '[a-\\x62]', '/', '.'],
    ];
    const compiler = createCompiler();
    const compiles = (pattern: string): boolean => {
      try {
        compiler.compile({ type: 'string', pattern });
        return true;
      } catch {
        return false;
      }
    };
    const check = (pattern: string): void => assert.equal(isRe2(pattern), compiles(pattern), JSON.stringify(pattern));
    for (const piece of pieces) for (const form of [piece, `a${piece}`, `(${piece})`, `${piece}*`, `[${piece}]`]) check(form);
    for (const pattern of ['('.repeat(900) + ')'.repeat(900), '('.repeat(1200) + ')'.repeat(1200), '(?<a>x)|(?<a>y)', '(?<n>a{500}){3}'])
      check(pattern);
    // `\\P\\Z` is refused, though the engine would read a `Z` there.
    const joined = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join(''));
    const drawn = joined.filter((pattern) => !/\\[pP]\\/.test(pattern));
    fc.assert(fc.property(drawn, check), {
      numRuns: runs(300, 3000),
    });
  }); // prettier-ignore

  it('leave patterns that are compiled what they mean', async () => {
    const validator = createValidator(
      () => Promise.resolve({}),
      () => Promise.resolve(createCompiler()),
    );
    const fits = async (schema: object, value: unknown): Promise<boolean> =>
      (await validator.validate(JSON.stringify(schema), schema as never, value as never)).length === 0;
    for (const name of ['Script=Greek', 'sc=Greek', 'Greek']) {
      assert.ok(await fits({ type: 'string', pattern: `^\\p{${name}}+$` }, 'λόγος'), name);
      assert.ok(!(await fits({ type: 'string', pattern: `^\\p{${name}}+$` }, 'logos')), name);
    }
    assert.ok(await fits({ type: 'string', pattern: '^\\P{gc=Lu}$' }, 'a'));
    assert.ok(await fits({ type: 'string', pattern: '^\\\\p{sc=Greek}$' }, '\\p{sc=Greek}'), 'no property');
    const old = { items: [{ type: 'string' }, { $ref: '#/items/0' }], additionalItems: { $ref: '#/items/1' } };
    for (const tuple of [old, { prefixItems: old.items, items: old.additionalItems, $defs: {} }]) {
      const schema = JSON.parse(
        JSON.stringify({ type: 'array', ...tuple }).replaceAll('#/items', tuple === old ? '#/items' : '#/prefixItems'),
      );
      for (const good of [[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd']]) assert.ok(await fits(schema, good), `${good}`);
      for (const bad of [[1], ['a', 2], ['a', 'b', 3], ['a', 'b', 'c', 4]])
        assert.ok(!(await fits(schema, bad)), `${bad}`);
    }
    assert.ok(await fits({ items: [], additionalItems: { type: 'null' } }, [null]));
    assert.ok(!(await fits({ items: [{}], additionalItems: false }, [1, 2])));
    assert.ok(!(await fits({ items: [{ type: 'string' }], unevaluatedItems: false }, ['a', 2])));
    assert.ok(await fits({ additionalItems: false, items: {} }, [1, 2]), 'which counts beside a list alone');
  });

  it('read patterns in linear time, whatever is left open in them', () => {
    const started = workedMs();
    for (const piece of ['[', '[[:', '(?<', '\\Q', '\\p{', '\\x{', '(', '(?', '{1', '{1,', '\\', 'a{1}', '[^', ')'])
      assert.notEqual(codeOf({ pattern: piece.repeat(60_000 / JSON.stringify(piece).length) }), 'schema_long', piece);
    assert.ok(workedMs() - started < 500);
  });

  it('know words from names: a property may be called as a word is', () => {
    assert.equal(
      codeOf({ properties: { uniqueItems: true, $ref: { type: 'string' }, enum: { $id: 'x' } } }),
      undefined,
    );
    assert.equal(codeOf({ properties: { uniqueItems: { uniqueItems: true } } }), 'schema_unique');
  });
});

describe('the validator of foreign schemas', () => {
  const validator = createValidator(
    () => Promise.resolve({}),
    () => Promise.resolve(createCompiler()),
  );

  it('takes nothing for a yes but `true`, whatever a compiled schema answers', async () => {
    const promising = createValidator(
      () => Promise.resolve({}),
      () => Promise.resolve({ compile: () => (() => Promise.resolve(true)) as never }),
    );
    for (const one of [validator, promising]) {
      const answer = await one.validate('x', { $async: true, type: 'object', required: ['a'] }, {});
      assert.equal(answer[0]?.got !== undefined, true);
    }
    assert.equal((await promising.validate('y', { type: 'object' }, {})).length, 1);
  });

  it('checks recursive schemas as deep as the value goes', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    };
    assert.deepEqual(await validator.validate('t', schema, { name: 'a', children: [{ name: 'b' }] }), []);
    const [wrong] = await validator.validate('t', schema, { name: 'a', children: [{ name: 'b', children: [{}] }] });
    assert.equal(wrong?.path, '/children/0/children/0/name');
  });
});
