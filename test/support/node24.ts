import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { WorkerPool } from '../../src/core/ports/platform';
import type { Disposable } from '../../src/core/base/lifecycle';
import { createSqliteProcesses } from '../../src/node/databases/sqliteProcesses';
import { cacheDir, isInstalled } from './editor/cache';
import { buildThread } from './sandbox';

/**
 * The newer Node that the editor harness brings, undefined where it has not been installed. This process's own where it
 * is new enough.
 */
export function newNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath;
  const cache = cacheDir();
  // A folder that is still being filled is none.
  for (const name of existsSync(cache) ? readdirSync(cache).filter(isInstalled) : [])
    for (const platform of [`node-${process.platform}-${process.arch}`]) {
      const file = path.join(cache, name, 'node_modules', platform, 'bin', 'node');
      if (existsSync(file)) return file;
    }
  return undefined;
}

/** The processes of SQLite as the product has them, of the newer Node. */
export async function newNodePool(node: string): Promise<WorkerPool & Disposable> {
  return createSqliteProcesses(await buildThread('sqliteProcess'), { execPath: node });
}
