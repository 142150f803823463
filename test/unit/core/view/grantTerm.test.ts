import { strict as assert } from 'node:assert';
import { lifetimeUntil } from '../../../../src/core/present/grantTerm';

const at = (text: string): number => new Date(text).getTime();
const now = at('2026-03-10T12:00:00');
const until = (text: string): number | undefined => {
  const lifetime = lifetimeUntil(text, now);
  return lifetime === undefined ? undefined : now + lifetime;
};

describe('how long a grant holds', () => {
  it('D.modal: reads a time as its next occurrence and a date to its end, in local time', () => {
    assert.equal(until('17:30'), at('2026-03-10T17:30:00'));
    assert.equal(until(' 9:05 '), at('2026-03-11T09:05:00'));
    assert.equal(until('12:00'), at('2026-03-11T12:00:00'));
    assert.equal(until('2026-12-31 17:30'), at('2026-12-31T17:30:00'));
    assert.equal(until('2026-12-31'), at('2026-12-31T23:59:00'));
    assert.equal(until('2028-02-29'), at('2028-02-29T23:59:00'));
  });

  it('D.modal: takes neither the past, nor a day that does not exist, nor anything else', () => {
    for (const text of [
      '',
      '24:00',
      '12:60',
      '2026-02-30',
      '2026-13-01',
      '2026-03-10 11:59',
      'soon',
      '17',
      '17:30:00',
      '2026-3-1',
    ])
      assert.equal(until(text), undefined, text);
  });
});
