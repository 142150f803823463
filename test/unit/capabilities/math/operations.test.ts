import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { math } from '../../../../src/capabilities/math/math';
import { runs } from '../../../support/counts';
import { callTool } from '../../../support/toolContext';

const call = async (name: string, a: unknown, b: unknown) => {
  const result = await callTool(math, name, { a, b });
  return result.ok ? result.outcome.payload : result.error.code;
};

describe('the four operations', () => {
  it('S3.math: add, subtract, multiply and divide in decimal arithmetic and say whether the result is exact', async () => {
    assert.deepEqual(
      [
        await call('add', 0.1, 0.2),
        await call('subtract', 5, 8),
        await call('multiply', -1.1, 1.1),
        await call('divide', 1, 3),
        await call('divide', 7, 2),
        await call('add', 9007199254740992, 1e-20),
        await call('multiply', -5, 0),
      ],
      [
        { result: 0.3, exact: true },
        { result: -3, exact: true },
        { result: -1.21, exact: true },
        { result: 1 / 3, exact: false },
        { result: 3.5, exact: true },
        { result: 9007199254740992, exact: false },
        { result: 0, exact: true },
      ],
    );
  });

  it('S3.math: division by zero is a tool error', async () => {
    assert.deepEqual(
      [await call('divide', 1, 0), await call('divide', 0, 0), await call('divide', 1, -0)],
      ['division_by_zero', 'division_by_zero', 'division_by_zero'],
    );
  });

  it('S3.math: results beyond a double are an error, input that is no finite number is refused', async () => {
    assert.deepEqual(
      [
        await call('multiply', 1e308, 10),
        await call('divide', 1e308, 1e-10),
        await call('add', Number.NaN, 1),
        await call('add', Number.POSITIVE_INFINITY, 1),
        await call('add', '1', 1),
        await call('add', undefined, 1),
      ],
      ['too_large', 'too_large', 'invalid_input', 'invalid_input', 'invalid_input', 'invalid_input'],
    );
  });

  it('S3.math: agrees with the machine to within one unit in the last place', async () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 });
    const machine: Record<string, (a: number, b: number) => number> = {
      add: (a, b) => a + b,
      subtract: (a, b) => a - b,
      multiply: (a, b) => a * b,
      divide: (a, b) => a / b,
    };
    await fc.assert(
      fc.asyncProperty(finite, finite, fc.constantFrom('multiply', 'divide'), async (a, b, name) => {
        fc.pre((a === 0 || Math.abs(a) > 1e-100) && Math.abs(b) > 1e-100);
        const expected = machine[name]?.(a, b) ?? 0;
        const { result } = (await call(name, a, b)) as { result: number };
        assert.ok(
          Math.abs(result - expected) <= Math.max(Math.abs(expected) * 4.5e-16, 1e-300),
          `${a} ${name} ${b} = ${result}`,
        );
      }),
      { numRuns: runs(20, 2000) },
    );
  });
});
