import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../../src/node/processes/isRunning';
import { takeProcessLock } from '../../../src/node/processes/processLock';

/** Where one start keeps its sample workspace and the editor's files. */
export interface StartPlace {
  readonly folder: string;
  /** False where another start of this checkout runs. */
  readonly isFirst: boolean;
  /** Lets the next start have it. */
  release(): void;
}

/**
 * The place of the first start of a checkout, which stays, or one of its own for each further one, which goes with it.
 */
export function startPlace(cache: string): StartPlace {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const left = Number(/^start-(\d+)$/.exec(name)?.[1] ?? 0);
    if (left > 0 && !isRunning(left)) rmSync(join(cache, name), { recursive: true, force: true });
  }
  const lock = join(cache, 'start.lock');
  if (takeProcessLock(lock))
    return { folder: join(cache, 'start'), isFirst: true, release: () => rmSync(lock, { force: true }) };
  const folder = join(cache, `start-${process.pid}`);
  return { folder, isFirst: false, release: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
