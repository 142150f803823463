import type { FileSystem } from './files';
import type { WorkspacePath } from './workspacePath';

/** The path as policy sees it (`Access.resource`): relative to the workspace; `.` is the root itself. */
export function accessLabel(path: WorkspacePath, files: Pick<FileSystem, 'folders' | 'labelPrefix'>): string {
  const folder = files.folders().length > 1 ? path.folder.name : '';
  const label = folder === '' || path.path === '' ? folder + path.path : `${folder}/${path.path}`;
  if (files.labelPrefix !== undefined) return `${files.labelPrefix}${label}`;
  return label === '' ? '.' : label;
}
