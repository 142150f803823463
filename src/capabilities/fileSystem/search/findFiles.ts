import type { Json } from '../../../core/base/json';
import { isToolError } from '../../../core/vocabulary/errors';
import { LeftOut } from '../../../core/files/leftOut';
import { comparePaths, displayPath, sortPaths } from '../../../core/files/paths';
import { pathJudge } from './pathJudge';
import { questionOf, readCursor, writeCursor } from './paging';
import { progressOf } from '../shared/progress';
import { emptyNote, globBelow } from './patterns';
import { accessesBelow, filesOf, judgedRoots, noFolder } from '../shared/target';
import type { ToolHandler } from '../../../core/capability/tool';

interface FindInput {
  readonly pattern: string;
  readonly path?: string;
  readonly type?: 'file' | 'directory' | 'any';
  readonly exclude?: readonly string[];
  readonly include_ignored?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

const defaultLimit = 200;
const roomForPaths = 7_000;

export const handler: ToolHandler<FindInput> = {
  accesses: (input, context) => accessesBelow(context, input.path ?? '/'),
  async run(input, context) {
    const files = filesOf(context);
    const roots = await judgedRoots(context, input.path ?? '/');
    const honour = context.ports.settings.get('fileSystem.respectIgnoreFiles');
    const wanted = input.type ?? 'file';
    const left = new LeftOut();
    const found: string[] = [];
    const progress = progressOf(context);
    for (const root of roots) {
      const pattern = globBelow(input.pattern, root, files);
      if (pattern === undefined) continue;
      const judge = pathJudge(context, files, root.folder, left);
      const listing = files.list(
        {
          root,
          include: [pattern],
          exclude: input.exclude ?? [],
          includeIgnored: (input.include_ignored ?? false) || !honour,
          directories: wanted !== 'file',
        },
        async (batch) => {
          const paths: string[] = [];
          for (const entry of batch) if (wanted !== 'directory' || entry.type === 'directory') paths.push(entry.path);
          const allowed = await judge(paths);
          for (const [index, path] of paths.entries())
            if (allowed[index]) found.push(displayPath({ folder: root.folder, path }, files));
          progress(() => `${found.length} files found`);
          return true;
        },
        context.stopped,
      );
      await listing.catch(async (error: unknown) => {
        throw isToolError(error) ? await noFolder(files, root, error) : error;
      });
    }
    sortPaths(found);
    const question = questionOf(input, { type: 'file' });
    const end = readCursor(input.cursor, question);
    const later = end ? found.findIndex((path) => comparePaths(path, end.last) > 0) : 0;
    const start = later < 0 ? found.length : later;
    const page: string[] = [];
    let room = roomForPaths;
    for (const path of found.slice(start, start + (input.limit ?? defaultLimit))) {
      room -= path.length + 3;
      if (room < 0 && input.limit === undefined && page.length > 0) break;
      page.push(path);
    }
    const next = start + page.length;
    const payload: Record<string, Json> = {
      pattern: input.pattern,
      files: page,
      count: page.length,
      total: found.length,
      ...(next < found.length
        ? { truncated: true, next_cursor: writeCursor({ count: next, last: found[next - 1] ?? '' }, question) }
        : {}),
      ...(found.length === 0 ? emptyNote(input.pattern, input.path, input.include_ignored === true) : {}),
      ...left.field,
    };
    return { payload };
  },
};
