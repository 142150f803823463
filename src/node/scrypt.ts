import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { TokenHasher } from '../core/policy/approvals/adminToken';

const options = { N: 1 << 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const length = 32;

function derive(token: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(token, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/**
 * Hashes the admin token with scrypt and a salt of its own; the text is `scrypt$<salt>$<hash>` in hexadecimal digits.
 */
export const scryptHasher: TokenHasher = {
  async hash(token) {
    const salt = randomBytes(16);
    return `scrypt$${salt.toString('hex')}$${(await derive(token, salt)).toString('hex')}`;
  },
  async verify(token, stored) {
    const [type, salt, hash] = stored.split('$');
    if (type !== 'scrypt' || !salt || !hash) return false;
    const expected = Buffer.from(hash, 'hex');
    const got = await derive(token, Buffer.from(salt, 'hex'));
    return expected.length === got.length && timingSafeEqual(expected, got);
  },
};
