import { say } from '../base/sentence';
import { DiskFolders, mostEntries } from '../foreign/diskFolders';
import { isMade } from '../foreign/namesOnDisk';
import type { PlaceLabels } from '../foreign/placeLabels';
import type { FileSystem } from '../ports/files';
import { refusal } from '../vocabulary/errors';

const mostFolders = 2000;
const isWhole = /^(?:[/\\~]|[a-z]:)/i;

/**
 * The files that an agent may take for a relative path that is not there: each one in the folders below whose path ends
 * so. Links are not followed, stores of git are left out, and of what was installed as much is looked into as of all
 * else together. Throws a ToolError where the other folders are too many to look into.
 */
export async function foundBelow(path: string, files: FileSystem, labels: PlaceLabels): Promise<readonly string[]> {
  const disk = new DiskFolders({ files, labels });
  if (isWhole.test(path) || (await disk.standsAt(path)) !== 'nothing') return [];
  const names = path.replaceAll('\\', '/').split('/');
  const ending = `/${names.filter((name) => name !== '' && name !== '.').join('/')}`.toLowerCase();
  const found: string[] = [];
  const installed: string[] = [];
  const look = async (folders: string[], within: string[]): Promise<boolean> => {
    // What is added meanwhile is visited too.
    for (const folder of folders) {
      const entries = (await disk.entries(folder)) ?? [];
      if (folders.length > mostFolders || entries.length >= mostEntries) return false;
      for (const { name, type } of entries) {
        const place = `${folder}/${name}`;
        if (type === 'directory' && name !== '.git') (isMade(name, folder, true) ? within : folders).push(place);
        else if (type !== 'directory' && place.toLowerCase().endsWith(ending)) found.push(place);
      }
    }
    return true;
  };
  if (!(await look(['.'], installed))) throw refusal('path_invalid', say('host_path_unreadable', path.slice(0, 200)));
  await look(installed, installed);
  return found;
}
