import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { projectRoot } from './root';

/** Written last into a finished folder; a folder without it is never used. */
const STAMP = 'installed.json';
const HEARTBEAT_MS = 2_000;
/** Wide enough that a machine under heavy load does not look like a dead installer. */
const STALE_MS = 30_000;

export type Log = (line: string) => void;

/** The git-ignored folder for everything downloaded or unpacked; worktrees may share one through the environment. */
export function cacheDir(): string {
  const override = process.env['AGENT_CAPABILITIES_CACHE'];
  return override ? resolve(override) : join(projectRoot(), '.cache');
}

/**
 * Waits for other installers of the same thing. The lock only saves work: two installers at once would be harmless,
 * because each fills a folder of its own and renames it. So a lock whose holder stopped touching it may be taken over.
 */
async function acquireLock(lock: string, log: Log): Promise<() => Promise<void>> {
  let told = false;
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const touched = await stat(lock).then(
      (found) => found.mtimeMs,
      () => 0,
    );
    if (touched > 0 && Date.now() - touched > STALE_MS) await rm(lock, { recursive: true, force: true });
    else {
      if (!told) log(`waiting for another run that installs ${basename(lock, '.lock')}`);
      told = true;
      await new Promise((done) => setTimeout(done, 500));
    }
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    await rm(lock, { recursive: true, force: true });
  };
}

async function removeLeftovers(target: string): Promise<void> {
  const prefix = `${basename(target)}.partial-`;
  for (const name of await readdir(dirname(target))) {
    if (name.startsWith(prefix)) await rm(join(dirname(target), name), { recursive: true, force: true });
  }
}

/** True where the folder `name` of the cache is there and complete. */
export const isInstalled = (name: string): boolean => existsSync(join(cacheDir(), name, STAMP));

/**
 * Gives the folder `name` of the cache, filling it on first use. It gets its name only when it is complete,
 * so an interrupted installation cannot be mistaken for a finished one.
 */
export async function installOnce(name: string, log: Log, install: (folder: string) => Promise<void>): Promise<string> {
  const target = join(cacheDir(), name);
  const stamp = join(target, STAMP);
  if (existsSync(stamp)) return target;
  await mkdir(cacheDir(), { recursive: true });
  const release = await acquireLock(`${target}.lock`, log);
  try {
    if (existsSync(stamp)) return target;
    await removeLeftovers(target);
    const partial = await mkdtemp(`${target}.partial-`);
    try {
      const started = Date.now();
      await install(partial);
      await writeFile(join(partial, STAMP), JSON.stringify({ name, finished: new Date().toISOString() }) + '\n');
      await rm(target, { recursive: true, force: true });
      await rename(partial, target);
      log(`installed ${name} in ${((Date.now() - started) / 1000).toFixed(0)} s`);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      if (!existsSync(stamp)) throw error;
    }
    return target;
  } finally {
    await release();
  }
}
