import type { WorkspacePath } from '../ports/workspacePath';
import type { ShellReading } from '../shell/shellReading';
import { resolveDots } from './machinePath';
import type { DiskPlaces } from './diskFolders';

/**
 * The words of those commands for which git would take a folder of the workspace itself for its repository, without a
 * `.git` that only git writes: whoever brought its files says by their settings what git runs. A folder that is not
 * there yet counts where the line makes it.
 */
export async function broughtRepositories(reading: ShellReading, places: DiskPlaces): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { folder, words } of reading.repositories) {
    const at = await placesOf(folder === '' ? '.' : folder, places);
    const isMade =
      at.length === 0 &&
      reading.accesses.some((one) => one.effect === 'fs.write' && !one.suspected && makes(one.resource, folder));
    const isBrought = await Promise.all(at.map((one) => isRepository(one, places)));
    if (isMade || isBrought.includes(true)) found.push(words);
  }
  return found;
}

/** True for a copy or a move that makes the folder with what is in it. */
function makes(resource: string, folder: string): boolean {
  const made = resource.replace(/(?<!\/)\/+$/, '');
  return folder !== '' && (made === folder || folder.startsWith(`${made}/`));
}

/** The folder as the workspace has it, behind its links; none where it is not there, or not in the workspace. */
async function placesOf(folder: string, { files, labels }: DiskPlaces): Promise<readonly WorkspacePath[]> {
  const { cwd } = labels;
  const raw = /^[/~\\]|^[a-z]:[\\/]/i.test(folder) || cwd === undefined ? folder : `${cwd}/${folder}`;
  const slashed = files.style === 'windows' ? raw.replaceAll('\\', '/') : raw;
  const real = await files.realPath?.(slashed, cwd).catch(() => undefined);
  const found: WorkspacePath[] = [];
  for (const path of new Set([resolveDots(slashed), ...(real ? [real] : [])]))
    for (const root of files.folders()) {
      const base = root.path.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
      if (path !== base && !path.startsWith(`${base}/`)) continue;
      try {
        const at = await files.canonical({ folder: root, path: path.slice(base.length + 1) }, { follow: true });
        if ((await files.stat(at))?.type === 'directory') found.push(at);
      } catch {
        // It leads out of the workspace, or is not there.
      }
    }
  return found;
}

/** Goes up as git does: the first folder that has a `.git`, or is a repository by itself, is the one. */
async function isRepository(from: WorkspacePath, { files }: DiskPlaces): Promise<boolean> {
  const typeOf = async (name: string): Promise<string | undefined> => {
    try {
      return (await files.stat({ ...from, path: name }))?.type;
    } catch {
      return undefined;
    }
  };
  for (
    let path = from.path.replace(/^\.$/, '');
    ;
    path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  ) {
    if (/(?:^|\/)\.git(?:\/|$)/.test(path)) return false;
    const inside = path === '' ? '' : `${path}/`;
    if ((await typeOf(`${inside}.git`)) !== undefined) return false;
    const head = await typeOf(`${inside}HEAD`);
    // Its objects may lie in another folder, which `commondir` names.
    if (head !== undefined && head !== 'directory')
      for (const name of ['objects', 'commondir']) if ((await typeOf(inside + name)) !== undefined) return true;
    if (path === '') return false;
  }
}
