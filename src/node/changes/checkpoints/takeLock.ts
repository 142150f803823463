import { open, readFile, rm, stat } from 'node:fs/promises';
import { errnoOf } from '../../files/errors';
import { isRunning } from '../../processes/isRunning';

/** How often to look again, in milliseconds. */
const pollMs = 25;
/** How long a lock may be without the number of its process, in milliseconds. */
const unnamedMs = 2000;

/**
 * Runs work while no other process runs such work, by a file that holds the number of the process at it; one of a process
 * that is gone counts for nothing. Waits until the signal aborts.
 */
export async function withLock<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(String(process.pid)).finally(() => handle.close());
      break;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    if (await isLeft(file)) await rm(file, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function isLeft(file: string): Promise<boolean> {
  try {
    const pid = Number(await readFile(file, 'utf8'));
    if (pid > 0) return !isRunning(pid);
    return Date.now() - (await stat(file)).mtimeMs > unnamedMs;
  } catch {
    return false;
  }
}
