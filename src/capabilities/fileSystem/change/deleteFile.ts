import { say } from '../../../core/base/sentence';
import { foldersAbove } from '../../../core/base/slashPath';
import { counted } from '../../../core/base/figures';
import type { Json, JsonObject } from '../../../core/base/json';
import { toolError } from '../../../core/vocabulary/errors';
import { LeftOut } from '../../../core/files/leftOut';
import { displayPath, joinPath, splitPath } from '../../../core/files/paths';
import { accessesOf, checkCancelled, statOf, type Target, targetOf } from '../shared/target';
import type { AccessContext, ToolContext, ToolHandler } from '../../../core/capability/tool';
import { accessLabel } from '../../../core/ports/accessLabel';
import type { WorkspacePath } from '../../../core/ports/workspacePath';
import type { DeleteInput } from './inputs';

/** The setting `fileSystem.deleteToTrash` is what holds where the call says nothing. */
function toTrash(input: DeleteInput, context: AccessContext): boolean {
  return input.to_trash ?? context.ports.settings.get('fileSystem.deleteToTrash');
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
        throw toolError(
          'denied_by_policy',
          `\`${target.shown}\` leads to \`${access.resource}\`, and ${verdict.reason}`,
        );
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
    const how = toTrash(input, context)
      ? ({ line: say('preview_to_trash'), undo: 'from-trash' } as const)
      : ({ line: say('preview_not_to_trash'), undo: 'never' } as const);
    if (stat.type !== 'directory') return { lines: [how.line], undo: how.undo };
    const names = (await target.files.readDirectory(target.real)).map((entry) => entry.name);
    const some = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}`;
    return {
      lines: [
        names.length === 0
          ? say('preview_folder_empty')
          : names.length === 1
            ? say('preview_folder_one', some)
            : say('preview_folder', names.length, some),
        how.line,
      ],
      undo: how.undo,
    };
  },
  text: deletedText,
};

const namedKept = 10;

/** The entries below a folder that were asked about, each once, and those of them that may not be deleted. */
class AskedEntries {
  readonly #target: Target;
  readonly #toTrash: boolean;
  readonly #context: ToolContext;
  readonly met = new Set<string>();
  /** By path, why. */
  readonly kept = new Map<string, string>();

  constructor(target: Target, toTrash: boolean, context: ToolContext) {
    this.#target = target;
    this.#toTrash = toTrash;
    this.#context = context;
  }

  async ask(paths: readonly string[]): Promise<void> {
    const { real, files } = this.#target;
    checkCancelled(this.#context.stopped);
    const verdicts = await this.#context.accessAll(
      paths.map((path) => ({
        effect: 'fs.delete',
        resource: accessLabel({ folder: real.folder, path }, files),
        ...(this.#toTrash ? {} : { permanent: true }),
      })),
    );
    for (const [index, path] of paths.entries()) {
      const verdict = verdicts[index];
      this.met.add(path);
      if (verdict && !verdict.allowed)
        this.kept.set(path, verdict.asks ? `${verdict.reason}; it needs a confirmation of its own` : verdict.reason);
    }
    this.#context.report({ message: `${counted(this.met.size, 'entry', 'entries')} looked at` });
  }

  /** Tells of each whether it may be deleted; what appeared since is asked about now. */
  async judge(entries: readonly WorkspacePath[]): Promise<readonly boolean[]> {
    checkCancelled(this.#context.stopped);
    const unknown = entries.map(({ path }) => path).filter((path) => !this.met.has(path));
    if (unknown.length > 0) await this.ask(unknown);
    return entries.map(({ path }) => !this.kept.has(path));
  }
}

/**
 * Asks about everything below and, when it is deleted, about what appeared since. What may not be deleted stays, with
 * the folders above it, and is named.
 */
async function deleteFolder(
  target: Target,
  options: { readonly recursive: boolean; readonly toTrash: boolean },
  context: ToolContext,
): Promise<Record<string, Json>> {
  const { files } = target;
  const at = (path: string): WorkspacePath => ({ folder: target.real.folder, path });
  const asked = new AskedEntries(target, options.toTrash, context);
  const { kept, met } = asked;
  const judge = (entries: readonly WorkspacePath[]): Promise<readonly boolean[]> => asked.judge(entries);
  await files.list(
    { root: target.real, include: [], exclude: [], includeIgnored: true, directories: true },
    async (batch) => {
      await asked.ask(batch.map((entry) => entry.path));
      return true;
    },
    context.stopped,
  );
  let deleted = 0;
  if (kept.size === 0) {
    await files.delete(target.real, { ...options, judge });
    if (kept.size === 0)
      return { path: target.shown, deleted: true, entries: met.size, ...(options.toTrash ? { to_trash: true } : {}) };
    deleted = met.size - kept.size;
  } else {
    const holders = new Set([...kept.keys()].flatMap(foldersAbove));
    const deleteBelow = async (folder: string): Promise<void> => {
      const children = (await files.readDirectory(at(folder))).map((entry) => at(joinPath(folder, entry.name)));
      const allowed = await judge(children);
      for (const [index, child] of children.entries()) {
        checkCancelled(context.stopped);
        if (allowed[index] !== true) continue;
        if (holders.has(child.path)) await deleteBelow(child.path);
        else {
          await files.delete(child, { ...options, judge });
          deleted++;
        }
      }
    };
    await deleteBelow(target.real.path);
  }
  // Of a folder that is kept, what is in it need not be named.
  const topmost = new Map([...kept].filter(([path]) => !foldersAbove(path).some((above) => kept.has(above))));
  return keptResult(target, topmost, deleted, (path) => displayPath(at(path), files));
}

function keptResult(
  target: Target,
  kept: ReadonlyMap<string, string>,
  deleted: number,
  shown: (path: string) => string,
): Record<string, Json> {
  const [first] = kept;
  if (deleted === 0 && first) {
    const more = kept.size > 1 ? ` and ${kept.size - 1} more` : '';
    throw toolError(
      'denied_by_policy',
      `nothing in \`${target.shown}\` was deleted, because of \`${shown(first[0])}\`${more}: ${first[1]}`,
    );
  }
  const left = new LeftOut();
  for (const reason of kept.values()) left.add(reason);
  return {
    path: target.shown,
    deleted: false,
    kept: [...kept].slice(0, namedKept).map(([path, reason]) => ({ path: shown(path), reason })),
    ...left.field,
    note: 'what was allowed is deleted; what is kept, and the folders that hold it, are still there',
  };
}

/** What became of a delete; what was kept is told as JSON. */
function deletedText({ deleted, to_trash, entries }: JsonObject): string | undefined {
  if (deleted !== true) return undefined;
  const all = entries === undefined ? '' : ` with ${String(entries)} entries`;
  return `deleted${all}${to_trash === true ? ', to the trash' : ' for good'}`;
}
