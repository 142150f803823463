import path from 'node:path';
import { type HookProgram, launcherName } from '../../core/protection/entryCommand';

/**
 * What the entries of this machine start: the program that runs us, and the launcher in the private folder.
 * @param isOwnPlace true where the private folder is not the one that the hook finds by itself.
 */
export function hookPrograms(privateFolder: string, isOwnPlace: boolean): HookProgram {
  return {
    node: process.execPath,
    isEditor: process.versions['electron'] !== undefined,
    hook: path.join(privateFolder, launcherName),
    platform: process.platform,
    ...(isOwnPlace ? { privateFolder } : {}),
  };
}
