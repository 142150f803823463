import type { FileSystem } from '../../../core/ports/files';
import type { LeftOut } from '../../../core/files/leftOut';
import { say } from '../../../core/base/sentence';
import { isToolError, refusal, type ToolError } from '../../../core/vocabulary/errors';
import { displayPath } from '../../../core/files/paths';
import type { ListEntry, ListQuery } from '../../../core/ports/fileSearch';
import { checkCancelled } from '../shared/target';
import type { AccessContext, ToolContext } from '../../../core/capability/tool';
import { accessLabel } from '../../../core/ports/accessLabel';
import type { WorkspaceFolder, WorkspacePath } from '../../../core/ports/workspacePath';

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

/** Whether ignored files are wanted: the call says so, or the setting tells that nothing is ignored. */
export function wantsIgnored(context: AccessContext, asked: boolean | undefined): boolean {
  return asked === true || !context.ports.settings.get('fileSystem.respectIgnoreFiles');
}

/** Lists what may be read of what is wanted; `take` answers false to stop. */
export async function listAllowed(
  context: ToolContext,
  files: FileSystem,
  query: ListQuery,
  left: LeftOut,
  take: (entries: readonly ListEntry[]) => boolean,
  isWanted: (entry: ListEntry) => boolean = () => true,
): Promise<void> {
  const judge = pathJudge(context, files, query.root.folder, left);
  const sink = async (batch: readonly ListEntry[]): Promise<boolean> => {
    const wanted = batch.filter(isWanted);
    const allowed = await judge(wanted.map((entry) => entry.path));
    return take(wanted.filter((_entry, index) => allowed[index]));
  };
  await files.list(query, sink, context.stopped).catch(async (error: unknown) => {
    throw isToolError(error) ? await noFolder(files, query.root, error) : error;
  });
}

/** Words the failure of a listing by what stands there. */
async function noFolder(files: FileSystem, root: WorkspacePath, error: ToolError): Promise<ToolError> {
  const shown = displayPath(root, files);
  const stat = await files.stat(root).catch(() => 'unknown' as const);
  if (stat === undefined) return refusal('not_found', say('nothing_at_folder', shown));
  if (stat === 'unknown' || stat.type === 'directory') return error;
  return refusal('not_a_directory', say('file_not_folder', shown));
}
