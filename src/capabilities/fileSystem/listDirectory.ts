import type { Json } from '../../core/base/json';
import { isToolError, toolError, type ToolError } from '../../core/errors';
import { accessLabel, comparePaths, displayPath, resolveRoots } from '../../core/paths';
import type { ListEntry } from '../../core/ports/fileSearch';
import type { FileStat, FileSystem, WorkspacePath } from '../../core/ports/files';
import type { ToolContext, ToolHandler } from '../../core/tool';
import { pathJudge } from './judging';
import { LeftOut, readCursor, writeCursor } from './paging';
import { progressOf } from './progress';
import { accessesOf, checkCancelled, filesOf, judgedTarget, targetOf } from './target';

interface ListInput {
  readonly path?: string;
  readonly depth?: number;
  readonly sort?: 'name' | 'size' | 'modified';
  readonly with_sizes?: boolean;
  readonly format?: 'list' | 'tree';
  readonly exclude?: readonly string[];
  readonly include_ignored?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

interface Listed {
  readonly where: WorkspacePath;
  readonly entry: ListEntry;
  stat?: FileStat | undefined;
}

const defaultLimit = 60;
const roomForEntries = 7_000;

export const handler: ToolHandler<ListInput> = {
  async accesses(input, context) {
    const roots = await resolveRoots(filesOf(context), input.path ?? '/');
    if (roots.length > 1) return roots.map((root) => ({ effect: 'fs.read', resource: accessLabel(root, filesOf(context)) }));
    return accessesOf(await targetOf(context, input.path ?? '/'), 'fs.read');
  },
  async run(input, context) {
    const files = filesOf(context);
    const path = input.path ?? '/';
    const roots = await resolveRoots(files, path);
    const left = new LeftOut();
    const depth = input.depth ?? 1;
    if (roots.length > 1 && depth === 1) return { payload: listFolders(files) };
    const single = roots.length === 1 ? [(await judgedTarget(context, path, 'fs.read')).real] : roots;
    const found = (await Promise.all(single.map((root) => collect(files, root, input, context, left)))).flat();
    if (input.with_sizes || (input.sort ?? 'name') !== 'name') await addStats(files, found, context);
    sort(found, input.sort ?? 'name');
    const question = JSON.stringify({ ...input, cursor: undefined, limit: undefined });
    const start = readCursor(input.cursor, question);
    const page = found.slice(start, start + (input.limit ?? defaultLimit));
    const shown = roots.length === 1 && roots[0] ? displayPath(roots[0], files) : '/';
    const tree = input.format === 'tree';
    const { entries, text, used } = tree
      ? asTree(page, files, shown)
      : asEntries(page, files, input.with_sizes ?? false, input.limit !== undefined);
    const next = start + used;
    return {
      payload: {
        path: shown,
        entries,
        count: used,
        ...(text === undefined ? {} : { tree: text }),
        ...(input.with_sizes ? { total_size_bytes: found.reduce((sum, one) => sum + sizeOf(one), 0) } : {}),
        ...(next < found.length || start > 0 ? { total: found.length } : {}),
        ...(next < found.length ? { truncated: true, next_cursor: writeCursor(next, question) } : {}),
        ...left.field,
      },
    };
  },
};

function listFolders(files: FileSystem): Json {
  const entries = files.folders().map((folder) => ({ name: folder.name, path: `/${folder.name}`, is_directory: true }));
  return { path: '/', entries, count: entries.length };
}

async function collect(
  files: FileSystem,
  root: WorkspacePath,
  input: ListInput,
  context: ToolContext,
  left: LeftOut,
): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  const progress = progressOf(context);
  const judge = pathJudge(context, files, root.folder, left);
  const honour = context.ports.settings.get('fileSystem.respectIgnoreFiles') !== false;
  const listing = files.list(
    {
      root,
      depth: input.depth ?? 1,
      include: [],
      exclude: input.exclude ?? [],
      includeIgnored: (input.include_ignored ?? false) || !honour,
      directories: true,
      markIgnored: true,
    },
    async (batch) => {
      const allowed = await judge(batch.map((entry) => entry.path));
      for (const [index, entry] of batch.entries()) {
        if (allowed[index]) found.push({ entry, where: { folder: root.folder, path: entry.path } });
      }
      progress(() => `${found.length} entries listed`);
      return found.length < 200_000;
    },
    context.stopped,
  );
  await listing.catch(async (error: unknown) => {
    throw isToolError(error) ? await noFolder(files, root, error) : error;
  });
  return found;
}

/** Words the failure of a listing by what stands there. */
async function noFolder(files: FileSystem, root: WorkspacePath, error: ToolError): Promise<ToolError> {
  const shown = displayPath(root, files);
  const stat = await files.stat(root).catch(() => 'unknown' as const);
  if (stat === undefined) return toolError('not_found', `nothing is at \`${shown}\`; list_directory of / shows what there is`);
  if (stat === 'unknown' || stat.type === 'directory') return error;
  return toolError('not_a_directory', `\`${shown}\` is a file; read_file shows its content`);
}

async function addStats(files: FileSystem, found: readonly Listed[], context: ToolContext): Promise<void> {
  for (let at = 0; at < found.length; at += 64) {
    checkCancelled(context);
    await Promise.all(
      found.slice(at, at + 64).map(async (one) => {
        one.stat = await files.stat(one.where).catch(() => undefined);
      }),
    );
  }
}

function sort(found: Listed[], by: 'name' | 'size' | 'modified'): void {
  const byName = (a: Listed, b: Listed): number => comparePaths(a.entry.path, b.entry.path);
  if (by === 'name') found.sort(byName);
  else if (by === 'size') found.sort((a, b) => sizeOf(b) - sizeOf(a) || byName(a, b));
  else found.sort((a, b) => (b.stat?.modifiedMs ?? 0) - (a.stat?.modifiedMs ?? 0) || byName(a, b));
}

function sizeOf(one: Listed): number {
  return one.entry.type === 'directory' ? 0 : (one.stat?.size ?? 0);
}

function asEntries(
  page: readonly Listed[],
  files: FileSystem,
  sizes: boolean,
  limitGiven: boolean,
): { entries: readonly Json[]; text?: string; used: number } {
  const entries: Json[] = [];
  let room = roomForEntries;
  for (const { where, entry, stat } of page) {
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
    const one = {
      name,
      path: displayPath(where, files),
      is_directory: entry.type === 'directory',
      ...(entry.type === 'symlink' || entry.type === 'other' ? { type: entry.type } : {}),
      ...(sizes && stat && entry.type !== 'directory' ? { size_bytes: stat.size } : {}),
      ...(sizes && stat ? { modified_at: new Date(stat.modifiedMs).toISOString() } : {}),
      ...(entry.ignored ? { ignored: true } : {}),
    };
    room -= JSON.stringify(one).length + 1;
    if (room < 0 && !limitGiven && entries.length > 0) break;
    entries.push(one);
  }
  return { entries, used: entries.length };
}

function asTree(page: readonly Listed[], files: FileSystem, shown: string): { entries: readonly Json[]; text: string; used: number } {
  const base = shown === '/' ? 0 : shown.split('/').length - 1;
  const lines: string[] = [];
  let room = roomForEntries;
  for (const { where, entry, stat } of page) {
    const parts = displayPath(where, files).split('/').slice(1);
    const size = stat && entry.type !== 'directory' ? `  ${stat.size}` : '';
    const line = `${'  '.repeat(Math.max(0, parts.length - base - 1))}${parts.at(-1) ?? ''}${entry.type === 'directory' ? '/' : ''}${entry.type === 'symlink' ? '@' : ''}${size}`;
    room -= line.length + 2;
    if (room < 0 && lines.length > 0) break;
    lines.push(line);
  }
  return { entries: [], text: lines.join('\n'), used: lines.length };
}
