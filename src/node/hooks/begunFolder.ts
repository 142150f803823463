import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { isObject } from '../../core/base/json';
import type { BegunCall, BegunCalls, EndedCall, Entry } from '../../core/ports/begunCalls';
import type { Image } from '../../core/ports/changes';
import { replaceFileSync } from '../files/replaceFile';
import { dayMs, keepWithin } from '../folders/keepWithin';
import { checkPrivate, privateSubfolder } from './privateFolder';
import { errnoOf } from '../errors/errno';

const mostFiles = 500;
const mostBytes = 200_000_000;
const mostBytesOfCall = 16_000_000;
const mostDays = 14;
const longestHeader = 1 << 20;
/** Sorts by time: milliseconds since 1970, then what tells calls apart. */
const entryName = /^(\d{13})-([\w-]{1,100})\.(begun|ended)$/;

/**
 * What stood in files before other agents changed them, one file for each call: a line of JSON, then the bytes that it
 * names. It lies in the user's private folder, because a call may begin while an editor answers and end while none
 * does.
 */
export function begunFolder(privateFolder: string): BegunCalls {
  const folder = path.join(privateFolder, 'changes');
  const names = (kind: 'begun' | 'ended'): readonly string[] => {
    try {
      const found = readdirSync(folder).filter((name) => entryName.exec(name)?.[3] === kind);
      if (found.length > 0) checkPrivate(folder, true);
      return found.sort();
    } catch (error) {
      // Nothing was kept so far.
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  };
  const write = (name: string, call: object, images: readonly Image[]): void => {
    privateSubfolder(privateFolder, 'changes');
    if (!entryName.test(name)) throw new Error('a call that cannot be named');
    const told = images.map(({ hash, bytes }) => ({ hash, size: bytes.length }));
    const header = Buffer.from(`${JSON.stringify({ version: 1, call, images: told })}\n`);
    if (header.length > longestHeader) throw new Error('it names too many files');
    replaceFileSync(path.join(folder, name), Buffer.concat([header, ...images.map(({ bytes }) => bytes)]));
    drop(folder);
  };
  return {
    mostBytes: mostBytesOfCall,
    begin: (call, images) => write(`${timeText(call.time)}-${call.id}.begun`, call, images),
    begun: () => names('begun').flatMap((name) => readEntry<BegunCall>(folder, name) ?? []),
    end: (call, images) =>
      write(`${timeText(call.endedAt)}-${call.id}-${call.places[0]?.id.slice(0, 8) ?? ''}.ended`, call, images),
    ended: (known) =>
      names('ended').flatMap((name) => (known.has(name) ? [] : (readEntry<EndedCall>(folder, name) ?? []))),
    remove: (name) => rmSync(path.join(folder, name), { force: true }),
  };
}

const timeText = (time: number): string => String(Math.max(0, Math.round(time))).padStart(13, '0');

/** Undefined for one that was cut, or is gone meanwhile. */
function readEntry<T extends BegunCall | EndedCall>(folder: string, name: string): Entry<T> | undefined {
  const file = path.join(folder, name);
  try {
    checkPrivate(file, false);
    const line = readHeader(file);
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (!isObject(value) || value['version'] !== 1 || !isObject(value['call']) || !Array.isArray(value['images']))
      return undefined;
    const told: readonly unknown[] = value['images'];
    // Only this program writes the file, in a folder that is this user's alone and closed to tools.
    const call = value['call'] as object as T;
    return { name, call, images: () => readImages(file, line.length + 1, told) };
  } catch {
    return undefined;
  }
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    for (let length = 8192; ; length *= 8) {
      const into = Buffer.alloc(Math.min(length, longestHeader));
      const count = readSync(descriptor, into, 0, into.length, 0);
      const end = into.subarray(0, count).indexOf(10);
      if (end >= 0) return into.subarray(0, end);
      if (count < length || length >= longestHeader) throw new Error('no header');
    }
  } finally {
    closeSync(descriptor);
  }
}

function readImages(file: string, start: number, told: readonly unknown[]): readonly Image[] {
  const images: Image[] = [];
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    let at = start;
    for (const one of told) {
      if (!isObject(one)) break;
      const { hash, size } = one;
      if (typeof hash !== 'string' || typeof size !== 'number' || !(size >= 0 && size <= mostBytes)) break;
      const bytes = Buffer.alloc(size);
      const count = readSync(descriptor, bytes, 0, size, at);
      at += size;
      if (count === size && createHash('sha256').update(bytes).digest('hex') === hash) images.push({ hash, bytes });
    }
    return images;
  } finally {
    closeSync(descriptor);
  }
}

/** Removes what is old, the oldest beyond the bounds, and what a process left that was killed while it wrote. */
function drop(folder: string): void {
  const now = Date.now();
  const all = readdirSync(folder).map((name) => {
    const file = path.join(folder, name);
    const time = Number(/^\d{13}/.exec(name)?.[0] ?? now);
    const isLeft = name.endsWith('.tmp') && time < now - dayMs;
    return { name, timeMs: isLeft ? 0 : time, size: statSync(file, { throwIfNoEntry: false })?.size ?? 0 };
  });
  all.sort((a, b) => (a.name < b.name ? -1 : 1));
  keepWithin(all, { days: mostDays, count: mostFiles, bytes: mostBytes }, now, ({ name }) => {
    rmSync(path.join(folder, name), { force: true });
    return true;
  });
}
