import { strict as assert } from 'node:assert';
import { createCompiler } from '../../../../src/core/base/runtimeAjv';
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
    for (const wrong of [
      { type: 'strin' },
      { properties: 5 },
      { items: [{}] },
      { properties: { a: { minimum: 'x' } } },
    ])
      assert.throws(() => compiler.compile(wrong as never), /schema is invalid/, JSON.stringify(wrong));
    const named = { $defs: { a: { $id: 'https://e.example/a', type: 'string' } }, $ref: 'https://e.example/a' };
    assert.ok(compiler.compile(named)('text'));
    assert.throws(() => compiler.compile({ $ref: 'https://e.example/a' }), /resolve reference/);
    assert.throws(() => compiler.compile({ $ref: '#/nowhere' }), /resolve reference/);
  });
});
