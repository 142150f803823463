import { counted } from '../../../core/base/figures';
import type { Json } from '../../../core/base/json';
import { LeftOut } from '../../../core/files/leftOut';
import { comparePaths, displayPath, sortPaths } from '../../../core/files/paths';
import { listAllowed, wantsIgnored } from './pathJudge';
import { pathsText } from './listText';
import { fitting, questionOf, readCursor, writeCursor } from './paging';
import { progressOf } from '../shared/progress';
import { emptyNote, globBelow } from './patterns';
import { accessesBelow, filesOf, judgedRoots } from '../shared/target';
import type { ToolHandler } from '../../../core/capability/tool';
import type { FindInput } from './inputs';

const defaultLimit = 200;

export const handler: ToolHandler<FindInput> = {
  accesses: (input, context) => accessesBelow(context, input.path ?? '/'),
  async run(input, context) {
    const files = filesOf(context);
    const roots = await judgedRoots(context, input.path ?? '/');
    const wanted = input.type ?? 'file';
    const left = new LeftOut();
    const found: string[] = [];
    const progress = progressOf(context);
    for (const root of roots) {
      const pattern = globBelow(input.pattern, root, files);
      if (pattern === undefined) continue;
      await listAllowed(
        context,
        files,
        {
          root,
          include: [pattern],
          exclude: input.exclude ?? [],
          includeIgnored: wantsIgnored(context, input.include_ignored),
          directories: wanted !== 'file',
        },
        left,
        (entries) => {
          for (const { path } of entries) found.push(displayPath({ folder: root.folder, path }, files));
          progress(() => `${counted(found.length, 'file')} found`);
          return true;
        },
        ({ type }) => wanted !== 'directory' || type === 'directory',
      );
    }
    sortPaths(found);
    const question = questionOf(input, { type: 'file' });
    const end = readCursor(input.cursor, question);
    const later = end ? found.findIndex((path) => comparePaths(path, end.last) > 0) : 0;
    const start = later < 0 ? found.length : later;
    const sizeInJson = (path: string): number => (input.limit === undefined ? path.length + 3 : 0);
    const page = fitting(found.slice(start, start + (input.limit ?? defaultLimit)), sizeInJson);
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
  text: pathsText,
};
