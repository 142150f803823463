import { strict as assert } from 'node:assert';
import { math } from '../../../../src/capabilities/math/math';
import { callTool } from '../../../support/toolContext';

const columnOf = async (expression: string): Promise<unknown> => {
  const result = await callTool(math, 'calculate', { expression });
  if (result.ok) return 'accepted';
  return result.error.details?.['column'];
};

const sound = [
  '1',
  '2 + 3',
  '(4 - 1) * 2',
  'sqrt(2)',
  'max(1, 2)',
  '2 ^ 3',
  '5 km to m',
  '-7',
  '3!',
  'mean([1, 2])',
  '10%',
  '1.5e3',
  '0xff',
  'pi * 2',
];
const tails: readonly [string, number][] = [
  // What stands behind a sound expression, and where in it the fault is.
  [' +', 2],
  [' *', 2],
  [' /', 2],
  [' ^', 2],
  [' mod', 4],
  [' + )', 3],
  [' + ]', 3],
  [' * /2', 3],
  [' )', 1],
  [' ]', 1],
  [' ,', 1],
  [' = 2', 1],
  [' ; 2', 1],
  [' ? 1', 1],
  [' & ', 3],
  [' << ', 4],
  [' + (1', 5],
  [' + [1', 5],
  [' + ^2', 3],
  [' - unknownname', 3],
  [' + nofunction(1)', 3],
  [' + "a"', 3],
  [' + sqrt(1, 2)', 3],
  [' + sqrt()', 3],
  [' + 1..2', 5],
  [' + @', 3],
  [' {', 1],
  [" + '", 3],
  [' \\ 2', 1],
  [' + max()', 3],
  [' > 2', 1],
  [' < 2', 1],
  [' + 0b12', 3],
  [' + 0xg', 3],
  [' + 1__0', 3],
  [' # c', 1],
];

describe('calculate on malformed input', () => {
  it('S3.math: 500 malformed expressions give an error with the right column', async () => {
    const wrong: string[] = [];
    let count = 0;
    for (const head of sound) {
      for (const [tail, at] of tails) {
        const expected = head.length + at + 1;
        const got = await columnOf(head + tail);
        count++;
        if (got !== expected) wrong.push(`${head}${tail}: expected column ${expected}, got ${String(got)}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(count >= 500, String(count));
  });
});
