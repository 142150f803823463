import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { without } from '../../../../src/core/shell/spans';

describe('lines without some of their words', () => {
  it('D.shell: what stands outside of the words stays where it is, and nothing of them stays, in whatever order', () => {
    const part = fc.constantFrom('a', '.env', '🎉', ' ', 'é');
    const span = fc.record({ pos: fc.nat(20), length: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 20, maxLength: 30 }), fc.array(span, { maxLength: 5 }), (parts, some) => {
        const line = parts.join('');
        const spans = some.map(({ pos, length }) => ({ pos, end: Math.min(pos + length, line.length) }));
        const isIn = (at: number): boolean => spans.some(({ pos, end }) => pos <= at && at < end);
        const expected = Array.from({ length: line.length }, (_, at) => (isIn(at) ? ' ' : line[at])).join('');
        assert.equal(without(line, spans), expected);
      }),
    );
  });
});
