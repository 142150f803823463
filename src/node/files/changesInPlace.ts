import { linkSync, mkdirSync, openSync, renameSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { type FileChanges, longestInPlace, pooledChanges } from './calls';

/** For a process that does nothing else. */
export const changesInPlace: FileChanges = {
  create: (path, flags, mode) => openSync(path, flags, mode),
  write: (descriptor, data) =>
    data.length <= longestInPlace ? writeSync(descriptor, data) : pooledChanges.write(descriptor, data),
  mkdir: (path, mode) => mkdirSync(path, { mode }),
  rename: (from, to) => renameSync(from, to),
  link: (from, to) => linkSync(from, to),
  unlink: (path) => unlinkSync(path),
  rmdir: (path) => rmdirSync(path),
};
