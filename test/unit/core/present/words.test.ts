import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { durationWords, shortCount, wholeNumber } from '../../../../src/core/present/words';
import { runs } from '../../../support/counts';

const bundle: Record<string, string> = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));
const german: Translate = (message, ...values) => plainWords(bundle[message] ?? message, ...values);

describe('a number of tokens', () => {
  it('D.tokens: has the decimal sign of the language in which it is read', () => {
    assert.deepEqual([shortCount(3650, plainWords), shortCount(3650, german)], ['3.6k', '3,6k']);
    assert.deepEqual([shortCount(950, german), shortCount(24_000, german)], ['950', '24k']);
  });
});

describe('a figure', () => {
  it('is written as the language of the person writes it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(20_000), fc.maxSafeNat()), (value) => {
        assert.equal(wholeNumber(value, plainWords), value.toLocaleString('en-US'));
        assert.equal(wholeNumber(value, german), value.toLocaleString('de-DE'));
      }),
      { numRuns: runs(200, 2000) },
    );
    assert.deepEqual(
      [14.4, 2140, 180_000, 6e8].map((ms) => durationWords(ms, german)),
      ['14 ms', '2,1 s', '3 min', '10.000 min'],
    );
  });
});
