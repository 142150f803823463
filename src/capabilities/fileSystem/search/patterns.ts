import type { FileSystem } from '../../../core/ports/files';
import type { WorkspacePath } from '../../../core/ports/workspacePath';

/**
 * A glob as it is meant below one root. It may begin as the paths of results do where there are several folders
 * (`/folder/…`), or with the machine's path of the folder; undefined where it names another place, so that nothing
 * below this root can match.
 */
export function globBelow(
  pattern: string,
  root: WorkspacePath,
  files: Pick<FileSystem, 'folders'>,
): string | undefined {
  const { folder } = root;
  const machine = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  if (machine !== '/' && pattern.startsWith(machine)) return rebased(pattern.slice(machine.length), root.path);
  if (!pattern.startsWith('/') || files.folders().length < 2) return pattern;
  const [name = ''] = pattern.slice(1).split('/', 1);
  if (name === folder.name) return rebased(pattern.slice(name.length + 2), root.path);
  return files.folders().some((one) => one.name === name) ? undefined : pattern;
}

/** A glob of the whole folder as one of a place in it. */
function rebased(pattern: string, start: string): string | undefined {
  if (start === '') return `/${pattern}`;
  return pattern.startsWith(`${start}/`) ? pattern.slice(start.length) : undefined;
}

/** Why nothing may have been found though it is there, where the call itself tells. */
export function emptyNote(
  pattern: string | undefined,
  path: string | undefined,
  includeIgnored: boolean,
): { readonly note?: string } {
  if (pattern !== undefined && /(?<!\\)\[[^\]]+\]/.test(pattern)) {
    const literal = pattern.replace(/(?<!\\)[[\]]/g, '\\$&');
    return {
      note: `nothing matches; [ ] stands for one of the characters in it, so for a name with brackets give ${literal}`,
    };
  }
  if (path !== undefined && path !== '/' && !includeIgnored)
    return {
      note: 'nothing matches; what .gitignore or the editor leaves out was not looked at, include_ignored true looks there too',
    };
  return {};
}
