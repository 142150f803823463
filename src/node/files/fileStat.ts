import type { Stats } from 'node:fs';
import type { FileStat } from '../../core/ports/files';
import type { FileType } from '../../core/ports/workspacePath';

export function typeOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): FileType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

/** What the operating system says of an entry, as the port words it. */
export function facts(stat: Stats): FileStat {
  return {
    type: typeOf(stat),
    size: stat.size,
    readonly: (stat.mode & 0o222) === 0,
    createdMs: Math.round(stat.birthtimeMs),
    modifiedMs: Math.round(stat.mtimeMs),
    accessedMs: Math.round(stat.atimeMs),
    mode: stat.mode & 0o7777,
    links: stat.nlink,
  };
}
