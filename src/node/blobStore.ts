import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../core/base/json';
import type { Blob, BlobStore } from '../core/ports/blobs';
import { replaceFile } from './files/replaceFile';
import { keepWithin } from './folders/keepWithin';
import { makeFolder } from './folders/makeFolder';

/** A blob store in a folder: one file per key, its first line the facts as JSON, then the bytes. */
export function createBlobStore(folder: string, maxBytes: number): BlobStore {
  const fileOf = (key: string): string => path.join(folder, `${createHash('sha256').update(key).digest('hex')}.blob`);
  let written = Number.POSITIVE_INFINITY;

  /** Removes the files that were used longest ago until all fit. Runs when enough was written to matter. */
  async function trim(): Promise<void> {
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const file = path.join(folder, name);
        const { size, mtimeMs } = await stat(file);
        return { file, size, timeMs: mtimeMs };
      }),
    );
    files.sort((a, b) => a.timeMs - b.timeMs);
    const gone: string[] = [];
    keepWithin(files, { bytes: maxBytes }, Date.now(), ({ file }) => gone.push(file) > 0);
    for (const file of gone) await rm(file, { force: true });
    written = 0;
  }

  return {
    async get(key) {
      try {
        const file = fileOf(key);
        const bytes = await readFile(file);
        const end = bytes.indexOf(10);
        const facts: unknown = JSON.parse(bytes.toString('utf8', 0, end));
        if (end < 0 || !isObject(facts) || facts['key'] !== key) return undefined;
        const now = new Date();
        await utimes(file, now, now).catch(() => undefined);
        // It was written from a JsonObject, and JSON parses to JSON.
        return { facts: facts['facts'] as Blob['facts'], body: new Uint8Array(bytes.subarray(end + 1)) };
      } catch {
        return undefined;
      }
    },
    async set(key, { facts, body }) {
      if (body.length > maxBytes / 4) return;
      try {
        makeFolder(folder);
        await replaceFile(fileOf(key), Buffer.concat([Buffer.from(`${JSON.stringify({ key, facts })}\n`), body]));
        written += body.length;
        if (written > maxBytes / 10) await trim();
      } catch {
        // A full or read-only disk costs the cache, not the call.
      }
    },
    async delete(key) {
      await rm(fileOf(key), { force: true }).catch(() => undefined);
    },
  };
}
