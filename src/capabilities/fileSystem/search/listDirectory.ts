import { counted } from '../../../core/base/figures';
import type { Json } from '../../../core/base/json';
import { LeftOut } from '../../../core/files/leftOut';
import { comparePaths, displayPath, resolveRoots } from '../../../core/files/paths';
import type { ListEntry } from '../../../core/ports/fileSearch';
import type { FileSystem } from '../../../core/ports/files';
import { listAllowed, wantsIgnored } from './pathJudge';
import { asEntry, type Listed, sizeOf, sortListed, treeOf, type TreeLine } from './listing';
import { directoryText } from './listText';
import { fitting, type PageEnd, questionOf, readCursor, writeCursor } from './paging';
import { breaksOf, progressOf } from '../shared/progress';
import { accessesBelow, checkCancelled, filesOf, judgedRoots } from '../shared/target';
import type { ToolContext, ToolHandler } from '../../../core/capability/tool';
import type { WorkspacePath } from '../../../core/ports/workspacePath';
import type { ListInput } from './inputs';

const defaultLimit = 60;
/** After so many entries of a folder the walk ends. */
const mostEntries = 200_000;

const partNote =
  'there are more entries than were looked at, so totals and order are of a part; list a smaller folder or fewer levels';

export const handler: ToolHandler<ListInput> = {
  accesses: (input, context) => accessesBelow(context, input.path ?? '/'),
  async run(input, context) {
    const files = filesOf(context);
    const path = input.path ?? '/';
    const roots = await resolveRoots(files, path);
    const left = new LeftOut();
    const depth = input.depth ?? 1;
    if (roots.length > 1 && depth === 1) return { payload: listFolders(files) };
    const judged = await judgedRoots(context, path);
    const found = (await Promise.all(judged.map((root) => collect(files, root, input, context, left)))).flat();
    if (roots.length > 1) found.push(...roots.map((where) => listed(where, { path: '', type: 'directory' }, files)));
    const by = input.sort ?? 'name';
    if (input.with_sizes || by !== 'name') await addStats(files, found, context);
    const question = questionOf(input, { sort: 'name', format: 'list', depth: 1 });
    const shown = roots.length === 1 && roots[0] ? displayPath(roots[0], files) : '/';
    const lines = input.format === 'tree' ? treeOf(found, by, shown) : undefined;
    const all = lines ? lines.map(({ one }) => one) : sortListed(found, by);
    const start = startAfter(all, by === 'name', readCursor(input.cursor, question));
    const page = pageAt(start, input, all, lines);
    const next = start + page.count;
    const last = all[next - 1];
    const isCut = next < all.length;
    return {
      payload: {
        path: shown,
        ...page,
        ...(input.with_sizes ? { total_size_bytes: found.reduce((sum, one) => sum + sizeOf(one), 0) } : {}),
        ...(isCut || start > 0 ? { total: all.length } : {}),
        ...(isCut && last
          ? { truncated: true, next_cursor: writeCursor({ count: next, last: last.shown }, question) }
          : {}),
        ...(found.length >= mostEntries ? { note: partNote } : {}),
        ...left.field,
      },
    };
  },
  text: directoryText,
};

/**
 * Where the next page starts: after the last entry of the page before, or after what comes before where that entry is
 * gone.
 */
function startAfter(all: readonly Listed[], isByName: boolean, end: PageEnd | undefined): number {
  if (!end) return 0;
  const known = all.findIndex((one) => one.shown === end.last);
  if (known >= 0) return known + 1;
  const later = isByName ? all.findIndex((one) => comparePaths(one.shown, end.last) > 0) : end.count;
  return later < 0 ? all.length : later;
}

interface Page {
  readonly entries: readonly Json[];
  readonly count: number;
  readonly tree?: string;
}

/**
 * As much from an entry on as the limit and the room allow.
 * @param lines the entries as the lines of a tree, where they are shown so.
 */
function pageAt(start: number, input: ListInput, all: readonly Listed[], lines?: readonly TreeLine[]): Page {
  const end = start + (input.limit ?? defaultLimit);
  if (lines) {
    const shown = fitting(lines.slice(start, end), ({ line }) => line.length + 2);
    return { entries: [], count: shown.length, tree: shown.map(({ line }) => line).join('\n') };
  }
  const sizeInJson = (entry: Json): number => (input.limit === undefined ? JSON.stringify(entry).length + 1 : 0);
  const found = all.slice(start, end).map((one) => asEntry(one, input.with_sizes ?? false));
  const entries = fitting(found, sizeInJson);
  return { entries, count: entries.length };
}

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
  await listAllowed(
    context,
    files,
    {
      root,
      depth: input.depth ?? 1,
      include: [],
      exclude: input.exclude ?? [],
      includeIgnored: wantsIgnored(context, input.include_ignored),
      directories: true,
      markIgnored: true,
    },
    left,
    (entries) => {
      for (const entry of entries) found.push(listed({ folder: root.folder, path: entry.path }, entry, files));
      progress(() => `${counted(found.length, 'entry', 'entries')} listed`);
      return found.length < mostEntries;
    },
  );
  return found;
}

async function addStats(files: FileSystem, found: readonly Listed[], context: ToolContext): Promise<void> {
  const rest = breaksOf(context);
  const progress = progressOf(context);
  for (let at = 0; at < found.length; at += 64) {
    checkCancelled(context.stopped);
    await rest();
    progress(() => `${at} of ${counted(found.length, 'entry', 'entries')} looked at`);
    await Promise.all(
      found.slice(at, at + 64).map(async (one) => {
        one.stat = await files.stat(one.where).catch(() => undefined);
      }),
    );
  }
}

function listed(where: WorkspacePath, entry: ListEntry, files: FileSystem): Listed {
  return { where, entry, shown: displayPath(where, files) };
}
