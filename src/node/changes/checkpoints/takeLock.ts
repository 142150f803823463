import { rm } from 'node:fs/promises';
import { takeProcessLock } from '../../processes/processLock';

/** How often to look again, in milliseconds. */
const pollMs = 25;

/**
 * Runs work while no other process runs such work. Waits until the signal aborts; fails where no lock can be made.
 * @param mostMs so long such work takes at most.
 */
export async function withLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  mostMs?: number,
): Promise<T> {
  for (signal.throwIfAborted(); !takeProcessLock(file, mostMs); signal.throwIfAborted())
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
