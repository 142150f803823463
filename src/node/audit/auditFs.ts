import fs from 'node:fs';
import { makeFolder } from '../folders/makeFolder';

/** The calls of the file system that writing needs, so that tests can let each of them fail. */
export interface AuditFs {
  mkdir(path: string): void;
  /** Opens for appending; the file must not exist. */
  create(path: string): number;
  /** Opens an existing file for reading and writing. */
  openExisting(path: string): number;
  /** May write fewer bytes than asked, as a disk that fills up does. */
  write(fd: number, data: Uint8Array, offset: number, length: number, position: number): number;
  read(fd: number, data: Uint8Array, offset: number, length: number, position: number): number;
  truncate(fd: number, length: number): void;
  size(fd: number): number;
  /** False where the file was deleted under the open descriptor. */
  isLinked(fd: number): boolean;
  close(fd: number): void;
  /** Puts a file in the place of another, whole. */
  rename(from: string, to: string): void;
  /** Removes a file where it exists. */
  remove(path: string): void;
}

/** Only the user may read what the agent did. */
const fileMode = 0o600;

export const nodeAuditFs: AuditFs = {
  mkdir: (path) => void makeFolder(path),
  create: (path) => fs.openSync(path, 'wx+', fileMode),
  openExisting: (path) => fs.openSync(path, 'r+'),
  write: (fd, data, offset, length, position) => fs.writeSync(fd, data, offset, length, position),
  read: (fd, data, offset, length, position) => fs.readSync(fd, data, offset, length, position),
  truncate: (fd, length) => fs.ftruncateSync(fd, length),
  size: (fd) => fs.fstatSync(fd).size,
  isLinked: (fd) => fs.fstatSync(fd).nlink > 0,
  close: (fd) => fs.closeSync(fd),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.rmSync(path, { force: true }),
};

/** Writes all bytes or throws: a short write is what a full disk answers before it says ENOSPC. */
export function writeAll(fs: AuditFs, fd: number, data: Uint8Array, position: number): void {
  let done = 0;
  while (done < data.length) {
    const written = fs.write(fd, data, done, data.length - done, position + done);
    if (written <= 0) throw Object.assign(new Error('ENOSPC: nothing more could be written'), { code: 'ENOSPC' });
    done += written;
  }
}
