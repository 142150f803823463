import { isToolError } from '../vocabulary/errors';
import { resolvePath } from '../files/paths';
import type { FileSystem } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';
import type { Access } from '../vocabulary/access';

/**
 * The place of the workspace that an access names; undefined for one outside, and for one that cannot be told. What is
 * deleted is the link itself.
 */
export async function placeOf(files: FileSystem, { effect, resource }: Access): Promise<WorkspacePath | undefined> {
  if (/^(?:[/\\~]|[a-z]:)|(?:^|\/)\.\.(?:\/|$)/i.test(resource) || resource === '') return undefined;
  try {
    const named = await resolvePath(files, resource === '.' ? '/' : `/${resource}`);
    return await files.canonical(named, effect === 'fs.delete' ? { follow: false } : {});
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}
