import { strict as assert } from 'node:assert';
import { linksIn } from '../../../../src/core/flow/links';
import { sendingLinks } from '../../../../src/core/flow/sendingLinks';
import { workedMs } from '../../../support/processorTime';

describe('links in a text', () => {
  it('D.flow: a text of nothing but openings of links costs time in proportion to its length', () => {
    const time = (size: number): number => {
      const text = '](/'.repeat(size);
      const started = workedMs();
      linksIn(text, 'https://docs.example/');
      sendingLinks('](//a'.repeat(size));
      return workedMs() - started;
    };
    time(1000);
    const small = Math.min(time(20_000), time(20_000));
    const large = time(320_000);
    assert.ok(large <= 50 * (small + 1), `20,000 in ${small} ms, 320,000 in ${large} ms`);
  });
});
