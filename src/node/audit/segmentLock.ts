import path from 'node:path';
import { releaseProcessLock, takeProcessLock } from '../processes/processLock';

/** So long nobody holds a lock: an older one was left, though its number may be that of another process by now. */
export const heldMostMs = 86_400_000;

/**
 * Does something with a segment that no living window writes, unless another window does so just now, or the lock
 * cannot be made; answers undefined then.
 */
export function withSegmentLock<T>(dir: string, segment: string, body: () => T): T | undefined {
  const file = path.join(dir, 'heads', `${segment}.lock`);
  try {
    if (!takeProcessLock(file, heldMostMs)) return undefined;
  } catch {
    return undefined;
  }
  try {
    return body();
  } finally {
    releaseProcessLock(file);
  }
}
