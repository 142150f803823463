import type { FileSystem } from '../../../core/ports/files';
import type { LeftOut } from '../../../core/files/leftOut';
import { checkCancelled } from '../shared/target';
import type { ToolContext } from '../../../core/capability/tool';
import { accessLabel } from '../../../core/ports/accessLabel';
import type { WorkspaceFolder } from '../../../core/ports/workspacePath';

/** Tells for each path that a walk meets whether it may be read; what may not is counted by its reason. */
type PathJudge = (paths: readonly string[]) => Promise<readonly boolean[]>;

/**
 * Makes the judge for paths relative to a folder. Nearly all pass the gate's screen, so that only what a rule could
 * mean is asked about.
 */
export function pathJudge(context: ToolContext, files: FileSystem, folder: WorkspaceFolder, left: LeftOut): PathJudge {
  const screen = context.screen?.('fs.read');
  const start = accessLabel({ folder, path: 'x' }, files).slice(0, -1);
  return async (paths) => {
    checkCancelled(context.stopped);
    const allowed: boolean[] = [];
    const asked: number[] = [];
    for (let at = 0; at < paths.length; at++) {
      const isSure = screen?.(start + (paths[at] ?? '')) ?? false;
      allowed.push(isSure);
      if (!isSure) asked.push(at);
    }
    if (asked.length === 0) return allowed;
    const verdicts = await context.accessAll(
      asked.map((at) => ({ effect: 'fs.read', resource: start + (paths[at] ?? '') })),
    );
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict.allowed) allowed[asked[index] ?? 0] = true;
      else left.add(verdict.reason);
    }
    return allowed;
  };
}
