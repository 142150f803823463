import type { Json } from '../../core/base/json';
import { accessLabel, displayPath, samePath, splitPath } from '../../core/paths';
import type { ToolHandler } from '../../core/tool';
import { accessesOf, checkCancelled, targetOf } from './target';

interface StatInput {
  readonly path: string;
  readonly with_hash?: boolean;
}

const largestHashed = 256 * 1024 * 1024;

export const handler: ToolHandler<StatInput> = {
  accesses: async (input, context) => accessesOf(await targetOf(context, input.path, { follow: false }), 'fs.read'),
  async run(input, context) {
    const target = await targetOf(context, input.path, { follow: false });
    const { files } = target;
    const name = splitPath(target.named)?.name ?? target.named.folder.name;
    const link = await files.stat(target.real);
    const base = { path: target.shown, name };
    const permissions = await permissionsOf();
    if (!link) return { payload: { ...base, exists: false, is_directory: false, is_readonly: false, size_bytes: 0, permissions } };
    const real = link.type === 'symlink' ? await files.canonical(target.named).catch(() => undefined) : target.real;
    const stat = real && !samePath(real, target.real) ? await files.stat(real) : link;
    const facts = stat ?? link;
    checkCancelled(context.signal);
    const hash = input.with_hash && real && facts.type === 'file' && facts.size <= largestHashed ? await files.readFile(real) : undefined;
    return {
      payload: {
        ...base,
        exists: true,
        is_directory: facts.type === 'directory',
        is_readonly: facts.readonly,
        size_bytes: facts.type === 'directory' ? 0 : facts.size,
        type: facts.type,
        ...(link.type === 'symlink'
          ? { is_symlink: true, link_target: real ? displayPath(real, files) : 'outside the workspace, or nowhere' }
          : {}),
        created_at: iso(facts.createdMs),
        modified_at: iso(facts.modifiedMs),
        accessed_at: iso(facts.accessedMs),
        ...(facts.mode === undefined ? {} : { mode: facts.mode.toString(8).padStart(4, '0') }),
        ...(facts.links !== undefined && facts.links > 1 && facts.type === 'file' ? { hard_links: facts.links } : {}),
        ...(hash ? { content_hash: context.ports.crypto.sha256(hash) } : {}),
        permissions,
      },
    };

    async function permissionsOf(): Promise<Record<string, Json>> {
      const resource = accessLabel(target.real, files);
      const verdicts = await context.accessAll([
        { effect: 'fs.read', resource },
        { effect: 'fs.write', resource },
        { effect: 'fs.delete', resource },
      ]);
      const said = (index: number): Json => {
        const verdict = verdicts[index];
        return verdict === undefined || verdict.allowed ? 'allowed' : verdict.reason;
      };
      return { read: said(0), write: said(1), delete: said(2) };
    }
  },
};

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
