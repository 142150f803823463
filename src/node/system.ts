import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { toDisposable } from '../core/base/lifecycle';
import type { Clock, Crypto } from '../core/ports';

/** The machine's clock. `monotonic` counts sleep where the operating system does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, Math.min(delayMs, 0x7fffffff));
    return toDisposable(() => clearTimeout(timer));
  },
};

export const nodeCrypto: Crypto = {
  randomId: () => randomUUID(),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
};

/** A secret for one window: 256 random bits as hexadecimal digits. */
export function randomToken(): string {
  return randomBytes(32).toString('hex');
}
