import { readdir, stat } from 'node:fs/promises';
import { stampText } from './fileStamp';
import { readSmallFile } from './regularFile';
import { errnoOf } from './errors/errno';

/** Files of policy on this machine, asked without the editor, which answers late while it starts. */
export const localFiles = {
  /** The names in a folder, in their order; undefined where there is none. Fails where it cannot be listed. */
  async names(folder: string): Promise<readonly string[] | undefined> {
    try {
      return (await readdir(folder)).sort();
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  },

  /** When a file changed last, in milliseconds of the day's clock, and what is another text once it changed again. */
  async stamp(file: string): Promise<{ readonly at: number; readonly text: string }> {
    const found = await stat(file);
    return { at: Math.max(found.mtimeMs, found.ctimeMs), text: stampText(found) };
  },

  read: readSmallFile,
};
