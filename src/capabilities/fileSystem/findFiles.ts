import type { Json } from '../../core/base/json';
import { accessLabel, sortPaths, displayPath, resolveRoots } from '../../core/paths';
import type { ToolHandler } from '../../core/tool';
import { pathJudge } from './judging';
import { LeftOut, readCursor, writeCursor } from './paging';
import { progressOf } from './progress';
import { accessesOf, filesOf, judgedTarget, targetOf } from './target';

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
  async accesses(input, context) {
    const files = filesOf(context);
    const roots = await resolveRoots(files, input.path ?? '/');
    if (roots.length > 1) return roots.map((root) => ({ effect: 'fs.read', resource: accessLabel(root, files) }));
    return accessesOf(await targetOf(context, input.path ?? '/'), 'fs.read');
  },
  async run(input, context) {
    const files = filesOf(context);
    const named = await resolveRoots(files, input.path ?? '/');
    const roots = named.length === 1 ? [(await judgedTarget(context, input.path ?? '/', 'fs.read')).real] : named;
    const honour = context.ports.settings.get('fileSystem.respectIgnoreFiles') !== false;
    const wanted = input.type ?? 'file';
    const left = new LeftOut();
    const found: string[] = [];
    const progress = progressOf(context);
    for (const root of roots) {
      const judge = pathJudge(context, files, root.folder, left);
      await files.list(
        {
          root,
          include: [input.pattern],
          exclude: input.exclude ?? [],
          includeIgnored: (input.include_ignored ?? false) || !honour,
          directories: wanted !== 'file',
        },
        async (batch) => {
          const paths: string[] = [];
          for (const entry of batch) if (wanted !== 'directory' || entry.type === 'directory') paths.push(entry.path);
          const allowed = await judge(paths);
          for (const [index, path] of paths.entries()) if (allowed[index]) found.push(displayPath({ folder: root.folder, path }, files));
          progress(() => `${found.length} files found`);
          return true;
        },
        context.stopped,
      );
    }
    sortPaths(found);
    const question = JSON.stringify({ ...input, cursor: undefined, limit: undefined });
    const start = readCursor(input.cursor, question);
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
      ...(next < found.length ? { truncated: true, next_cursor: writeCursor(next, question) } : {}),
      ...left.field,
    };
    return { payload };
  },
};
