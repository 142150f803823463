import { envelopeText, signedBytes } from '../../src/core/bundles/envelope';
import { publicKeyText, readPublicKey } from '../../src/core/bundles/publicKey';
import { newPrivateKey, publicBytes, readPrivateKey, signBytes } from '../../src/node/bundles/ed25519';
import { nodeCrypto } from '../../src/node/system';

/** Somebody who signs bundles. */
export function signer(pem = newPrivateKey()) {
  const key = readPrivateKey(pem);
  const text = publicKeyText(publicBytes(key));
  const publicKey = readPublicKey(text, nodeCrypto);
  if (!publicKey) throw new Error('a public key that cannot be read');
  const sign = (payload: Uint8Array | string): Uint8Array => {
    const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
    const signature = signBytes(signedBytes(bytes), key);
    return new TextEncoder().encode(envelopeText({ payload: bytes, keyId: publicKey.id, signature }));
  };
  return { pem, key, text, publicKey, sign, seal: (payload: object) => sign(JSON.stringify(payload, undefined, 2)) };
}

/** A payload that can be read; `more` replaces parts of it. */
export function payloadOf(more: object = {}) {
  return {
    bundle: 1,
    name: 'acme',
    revision: 2,
    issued: '2026-01-01T00:00:00Z',
    expires: '2126-01-01T00:00:00Z',
    settings: {
      'policy.boundaries': [{ id: 'no-keys', match: { accessAny: ['fs.*'], path: 'keys/**' }, decision: 'deny' }],
      limits: { all: '100 per 1m' },
    },
    servers: { files: { sha256: nodeCrypto.sha256('a listing') } },
    definitions: { 'deploy.capability.json': { sha256: nodeCrypto.sha256('{}'), text: '{}' } },
    ...more,
  };
}
