import type { Crypto } from '../ports/platform';

/**
 * The crypto of one call, which hashes the same bytes once: a tool that writes a file and what keeps the file ask for
 * the same digests. The bytes that a call hashes are not written to afterwards.
 */
export function callDigests(crypto: Crypto): Crypto {
  const known = new WeakMap<Uint8Array, string>();
  return {
    randomId: () => crypto.randomId(),
    sha256Pieces: () => crypto.sha256Pieces(),
    sha256(data) {
      if (typeof data === 'string') return crypto.sha256(data);
      const found = known.get(data);
      if (found !== undefined) return found;
      const digest = crypto.sha256(data);
      known.set(data, digest);
      return digest;
    },
  };
}
