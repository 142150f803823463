import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { toDisposable } from '../core/base/lifecycle';
import type { Clock, Crypto } from '../core/ports/platform';

/** The machine's clock. `monotonic` counts sleep where the operating system does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  schedule(callback, delayMs) {
    const timer = setTimeout(
      () => {
        // What has run is no longer open, whether or not somebody lets go of it.
        scheduled.dispose();
        callback();
      },
      Math.min(delayMs, 0x7fffffff),
    );
    const scheduled = toDisposable(() => clearTimeout(timer));
    return scheduled;
  },
};

export const nodeCrypto: Crypto = {
  randomId: () => randomUUID(),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  sha256Pieces() {
    const hash = createHash('sha256');
    return { add: (piece) => void hash.update(piece), digest: () => hash.digest('hex') };
  },
};

/** A secret for one window: 256 random bits as hexadecimal digits. */
export function randomToken(): string {
  return randomBytes(32).toString('hex');
}
