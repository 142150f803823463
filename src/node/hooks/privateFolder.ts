import { chmodSync, lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { makeFolder } from '../folders/makeFolder';

/**
 * The folder of this user in which hooks and editors meet: sockets, settings in force, last answers. It is found by the
 * password database, because the environment of a hook is the workspace's to choose.
 */
export const privateFolderPath = (dir?: string): string =>
  path.resolve(dir ?? path.join(userInfo().homedir, '.agent-capabilities'));

/**
 * The folder that an editor of tests or samples was told to use instead (`AGENT_CAPABILITIES_PRIVATE_FOLDER`), so that
 * it leaves nothing in the user's own. Only editors ask: a hook never does, and so finds no editor and decides alone.
 */
export const editorPrivateFolder = (environment: NodeJS.ProcessEnv): string =>
  privateFolderPath(environment['AGENT_CAPABILITIES_PRIVATE_FOLDER'] || undefined);

/**
 * Makes the folder where it is missing. Throws where it belongs to somebody else, is a link, or others may look in:
 * then nothing that stands there can be believed.
 */
export function openPrivateFolder(dir?: string): string {
  const folder = privateFolderPath(dir);
  makeFolder(folder);
  checkPrivate(folder, true);
  return folder;
}

/** A folder below it. */
export function privateSubfolder(folder: string, name: 'agents' | 'changes' | 'gates' | 'looks' | 'records'): string {
  const below = path.join(folder, name);
  makeFolder(below);
  checkPrivate(below, true);
  return below;
}

/** Throws where a file or folder is not this user's alone. Windows keeps the home folder closed by itself. */
export function checkPrivate(place: string, isFolder: boolean): void {
  const stat = lstatSync(place);
  const fits = isFolder ? stat.isDirectory() : stat.isFile() || stat.isSocket();
  if (!fits) throw new Error(`\`${place}\` is no ${isFolder ? 'folder' : 'file'}`);
  if (process.platform === 'win32' || !process.getuid) return;
  if (stat.uid !== process.getuid()) throw new Error(`\`${place}\` belongs to another user`);
  if ((stat.mode & 0o077) === 0) return;
  // What others could only look into is closed; what they could write holds whatever they left or took away.
  if (isFolder && (stat.mode & 0o022) === 0) chmodSync(place, 0o700);
  else if (isFolder) throw new Error(`\`${place}\` can be written by others; delete it, and it is made anew`);
  else throw new Error(`\`${place}\` can be read or written by others`);
}
