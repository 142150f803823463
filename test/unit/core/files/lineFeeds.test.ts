import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { LineFeedCounter, pieceSize } from '../../../../src/core/files/lineFeeds';
import { runs } from '../../../support/counts';

describe('counting line feeds', () => {
  it('finds as many as there are, wherever they are and however many bytes there are', () => {
    const counter = new LineFeedCounter();
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(10, 10, 0x0b, 0x8a, 0, 65), { maxLength: 200 }),
        fc.boolean(),
        fc.constantFrom(0, 1),
        (bytes, lent, which) => {
          const piece = counter.pieces[which === 0 ? 0 : 1];
          if (lent) piece.set(bytes);
          const given = lent ? piece.subarray(0, bytes.length) : Uint8Array.from(bytes);
          assert.equal(counter.count(given), bytes.filter((byte) => byte === 10).length);
        },
      ),
      { numRuns: runs(50, 2000) },
    );
    for (const piece of counter.pieces) assert.equal(counter.count(piece.fill(10)), pieceSize);
  });
});
