import { strict as assert } from 'node:assert';
import { lazy } from '../../../../src/core/base/lazy';

describe('what is loaded with its first use', () => {
  it('is loaded once, and tried again after a load that failed', async () => {
    let tries = 0;
    const load = lazy(async () => {
      if (++tries === 1) throw new Error('no file');
      return tries;
    });
    await assert.rejects(Promise.all([load(), load()]), /no file/);
    assert.deepEqual(await Promise.all([load(), load()]), [2, 2]);
    assert.equal(await load(), 2);
  });
});
