import * as vscode from 'vscode';
import { type ErrorCode, isToolError, toolError } from '../../core/vocabulary/errors';
import { scopedSettingGlobs, type SettingGlob } from '../../core/files/globs';
import type { FileStat } from '../../core/ports/files';
import type { OpenDocuments } from '../../core/ports/openDocuments';
import type { FileType, WorkspaceFolder, WorkspacePath } from '../../core/ports/workspacePath';
import type { RawFiles } from '../../core/files/rawFiles';

/**
 * The workspace's folders, each with a name of its own: a second `app` becomes `app (2)`, so that no two labels are
 * alike.
 */
export function workspaceFolders(): readonly WorkspaceFolder[] {
  const used = new Set<string>();
  return (vscode.workspace.workspaceFolders ?? []).map(({ name: given, uri }) => {
    const plain = given.replace(/[/\\]/g, '-') || 'folder';
    let name = plain;
    for (let number = 2; used.has(name); number++) name = `${plain} (${number})`;
    used.add(name);
    return { name, path: pathOf(uri), scheme: uri.scheme };
  });
}

/** Those of this machine, as paths. */
export const localFolders = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));

/** What the editor itself leaves out of listings and searches of a folder, whose own settings only add to it. */
export function editorExcludes(folder: WorkspaceFolder): readonly SettingGlob[] {
  const index = workspaceFolders().findIndex(({ name }) => name === folder.name);
  const config = vscode.workspace.getConfiguration(undefined, vscode.workspace.workspaceFolders?.[index]?.uri);
  return ['files.exclude', 'search.exclude'].flatMap((key) => scopedSettingGlobs(config.inspect(key)));
}

/** The editor's file systems, for every scheme but `file`. */
export const editorFiles: RawFiles = {
  stat: (path) => worded(path, async (uri) => facts(await vscode.workspace.fs.stat(uri))),
  readFile: (path) => worded(path, (uri) => vscode.workspace.fs.readFile(uri)),
  writeFile: (path, content) => worded(path, (uri) => vscode.workspace.fs.writeFile(uri, content)),
  createDirectory: (path) => worded(path, (uri) => vscode.workspace.fs.createDirectory(uri)),
  readDirectory: (path) =>
    worded(path, async (uri) =>
      (await vscode.workspace.fs.readDirectory(uri)).map(([name, type]) => ({ name, type: typeOf(type) })),
    ),
  delete: (path, { recursive, toTrash }) =>
    worded(path, (uri) => vscode.workspace.fs.delete(uri, { recursive, useTrash: toTrash })).catch((error: unknown) => {
      // The editor has no code for a file system without a trash.
      throw toTrash && !isToolError(error) ? noTrash(path.path) : error;
    }),
  rename: (from, to, options) => worded(from, (uri) => vscode.workspace.fs.rename(uri, uriOf(to), options)),
};

/** What the editor's text documents hold and have not saved. */
export const openDocuments: OpenDocuments = {
  unsaved: (path) => find(path)?.getText(),
  unsavedPaths: (scheme) =>
    vscode.workspace.textDocuments
      .filter((document) => document.isDirty && document.uri.scheme === scheme)
      .map(({ uri }) => pathOf(uri)),
  async replace(path, text) {
    const document = find(path);
    if (!document) return false;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      document.uri,
      new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end),
      text,
    );
    return vscode.workspace.applyEdit(edit);
  },
};

function find(path: { readonly scheme: string; readonly path: string }): vscode.TextDocument | undefined {
  const wanted = path.scheme === 'file' ? vscode.Uri.file(path.path).toString() : undefined;
  return vscode.workspace.textDocuments.find(
    ({ isDirty, uri }) =>
      isDirty &&
      (wanted === undefined ? uri.scheme === path.scheme && pathOf(uri) === path.path : uri.toString() === wanted),
  );
}

const noTrash = (path: string): Error =>
  toolError(
    'unsupported',
    `\`/${path}\` could not be moved to a trash here; set to_trash to false to delete for good, which asks the user`,
  );

/** With the authority, because the same path on two hosts is two places. */
function pathOf(uri: vscode.Uri): string {
  if (uri.scheme === 'file') return uri.fsPath;
  return uri.authority === '' ? uri.path : `//${uri.authority}${uri.path}`;
}

/** Where the editor finds a place of the workspace. */
export function uriOf({ folder, path }: WorkspacePath): vscode.Uri {
  const found = (vscode.workspace.workspaceFolders ?? []).find(
    ({ uri }) => uri.scheme === folder.scheme && pathOf(uri) === folder.path,
  );
  if (!found) throw toolError('not_found', `the workspace folder \`${folder.name}\` is not there any more`);
  return path === '' ? found.uri : vscode.Uri.joinPath(found.uri, ...path.split('/'));
}

const codes: Readonly<Record<string, ErrorCode>> = {
  FileNotFound: 'not_found',
  FileExists: 'already_exists',
  FileNotADirectory: 'not_a_directory',
  FileIsADirectory: 'is_a_directory',
  NoPermissions: 'permission_denied',
  Unavailable: 'not_available',
};

async function worded<T>(path: WorkspacePath, work: (uri: vscode.Uri) => Thenable<T>): Promise<T> {
  try {
    return await work(uriOf(path));
  } catch (error) {
    const code = error instanceof vscode.FileSystemError ? codes[error.code] : undefined;
    if (code === undefined) throw error;
    throw toolError(code, `\`/${path.path}\`: ${code.replaceAll('_', ' ')}`);
  }
}

function typeOf(type: vscode.FileType): FileType {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'symlink';
  return type === vscode.FileType.Directory ? 'directory' : type === vscode.FileType.File ? 'file' : 'other';
}

function facts(stat: vscode.FileStat): FileStat {
  return {
    type: typeOf(stat.type),
    size: stat.size,
    readonly: stat.permissions === vscode.FilePermission.Readonly,
    createdMs: stat.ctime,
    modifiedMs: stat.mtime,
    accessedMs: stat.mtime,
  };
}
