import { isObject } from '../base/json';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';

/** A folder of the workspace with what its own settings say of profiles. */
interface FolderProfiles {
  readonly name: string;
  readonly profiles: unknown;
}

/** Says what of a workspace counts for nothing, and why: nobody has to find out by missing it. */
export function leftOut(workspace: {
  readonly isTrusted: boolean;
  /** All folders where there are several: the editor reads settings of the workspace alone then. */
  readonly folders: readonly FolderProfiles[];
}): readonly Problem[] {
  const restricted = workspace.isTrusted ? [] : [problem({ severity: 'warning', said: say('workspace_restricted') })];
  const ofFolders = workspace.folders.flatMap(({ name, profiles }): readonly Problem[] => {
    const ids = isObject(profiles) ? Object.keys(profiles) : [];
    if (ids.length === 0) return [];
    const said = say('folder_profiles_left_out', name, ids.join(', '));
    return [problem({ severity: 'warning', said, subject: name })];
  });
  return [...restricted, ...ofFolders];
}
