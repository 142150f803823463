import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { cacheDir } from './editor/cache';

/**
 * A PostgreSQL of its own in this process. Making the first files of a database takes seven times as long as all that
 * follows, so they are kept in the cache, by the version that made them.
 */
export async function openPostgres(): Promise<PGlite> {
  const { version } = JSON.parse(readFileSync('node_modules/@electric-sql/pglite/package.json', 'utf8')) as {
    version: string;
  };
  const kept = path.join(cacheDir(), `pglite-${version}.tar`);
  if (existsSync(kept)) return PGlite.create({ loadDataDir: new Blob([readFileSync(kept)]) });
  const fresh = await PGlite.create();
  const files = await fresh.dumpDataDir('none');
  mkdirSync(cacheDir(), { recursive: true });
  writeFileSync(`${kept}.${process.pid}`, Buffer.from(await files.arrayBuffer()));
  // Two files may make it at once; whoever reads it sees a whole one.
  renameSync(`${kept}.${process.pid}`, kept);
  return fresh;
}
