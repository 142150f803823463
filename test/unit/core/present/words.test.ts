import { strict as assert } from 'node:assert';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { shortCount } from '../../../../src/core/present/words';

describe('a number of tokens', () => {
  it('D.tokens: has the decimal sign of the language in which it is read', () => {
    const german: Translate = (message, ...values) =>
      plainWords(message === '{0}.{1}' ? '{0},{1}' : message, ...values);
    assert.deepEqual([shortCount(3650, plainWords), shortCount(3650, german)], ['3.6k', '3,6k']);
    assert.deepEqual([shortCount(950, german), shortCount(24_000, german)], ['950', '24k']);
  });
});
