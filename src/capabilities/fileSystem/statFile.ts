import type { Access, SideEffect } from '../../core/access';
import type { Json } from '../../core/base/json';
import { accessLabel, displayPath, samePath, splitPath } from '../../core/paths';
import type { FileStat, WorkspacePath } from '../../core/ports/files';
import type { AccessVerdict, ToolContext, ToolHandler } from '../../core/tool';
import { accessesOf, checkCancelled, type Target, targetOf } from './target';

interface StatInput {
  readonly path: string;
  readonly with_hash?: boolean;
}

const largestHashed = 256 * 1024 * 1024;

/** What stands at a path: the name itself and, for a link, where it leads; `leadsTo` is undefined where that is nowhere or outside. */
interface Found {
  readonly link: FileStat | undefined;
  readonly leadsTo: WorkspacePath | undefined;
}

export const handler: ToolHandler<StatInput> = {
  /** None ahead: a path that may not be read is answered with the reason, which is what the tool is for, and with nothing else about it. */
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
      const exists = link !== undefined;
      return { payload: { ...base, exists, is_directory: false, is_readonly: false, size_bytes: 0, ...linkFacts(), permissions } };
    }
    if (permissions.read !== 'allowed' && leadsTo) {
      const note = 'its size, times and content are kept from you, because it may not be read';
      return { payload: { ...base, exists: true, is_directory: stat.type === 'directory', permissions, note } };
    }
    checkCancelled(context);
    const hashed = input.with_hash && leadsTo && stat.type === 'file' && stat.size <= largestHashed;
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
        ...(hashed && leadsTo ? { content_hash: context.ports.crypto.sha256(await files.readFile(leadsTo)) } : {}),
        ...(input.with_hash && stat.type === 'file' && !hashed ? { note: 'no hash, because the file is larger than 256 MiB' } : {}),
        permissions,
      },
    };

    function linkFacts(): Record<string, Json> {
      if (!isLink) return {};
      return { is_symlink: true, link_target: leadsTo ? displayPath(leadsTo, files) : 'outside the workspace, or nowhere' };
    }
  },
};

/** What may be done with a path: `allowed`, or the reason why not, from policy and from what stands there. */
async function permissionsOf(
  target: Target,
  { link, leadsTo }: Found,
  stat: FileStat | undefined,
  context: ToolContext,
): Promise<Record<'read' | 'write' | 'delete', string>> {
  const through = leadsTo && !samePath(leadsTo, target.real) ? [accessLabel(leadsTo, target.files)] : [];
  const onTarget = (effect: SideEffect): readonly Access[] => [
    ...accessesOf(target, effect),
    ...through.map((resource) => ({ effect, resource })),
  ];
  const read = said(await context.accessAll(onTarget('fs.read')));
  const write = said(await context.accessAll(onTarget('fs.write')));
  const remove = said(await context.accessAll(accessesOf(target, 'fs.delete')));
  const astray = link !== undefined && leadsTo === undefined ? 'a link in the path leads out of the workspace, or nowhere' : undefined;
  const fixed = stat?.type === 'file' && stat.readonly ? 'the file is read-only' : undefined;
  return { read: astray ?? read, write: astray ?? (write === 'allowed' ? (fixed ?? write) : write), delete: remove };
}

function said(verdicts: readonly AccessVerdict[]): string {
  for (const verdict of verdicts) {
    if (!verdict.allowed) return verdict.asks ? `only with a confirmation by the user: ${verdict.reason}` : verdict.reason;
  }
  return 'allowed';
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
