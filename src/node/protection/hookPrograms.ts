import path from 'node:path';
import { type HookProgram, launcherName } from '../../core/protection/entryCommand';
import { privateFolderPath } from '../hooks/privateFolder';

/**
 * What the entries of this machine start: the program that runs us, and the launcher in the private folder. They name a
 * private folder that is not the one that the hook finds by itself.
 */
export function hookPrograms(privateFolder: string): HookProgram {
  return {
    node: process.execPath,
    isEditor: process.versions['electron'] !== undefined,
    hook: path.join(privateFolder, launcherName),
    platform: process.platform,
    ...(privateFolder === privateFolderPath() ? {} : { privateFolder }),
  };
}
