import type { StopSign } from '../base/stopSign';
import type { VersionState } from '../vocabulary/stake';
import type { WorkspacePath } from './workspacePath';

/** Tells what version control could give back of files as they are now. Reads only, and starts no program. */
export interface VersionControl {
  /**
   * One answer for each file, canonical and with its last name as it is; undefined where nothing tells.
   * @param going folders that would go whole: a repository in one of them goes along, so that it holds nothing.
   */
  statesOf(
    files: readonly WorkspacePath[],
    going: readonly WorkspacePath[],
    stopped: StopSign,
  ): Promise<readonly (VersionState | undefined)[]>;
}
