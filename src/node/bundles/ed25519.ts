import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { Signatures } from '../../core/ports/signatures';

/** What stands before the key's 32 bytes in its SPKI form (RFC 8410). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

export const ed25519: Signatures = {
  isSigned(key, bytes, signature) {
    try {
      const publicKey = createPublicKey({ key: Buffer.concat([spkiHead, key]), format: 'der', type: 'spki' });
      return signature.length === 64 && verify(null, bytes, publicKey, signature);
    } catch {
      // 32 bytes that are no point of the curve.
      return false;
    }
  },
};

/** A private key as it is kept in a file: PEM of PKCS #8. Throws where it is none of Ed25519. */
export function readPrivateKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is a key of ${String(key.asymmetricKeyType)}`);
  return key;
}

/** The 32 bytes of the public key that belongs to a private one. */
export function publicBytes(key: KeyObject): Uint8Array {
  return Uint8Array.from(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiHead.length));
}

export function signBytes(bytes: Uint8Array, key: KeyObject): Uint8Array {
  return Uint8Array.from(sign(null, bytes, key));
}

/** A new private key, as PEM of PKCS #8. */
export function newPrivateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}
