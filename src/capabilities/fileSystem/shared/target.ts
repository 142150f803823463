import type { Access, SideEffect } from '../../../core/vocabulary/access';
import type { StopSign } from '../../../core/base/stopSign';
import { say } from '../../../core/base/sentence';
import { refusal, toolError } from '../../../core/vocabulary/errors';
import { rootedPorts } from '../../../core/files/root';
import { displayPath, resolvePath, resolveRoots, samePath } from '../../../core/files/paths';
import type { FileStat, FileSystem, ResolvedPath } from '../../../core/ports/files';
import type { AccessContext, ToolContext } from '../../../core/capability/tool';
import { accessLabel } from '../../../core/ports/accessLabel';
import type { WorkspacePath } from '../../../core/ports/workspacePath';

/** A path input that has been resolved: what was named, and where its links lead. */
export interface Target {
  readonly files: FileSystem;
  readonly named: WorkspacePath;
  /** Canonical: what the file system port works on. */
  readonly real: WorkspacePath;
  /** The named path as results show it. */
  readonly shown: string;
}

/**
 * The files that a call works on. The gate has chosen them; a context that did not pass the gate is held to the same
 * choice.
 */
export function filesOf(context: AccessContext): FileSystem {
  return rootedPorts(context.ports, context).files;
}

/**
 * Resolves a path input, once for each call. `follow: false` keeps a link at the end, for what deletes or moves the
 * link itself.
 */
export async function targetOf(
  context: AccessContext,
  input: string,
  options: { readonly follow?: boolean } = {},
): Promise<Target> {
  const files = filesOf(context);
  const key = `${options.follow === false ? 'at' : 'to'} ${input}`;
  const known = context.resolved?.get(key);
  const path = known?.files === files ? known.path : resolve(files, input, options);
  context.resolved?.set(key, { files, path });
  const { named, real } = await path;
  return { files, named, real, shown: displayPath(named, files) };
}

async function resolve(
  files: FileSystem,
  input: string,
  options: { readonly follow?: boolean },
): Promise<ResolvedPath> {
  const named = await resolvePath(files, input);
  return { named, real: await files.canonical(named, options) };
}

/**
 * The accesses of a target: the path that was named and, where a link leads elsewhere, that place too, so that policy
 * judges both.
 */
export function accessesOf(
  target: Target,
  effect: SideEffect,
  facts: Omit<Access, 'effect' | 'resource'> = {},
): readonly Access[] {
  const named = { effect, resource: accessLabel(target.named, target.files), ...facts };
  if (samePath(target.named, target.real)) return [named];
  return [named, { effect, resource: accessLabel(target.real, target.files), ...facts }];
}

/**
 * The target of a call that runs. Where a link leads elsewhere, the gate is asked about that place once more, because
 * files or rules may have changed since the call was judged.
 */
export async function judgedTarget(context: ToolContext, input: string, effect: SideEffect): Promise<Target> {
  const target = await targetOf(context, input);
  if (!samePath(target.named, target.real)) {
    const verdict = await context.access({ effect, resource: accessLabel(target.real, target.files) });
    if (!verdict.allowed) {
      throw toolError(
        'denied_by_policy',
        `\`${target.shown}\` leads to \`${displayPath(target.real, target.files)}\`, and ${verdict.reason}`,
      );
    }
  }
  return target;
}

/** What a search below a path input reads: where it leads, or every folder of the workspace. */
export async function accessesBelow(context: AccessContext, input: string): Promise<readonly Access[]> {
  const files = filesOf(context);
  const roots = await resolveRoots(files, input);
  if (roots.length > 1) return roots.map((root) => ({ effect: 'fs.read', resource: accessLabel(root, files) }));
  return accessesOf(await targetOf(context, input), 'fs.read');
}

/** Where such a search starts when the call runs; see `judgedTarget`. */
export async function judgedRoots(context: ToolContext, input: string): Promise<readonly WorkspacePath[]> {
  const roots = await resolveRoots(filesOf(context), input);
  return roots.length === 1 ? [(await judgedTarget(context, input, 'fs.read')).real] : roots;
}

/** True where a path input ends as that of a folder does. */
export function endsLikeFolder(input: string, files: FileSystem): boolean {
  return input.endsWith('/') || (files.style === 'windows' && input.endsWith('\\'));
}

export const nothingThere = (shown: string): Error =>
  shown.includes('\ufffd')
    ? toolError('not_found', `\`${shown}\` cannot be reached: a name in it is not UTF-8; ask the user to rename it`)
    : refusal('not_found', say('nothing_at', shown));

/** The facts about a target that has to exist. */
export async function statOf(target: Target): Promise<FileStat> {
  const stat = await target.files.stat(target.real);
  if (!stat) throw nothingThere(target.shown);
  return stat;
}

/** Throws where the call has been cancelled. */
export function checkCancelled(stopped: StopSign): void {
  if (stopped.aborted) throw toolError('cancelled', 'the call was cancelled; nothing more was done');
}
