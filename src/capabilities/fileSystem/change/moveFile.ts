import { say } from '../../../core/base/sentence';
import { counted } from '../../../core/base/figures';
import { toolError } from '../../../core/vocabulary/errors';
import { isSameName } from '../../../core/changes/changePlace';
import { alreadyThere, fileInTheWay, folderInTheWay, samePath, splitPath } from '../../../core/files/paths';
import type { FileStat } from '../../../core/ports/files';
import { progressOf } from '../shared/progress';
import { accessesOf, checkCancelled, endsLikeFolder, statOf, type Target, targetOf } from '../shared/target';
import type { AccessContext, ToolContext, ToolHandler } from '../../../core/capability/tool';
import { accessLabel } from '../../../core/ports/accessLabel';
import type { WorkspacePath } from '../../../core/ports/workspacePath';
import type { MoveInput } from './inputs';

export const handler: ToolHandler<MoveInput> = {
  /**
   * Moving takes a file away from one place, which policy judges as a delete, and makes one at another, where it can be
   * read: what may not be read does not go.
   */
  async accesses(input, context) {
    const { from, to } = await targetsOf(input, context);
    return [...accessesOf(from, 'fs.read'), ...accessesOf(from, 'fs.delete'), ...accessesOf(to, 'fs.write')];
  },
  async run(input, context) {
    const { from, to, stat } = await plannedMove(input, context);
    if (stat.type === 'directory') await judgeBelow(from, to, context);
    await from.files.rename(from.real, to.real, { overwrite: input.overwrite ?? false });
    return { payload: { source: from.shown, destination: to.shown, moved: true } };
  },
  async preview(input, context) {
    const { from, to, stat } = await plannedMove(input, context);
    const there = isSameName(from.real, to.real, to.files) ? undefined : await to.files.stat(to.real);
    if (!there) return { action: 'move' };
    if (there.type === 'directory') throw folderInTheWay(to.shown, splitPath(from.named)?.name ?? '');
    if (input.overwrite !== true) throw alreadyThere(to.shown);
    if (stat.type === 'directory') throw fileInTheWay(to.shown);
    return {
      lines: [say('preview_replaced')],
      undo: 'never',
      action: 'move',
    };
  },
  text: ({ moved }) => (moved === true ? 'moved' : undefined),
};

async function targetsOf(
  input: MoveInput,
  context: AccessContext,
): Promise<{ readonly from: Target; readonly to: Target }> {
  const from = await targetOf(context, input.source, { follow: false });
  return { from, to: await targetOf(context, input.destination, { follow: false }) };
}

/** Where the move goes, once it is known that it can be meant. */
async function plannedMove(
  input: MoveInput,
  context: AccessContext,
): Promise<{ readonly from: Target; readonly to: Target; readonly stat: FileStat }> {
  const { from, to } = await targetsOf(input, context);
  const stat = await statOf(from);
  if (from.real.path === '')
    throw toolError('path_invalid', `\`${from.shown}\` is a workspace folder itself, which cannot be moved`);
  const [source, destination] = [`\`${from.shown}\``, `\`${to.shown}\``];
  if (samePath(from.real, to.real))
    throw toolError('path_invalid', `${source} and ${destination} are the same place, so there is nothing to move`);
  if (from.real.folder.path === to.real.folder.path && `${to.real.path}/`.startsWith(`${from.real.path}/`))
    throw toolError('path_invalid', `${destination} lies in ${source} itself, so it cannot be moved there`);
  if (stat.type !== 'directory' && endsLikeFolder(input.destination, to.files) && !(await to.files.stat(to.real))) {
    const whole = `${to.shown}/${splitPath(from.named)?.name ?? ''}`;
    throw toolError(
      'path_invalid',
      `\`${to.shown}/\` ends like a folder; give the new path with the file's name, such as \`${whole}\`, its folders are made with it`,
    );
  }
  return { from, to, stat };
}

/**
 * A folder moves whole or not at all: everything in it must be allowed to leave its place and to appear at the new one.
 */
async function judgeBelow(from: Target, to: Target, context: ToolContext): Promise<void> {
  const { files } = from;
  const moved = (path: string): WorkspacePath => ({
    folder: to.real.folder,
    path: `${to.real.path}${path.slice(from.real.path.length)}`,
  });
  const progress = progressOf(context);
  let seen = 0;
  await files.list(
    { root: from.real, include: [], exclude: [], includeIgnored: true, directories: true },
    async (batch) => {
      checkCancelled(context.stopped);
      seen += batch.length;
      progress(() => `${counted(seen, 'entry', 'entries')} looked at`);
      const accesses = batch.flatMap(({ path }) => {
        const resource = accessLabel({ folder: from.real.folder, path }, files);
        return [
          { effect: 'fs.read', resource },
          { effect: 'fs.delete', resource },
          { effect: 'fs.write', resource: accessLabel(moved(path), files) },
        ];
      });
      const verdicts = await context.accessAll(accesses);
      for (const [index, verdict] of verdicts.entries()) {
        if (verdict.allowed) continue;
        const resource = accesses[index]?.resource ?? '';
        throw toolError(
          'denied_by_policy',
          `\`${from.shown}\` cannot be moved whole, because of \`${resource}\`: ${verdict.reason}; move what is allowed file by file`,
        );
      }
      return true;
    },
    context.stopped,
  );
}
