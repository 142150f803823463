import { strict as assert } from 'node:assert';
import { createPrivateKey } from 'node:crypto';
import { SaidError } from '../../../src/core/base/sentence';
import { envelopeText, signedBytes } from '../../../src/core/bundles/envelope';
import { openBundle } from '../../../src/core/bundles/openBundle';
import { signBytes } from '../../../src/node/bundles/ed25519';
import { nodeCrypto } from '../../../src/node/system';
import { bytes, good, isTaken, mine, namedAttacks, next, nextText, options } from '../../support/bundleAttacks';
import { builtAttacks } from '../../support/builtBundleAttacks';

describe('attacks on bundles', () => {
  it('D.bundles: what is signed with the key and newer is taken', () => {
    assert.ok(isTaken(mine.seal(next())));
    assert.ok(isTaken(good), 'what is in force stays in force');
  });

  it('D.bundles: a changed byte at any place, of the file and of the payload, is refused', () => {
    const file = mine.seal(next());
    const places = Math.min(file.length, 1500);
    const taken: number[] = [];
    for (let index = 0; index < places; index++) {
      const at = Math.floor((index * file.length) / places);
      const changed = Uint8Array.from(file);
      // Among all others the bytes that readers of JSON and base64 take for the same.
      changed[at] = [0x20, 0x09, 0x0a, 0x3d, (file[at] ?? 0) ^ 1, (file[at] ?? 0) ^ 0x20][index % 6] ?? 0;
      if (changed[at] !== file[at] && isTaken(changed)) taken.push(at);
    }
    assert.deepEqual(taken, []);
  });

  it('D.bundles: a file that is cut anywhere, or has a byte more anywhere, is refused', () => {
    const file = Buffer.from(mine.seal(next()));
    for (let index = 0; index < 100; index++) {
      const at = Math.floor((index * file.length) / 100);
      assert.ok(!isTaken(file.subarray(0, at)), `cut at ${at}`);
      assert.ok(!isTaken(Buffer.concat([file.subarray(0, at), Buffer.from(' '), file.subarray(at)])), `space at ${at}`);
    }
  });

  for (const [name, file] of Object.entries(namedAttacks))
    it(`D.bundles: refuses ${name.replaceAll(/[^ -~]/g, '?')}`, () => assert.ok(!isTaken(file)));

  it('D.bundles: refuses each part with each thing that it cannot be, doubled, renamed, moved and too large', () => {
    const taken = Object.entries(builtAttacks).flatMap(([name, file]) => (isTaken(file) ? [name] : []));
    assert.deepEqual(taken, []);
  });

  it('D.bundles: these are more than 300 files, no two of them alike, beside the changed bytes', () => {
    const files = [...Object.values(namedAttacks), ...Object.values(builtAttacks)];
    const different = new Set(files.map((file) => nodeCrypto.sha256(file)));
    assert.ok(different.size > 300, String(different.size));
    // An attack that changes nothing would be the file that is taken.
    assert.ok(!different.has(nodeCrypto.sha256(mine.seal(next()))));
  });

  it('D.bundles: a key that is none opens nothing', () => {
    for (const key of [new Uint8Array(32), new Uint8Array(31), new Uint8Array(32).fill(0xff), Uint8Array.of(1)]) {
      const id = nodeCrypto.sha256(key);
      const file = bytes(
        envelopeText({
          payload: bytes(nextText),
          keyId: id,
          signature: signBytes(signedBytes(bytes(nextText)), mine.key),
        }),
      );
      assert.throws(() => openBundle(file, { ...options, key: { bytes: key, id } }), SaidError);
    }
    assert.equal(createPrivateKey(mine.pem).asymmetricKeyType, 'ed25519');
  });
});
