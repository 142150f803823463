import crypto from 'node:crypto';
import type { ChainHash } from '../../core/audit/chain';
import type { ChainSeal } from '../../core/audit/head';

/**
 * The hash of the chain: SHA-256, or HMAC-SHA-256 with a key. `crypto.hash` is twice as fast as `createHash`.
 */
function chainHash(key?: Uint8Array): ChainHash {
  if (key) return (text) => crypto.createHmac('sha256', key).update(text).digest('hex');
  return (text) => crypto.hash('sha256', text, 'hex');
}

/**
 * All that chaining and verifying a folder needs: the hash, its name, and with a key what tells this key from others.
 */
export function chainSeal(key?: Uint8Array): ChainSeal {
  const hash = chainHash(key);
  return key ? { hash, alg: 'hmac-sha256', key: hash('which key is this').slice(0, 16) } : { hash, alg: 'sha256' };
}
