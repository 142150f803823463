import { strict as assert } from 'node:assert';
import { readShell } from '../../../../src/core/shell/readShell';
import { honestLines } from './honestLines';

describe('lines of every day', () => {
  it(`D.shell: each of ${honestLines.length} is understood whole`, () => {
    const asked = honestLines.filter((line) => readShell(line, { cwd: '/w' }).unknown.length > 0);
    assert.deepEqual(asked, []);
  });
});
