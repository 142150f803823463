import { toolError } from '../../core/errors';
import { accessLabel } from '../../core/paths';
import type { WorkspacePath } from '../../core/ports/files';
import type { ToolContext, ToolHandler } from '../../core/tool';
import { accessesOf, checkCancelled, statOf, type Target, targetOf } from './target';

interface MoveInput {
  readonly source: string;
  readonly destination: string;
  readonly overwrite?: boolean;
}

export const handler: ToolHandler<MoveInput> = {
  /** Moving takes a file away from one place, which policy judges as a delete, and makes one at another. */
  async accesses(input, context) {
    const [from, to] = [
      await targetOf(context, input.source, { follow: false }),
      await targetOf(context, input.destination, { follow: false }),
    ];
    return [...accessesOf(from, 'fs.delete'), ...accessesOf(to, 'fs.write')];
  },
  async run(input, context) {
    const from = await targetOf(context, input.source, { follow: false });
    const to = await targetOf(context, input.destination, { follow: false });
    const stat = await statOf(from);
    if (
      from.real.folder.path === to.real.folder.path &&
      `${to.real.path}/`.startsWith(`${from.real.path}/`) &&
      to.real.path !== from.real.path
    ) {
      throw toolError('path_invalid', `\`${to.shown}\` lies in \`${from.shown}\` itself, so it cannot be moved there`);
    }
    if (stat.type === 'directory') await judgeBelow(from, to, context);
    await from.files.rename(from.real, to.real, { overwrite: input.overwrite ?? false });
    return { payload: { source: from.shown, destination: to.shown, moved: true } };
  },
};

/** A folder moves whole or not at all: everything in it must be allowed to leave its place and to appear at the new one. */
async function judgeBelow(from: Target, to: Target, context: ToolContext): Promise<void> {
  const { files } = from;
  const moved = (path: string): WorkspacePath => ({
    folder: to.real.folder,
    path: `${to.real.path}${path.slice(from.real.path.length)}`,
  });
  await files.list(
    { root: from.real, include: [], exclude: [], includeIgnored: true, directories: true },
    async (batch) => {
      checkCancelled(context);
      const accesses = batch.flatMap((entry) => [
        { effect: 'fs.delete', resource: accessLabel({ folder: from.real.folder, path: entry.path }, files) },
        { effect: 'fs.write', resource: accessLabel(moved(entry.path), files) },
      ]);
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
