import fs from 'node:fs';
import type { ChainSeal } from '../../core/audit/head';
import { makeFolder } from '../folders/makeFolder';

/** Only the user may read what the agent did. */
const fileMode = 0o600;

/** The calls of the file system that writing needs; tests let each of them fail. */
export const nodeAuditFs = {
  mkdir: (path: string): void => makeFolder(path),
  /** Opens for appending; the file must not exist. */
  create: (path: string): number => fs.openSync(path, 'wx+', fileMode),
  /** Opens an existing file for reading and writing. */
  openExisting: (path: string): number => fs.openSync(path, 'r+'),
  /** May write fewer bytes than asked, as a disk that fills up does. */
  write: (fd: number, data: Uint8Array, offset: number, length: number, position: number): number =>
    fs.writeSync(fd, data, offset, length, position),
  read: (fd: number, data: Uint8Array, offset: number, length: number, position: number): number =>
    fs.readSync(fd, data, offset, length, position),
  truncate: (fd: number, length: number): void => fs.ftruncateSync(fd, length),
  size: (fd: number): number => fs.fstatSync(fd).size,
  /** False where the file was deleted under the open descriptor. */
  isLinked: (fd: number): boolean => fs.fstatSync(fd).nlink > 0,
  close: (fd: number): void => fs.closeSync(fd),
  /** Puts a file in the place of another, whole. */
  rename: (from: string, to: string): void => fs.renameSync(from, to),
  /** Removes a file where it exists. */
  remove: (path: string): void => fs.rmSync(path, { force: true }),
};
export type AuditFs = Readonly<typeof nodeAuditFs>;

/** A folder of segments, by what it is written, and what seals its chains. */
export interface SealedFolder {
  readonly dir: string;
  readonly fs: AuditFs;
  readonly seal: ChainSeal;
}

/** Writes all bytes or throws: a short write is what a full disk answers before it says ENOSPC. */
export function writeAll(fs: AuditFs, fd: number, data: Uint8Array, position: number): void {
  let done = 0;
  while (done < data.length) {
    const written = fs.write(fd, data, done, data.length - done, position + done);
    if (written <= 0) throw Object.assign(new Error('ENOSPC: nothing more could be written'), { code: 'ENOSPC' });
    done += written;
  }
}
