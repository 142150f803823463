import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { withRecentDigests } from '../../../src/node/recentDigests';
import { nodeCrypto } from '../../../src/node/system';

const plain = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** A `Crypto` that counts what it really hashes. */
function counting() {
  const hashed: number[] = [];
  const crypto = withRecentDigests({
    ...nodeCrypto,
    sha256: (data) => {
      hashed.push(data.length);
      return nodeCrypto.sha256(data);
    },
  });
  return { crypto, hashed };
}

describe('digests of recent contents', () => {
  it('are those of the bytes, whatever was hashed before', () => {
    const sizes = [0, 1, 2047, 2048, 5000, 20_000];
    fc.assert(
      fc.property(
        // Contents that differ in one byte only, often away from where samples are taken, and come again.
        fc.array(
          fc.record({ size: fc.constantFrom(...sizes), at: fc.nat(20_000), byte: fc.integer({ min: 0, max: 1 }) }),
          {
            maxLength: 40,
          },
        ),
        (contents) => {
          const { crypto } = counting();
          for (const { size, at, byte } of contents) {
            const data = new Uint8Array(size + 3).fill(7).subarray(3);
            if (at < size) data[at] = byte;
            assert.equal(crypto.sha256(data), plain(data));
          }
        },
      ),
    );
  });

  it('are made once for the same bytes, and anew where the bytes were changed in their place', () => {
    const { crypto, hashed } = counting();
    const data = new Uint8Array(10_000).fill(1);
    for (const _ of [1, 2, 3]) assert.equal(crypto.sha256(data), plain(data));
    assert.deepEqual(hashed, [10_000]);
    data[2600] = 9;
    assert.equal(crypto.sha256(data), plain(data));
    assert.equal(crypto.sha256(Buffer.from(data)), plain(data));
    assert.deepEqual(hashed, [10_000, 10_000]);
  });

  it('of the oldest contents are forgotten, so that memory has an end', () => {
    const { crypto, hashed } = counting();
    const content = (index: number): Uint8Array => Buffer.alloc(500_000, `${index} `);
    for (let index = 0; index < 40; index++) crypto.sha256(content(index));
    const before = hashed.length;
    crypto.sha256(content(39));
    assert.equal(hashed.length, before);
    crypto.sha256(content(0));
    assert.equal(hashed.length, before + 1);
  });
});
