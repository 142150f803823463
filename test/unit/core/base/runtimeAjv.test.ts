import { strict as assert } from 'node:assert';
import { createCompiler } from '../../../../src/core/base/runtimeAjv';
import fc from 'fast-check';
import { runs } from '../../../support/counts';
import { workedMs } from '../../../support/processorTime';

describe('the compiler of foreign schemas', () => {
  const schema = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'string', pattern: '^a+$' }, list: { type: 'array', items: { type: 'integer' } } },
    required: [name],
    additionalProperties: false,
  });

  it('costs a few milliseconds for each schema, so that a server of many tools answers soon', () => {
    const compiler = createCompiler();
    compiler.compile(schema('first'));
    const costs = Array.from({ length: 8 }, (_one, index) => {
      const began = workedMs();
      const validate = createCompiler().compile(schema(`name${index}`));
      const cost = workedMs() - began;
      assert.ok(validate({ [`name${index}`]: 'aa', list: [1] }) && !validate({ [`name${index}`]: 'b' }));
      return cost;
    });
    // 3 ms where the draft's own schema is compiled once; 55 where each schema has it compiled again.
    assert.ok(Math.min(...costs) < 20, `${costs.map((cost) => cost.toFixed(1)).join(', ')} ms`);
  });

  it('refuses what is no schema, before and after others, and keeps ids of one apart from those of another', () => {
    const compiler = createCompiler();
    for (const wrong of [{ type: 'strin' }, { properties: 5 }, { properties: { a: { minimum: 'x' } } }])
      assert.throws(() => compiler.compile(wrong as never), /schema is invalid/, JSON.stringify(wrong));
    const named = { $defs: { a: { $id: 'https://e.example/a', type: 'string' } }, $ref: 'https://e.example/a' };
    assert.ok(compiler.compile(named)('text'));
    assert.throws(() => compiler.compile({ $ref: 'https://e.example/a' }), /resolve reference/);
    assert.throws(() => compiler.compile({ $ref: '#/nowhere' }), /resolve reference/);
  });

  it('compiles a schema in the time that its own length takes, however often it refers to a part', () => {
    const names = (prefix: string, one: unknown) =>
      Object.fromEntries(Array.from({ length: 120 }, (_one, index) => [`${prefix}${index}`, one]));
    const began = workedMs();
    createCompiler().compile({
      $defs: { a: { type: 'object', properties: names('p', { type: 'string' }) } },
      properties: names('q', { $ref: '#/$defs/a' }),
    } as never);
    // About 100 ms; 3 s where each reference holds a copy of the code of what it refers to.
    assert.ok(workedMs() - began < 1000, `${workedMs() - began} ms`);
  });

  it('reads tuples of older drafts as those of today', () => {
    const tuple = { properties: { a: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } } };
    const validate = createCompiler().compile(tuple as never);
    assert.deepEqual(
      [['x', 1], ['x'], [1], ['x', 1, 2]].map((a) => validate({ a })),
      [true, true, false, false],
    );
    const named = createCompiler().compile({ properties: { items: { const: { items: [1] } } } } as never);
    assert.deepEqual([named({ items: { items: [1] } }), named({ items: [] })], [true, false]);
  });

  it('takes a multiple for what it is in decimal', () => {
    const fits = (step: number, value: number) => createCompiler().compile({ type: 'number', multipleOf: step })(value);
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 6 }), (whole, places) => {
        assert.ok(fits(Number(`1e-${places}`), Number(`${whole}e-${places}`)));
        assert.ok(!fits(Number(`1e-${places}`), Number(`${whole}5e-${places + 1}`)));
      }),
      { numRuns: runs(10, 200) },
    );
    assert.deepEqual(
      [fits(0.01, 19.995), fits(1, 3.0000001), fits(0.3, 0.9), fits(2.5, 7.5), fits(1e-7, 1e21), fits(7, 0)],
      [false, false, true, true, true, true],
    );
  });
});
