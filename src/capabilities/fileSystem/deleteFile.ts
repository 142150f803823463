import type { Json } from '../../core/base/json';
import { toolError } from '../../core/errors';
import { accessLabel, splitPath } from '../../core/paths';
import type { WorkspacePath } from '../../core/ports/files';
import type { AccessContext, ToolContext, ToolHandler } from '../../core/tool';
import { accessesOf, checkCancelled, statOf, type Target, targetOf } from './target';

interface DeleteInput {
  readonly path: string;
  readonly recursive?: boolean;
  readonly to_trash?: boolean;
}

/** The setting `fileSystem.deleteToTrash` is what holds where the call says nothing. */
function toTrash(input: DeleteInput, context: AccessContext): boolean {
  return input.to_trash ?? context.ports.settings.get('fileSystem.deleteToTrash') !== false;
}

function facts(input: DeleteInput, context: AccessContext) {
  return { ...(input.recursive ? { recursive: true } : {}), ...(toTrash(input, context) ? {} : { permanent: true }) };
}

export const handler: ToolHandler<DeleteInput> = {
  accesses: async (input, context) =>
    accessesOf(await targetOf(context, input.path, { follow: false }), 'fs.delete', facts(input, context)),
  async run(input, context) {
    const target = await targetOf(context, input.path, { follow: false });
    const stat = await statOf(target);
    if (!splitPath(target.real))
      throw toolError('path_invalid', `\`${target.shown}\` is a workspace folder itself, which cannot be deleted`);
    for (const access of accessesOf(target, 'fs.delete', facts(input, context)).slice(1)) {
      const verdict = await context.access(access);
      if (!verdict.allowed)
        throw toolError('denied_by_policy', `\`${target.shown}\` leads to \`${access.resource}\`, and ${verdict.reason}`);
    }
    const trash = toTrash(input, context);
    const options = { recursive: input.recursive ?? false, toTrash: trash };
    if (stat.type !== 'directory' || !options.recursive) {
      await target.files.delete(target.real, options);
      return { payload: { path: target.shown, deleted: true, ...(trash ? { to_trash: true } : {}) } };
    }
    return { payload: await deleteFolder(target, options, context) };
  },
  async preview(input, context) {
    const target = await targetOf(context, input.path, { follow: false });
    const stat = await statOf(target);
    const how = toTrash(input, context) ? 'It goes to the trash.' : 'It is deleted for good.';
    if (stat.type !== 'directory') return { lines: [how] };
    const names = (await target.files.readDirectory(target.real)).map((entry) => entry.name);
    return { lines: [`A folder with ${names.length} entries: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}`, how] };
  },
};

/** Asks about everything below; what may not be deleted stays, with the folders above it, and is counted. */
async function deleteFolder(
  target: Target,
  options: { readonly recursive: boolean; readonly toTrash: boolean },
  context: ToolContext,
): Promise<Record<string, Json>> {
  const { files } = target;
  const at = (path: string): WorkspacePath => ({ folder: target.real.folder, path });
  const kept = new Set<string>();
  const reasons = new Map<string, number>();
  let met = 0;
  await files.list(
    { root: target.real, include: [], exclude: [], includeIgnored: true, directories: true },
    async (batch) => {
      checkCancelled(context.signal);
      const verdicts = await context.accessAll(
        batch.map((entry) => ({
          effect: 'fs.delete',
          resource: accessLabel(at(entry.path), files),
          ...(options.toTrash ? {} : { permanent: true }),
        })),
      );
      for (const [index, entry] of batch.entries()) {
        const verdict = verdicts[index];
        if (verdict && !verdict.allowed) {
          kept.add(entry.path);
          reasons.set(verdict.reason, (reasons.get(verdict.reason) ?? 0) + 1);
        }
      }
      met += batch.length;
      context.report({ message: `${met} entries looked at` });
      return true;
    },
    context.signal,
  );
  if (kept.size === 0) {
    await files.delete(target.real, options);
    return { path: target.shown, deleted: true, entries: met, ...(options.toTrash ? { to_trash: true } : {}) };
  }
  const holders = new Set([...kept].flatMap(ancestors));
  const deleteBelow = async (path: string): Promise<void> => {
    for (const entry of await files.readDirectory(at(path))) {
      checkCancelled(context.signal);
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (kept.has(child)) continue;
      if (holders.has(child)) await deleteBelow(child);
      else await files.delete(at(child), options);
    }
  };
  await deleteBelow(target.real.path);
  return {
    path: target.shown,
    deleted: false,
    left_out: [...reasons].map(([reason, count]) => ({ reason, count })),
    note: 'what was allowed is deleted; the rest and the folders that hold it are still there',
  };
}

function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at));
  return found;
}
