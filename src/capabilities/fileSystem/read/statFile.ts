import type { Access, SideEffect } from '../../../core/vocabulary/access';
import type { Json, JsonObject } from '../../../core/base/json';
import { displayPath, samePath, splitPath } from '../../../core/files/paths';
import type { FileStat, FileSystem } from '../../../core/ports/files';
import { breaksOf, progressOf } from '../shared/progress';
import { accessesOf, checkCancelled, type Target, targetOf } from '../shared/target';
import type { AccessVerdict, ToolContext, ToolHandler } from '../../../core/capability/tool';
import { accessLabel } from '../../../core/ports/accessLabel';
import type { WorkspacePath } from '../../../core/ports/workspacePath';
import { grouped } from '../../../core/base/figures';
import type { StatInput } from './inputs';

const pieceSize = 1 << 20;

/**
 * What stands at a path: the name itself and, for a link, where it leads; `leadsTo` is undefined where that is nowhere
 * or outside.
 */
interface Found {
  readonly link: FileStat | undefined;
  readonly leadsTo: WorkspacePath | undefined;
}

export const handler: ToolHandler<StatInput> = {
  /**
   * None ahead: a path that may not be read is answered with the reason, which is what the tool is for, and with
   * nothing else about it.
   */
  accesses: () => [],
  async run(input, context) {
    const target = await targetOf(context, input.path, { follow: false });
    const { files } = target;
    const base = { path: target.shown, name: splitPath(target.named)?.name ?? target.named.folder.name };
    const link = await files.stat(target.real);
    const isLink = link?.type === 'symlink';
    const leadsTo = isLink ? await files.canonical(target.named).catch(() => undefined) : target.real;
    const stat = isLink && leadsTo ? await files.stat(leadsTo) : link;
    const permissions = await permissionsOf(target, { link, leadsTo }, stat, context);
    if (!link || !stat) {
      const facts = { exists: link !== undefined, is_directory: false, is_readonly: false, size_bytes: 0 };
      return { payload: { ...base, ...facts, ...linkFacts(), permissions } };
    }
    // A rule may except this tool, so that facts are told of what may not be read.
    if (leadsTo && !firstRefused(await context.accessAll(onTarget(target, leadsTo, 'fs.read'))).allowed) {
      const note = 'its size, times and content are kept from you, because it may not be read';
      return { payload: { ...base, exists: true, is_directory: stat.type === 'directory', permissions, note } };
    }
    checkCancelled(context.stopped);
    const hash = input.with_hash && leadsTo && stat.type === 'file' ? await hashOf(files, leadsTo, context) : undefined;
    return {
      payload: {
        ...base,
        exists: true,
        is_directory: stat.type === 'directory',
        is_readonly: stat.readonly,
        size_bytes: stat.type === 'directory' ? 0 : stat.size,
        type: stat.type,
        ...linkFacts(),
        created_at: iso(stat.createdMs),
        modified_at: iso(stat.modifiedMs),
        accessed_at: iso(stat.accessedMs),
        ...(stat.mode === undefined ? {} : { mode: stat.mode.toString(8).padStart(4, '0') }),
        ...(stat.links !== undefined && stat.links > 1 && stat.type === 'file' ? { hard_links: stat.links } : {}),
        ...(hash === undefined ? {} : { content_hash: hash }),
        permissions,
      },
    };

    function linkFacts(): Record<string, Json> {
      if (!isLink) return {};
      return {
        is_symlink: true,
        link_target: leadsTo ? displayPath(leadsTo, files) : 'outside the workspace, or nowhere',
      };
    }
  },
};

/**
 * What may be done with a path, and why not: what the gate would say now of a call that does it, and what stands there.
 */
async function permissionsOf(
  target: Target,
  { link, leadsTo }: Found,
  stat: FileStat | undefined,
  context: ToolContext,
): Promise<Record<'read' | 'write' | 'delete', string>> {
  const path = target.shown;
  const isFolder = stat?.type === 'directory';
  const [read, write, remove] = await Promise.all([
    judged(context, 'read_file', { path }, () => onTarget(target, leadsTo, 'fs.read')),
    judged(context, 'write_file', { path, content: '' }, () => onTarget(target, leadsTo, 'fs.write')),
    judged(context, 'delete_file', { path, recursive: isFolder }, () => accessesOf(target, 'fs.delete')),
  ]);
  const astray =
    link !== undefined && leadsTo === undefined
      ? 'a link in the path leads out of the workspace, or nowhere'
      : undefined;
  const fixed = stat?.type === 'file' && stat.readonly ? 'the file is read-only' : undefined;
  const kept = splitPath(target.real) ? undefined : 'a workspace folder itself cannot be deleted';
  return {
    read: astray ?? said(read),
    write: astray ?? (isDenied(write) ? said(write) : (fixed ?? said(write))),
    delete: isDenied(remove) ? said(remove) : (kept ?? said(remove)),
  };
}

/** The accesses to a path and, where it is a link, to what it leads to. */
function onTarget(target: Target, leadsTo: WorkspacePath | undefined, effect: SideEffect): readonly Access[] {
  const through =
    leadsTo && !samePath(leadsTo, target.real) ? [{ effect, resource: accessLabel(leadsTo, target.files) }] : [];
  return [...accessesOf(target, effect), ...through];
}

/** What the gate would say of a call of another file tool; where there is no gate, what it says of the accesses. */
async function judged(
  context: ToolContext,
  tool: string,
  input: JsonObject,
  accesses: () => readonly Access[],
): Promise<AccessVerdict> {
  if (context.judgeCall) return context.judgeCall(`cap:file_system:${tool}`, input);
  return firstRefused(await context.accessAll(accesses()));
}

function firstRefused(verdicts: readonly AccessVerdict[]): AccessVerdict {
  return verdicts.find((verdict) => !verdict.allowed) ?? { allowed: true };
}

function isDenied(verdict: AccessVerdict): boolean {
  return !verdict.allowed && verdict.asks !== true;
}

function said(verdict: AccessVerdict): string {
  if (verdict.allowed) return 'allowed';
  return verdict.asks ? `only with a confirmation by the user: ${verdict.reason}` : verdict.reason;
}

/** Hashes a file piece by piece, so that one of any size is never held, and the call can be cancelled. */
async function hashOf(files: FileSystem, where: WorkspacePath, context: ToolContext): Promise<string> {
  const file = await files.open(where);
  const hash = context.ports.crypto.sha256Pieces();
  const rest = breaksOf(context);
  const progress = progressOf(context);
  try {
    for (let offset = 0; offset < file.stat.size; offset += pieceSize) {
      checkCancelled(context.stopped);
      hash.add(await file.read(offset, pieceSize));
      await rest();
      progress(() => `${grouped(offset)} of ${grouped(file.stat.size)} bytes hashed`);
    }
  } finally {
    await file.close();
  }
  return hash.digest();
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
