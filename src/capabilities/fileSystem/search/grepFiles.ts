import { counted } from '../../../core/base/figures';
import type { Json } from '../../../core/base/json';
import { isToolError } from '../../../core/vocabulary/errors';
import { LeftOut } from '../../../core/files/leftOut';
import { comparePaths, displayPath } from '../../../core/files/paths';
import type { SearchFile, SearchLine } from '../../../core/ports/fileSearch';
import type { FileSystem } from '../../../core/ports/files';
import { pathJudge, wantsIgnored } from './pathJudge';
import { matchesText } from './listText';
import { type PageEnd, questionOf, readCursor, writeCursor } from './paging';
import { emptyNote, globBelow } from './patterns';
import { progressOf } from '../shared/progress';
import { accessesBelow, checkCancelled, filesOf, judgedRoots, nothingThere } from '../shared/target';
import type { ToolContext, ToolHandler } from '../../../core/capability/tool';
import type { WorkspacePath } from '../../../core/ports/workspacePath';
import type { GrepInput } from './inputs';

interface Found {
  readonly where: WorkspacePath;
  readonly file: SearchFile;
}

const defaultLimit = 100;
const roomForMatches = 6_500;

export const handler: ToolHandler<GrepInput> = {
  accesses: (input, context) => accessesBelow(context, input.path ?? '/'),
  async run(input, context) {
    const files = filesOf(context);
    const roots = await judgedRoots(context, input.path ?? '/');
    const question = questionOf(input, { context_lines: 0, max_per_file: 1000 });
    const end = readCursor(input.cursor, question);
    const isLater = laterThan(end, roots, files);
    const limit = input.limit ?? defaultLimit;
    const left = new LeftOut();
    const { found, complete } = await searchAll(files, roots, input, { isLater, enough: limit + 1 }, context, left);
    const page = pageOf(found, files, isLater, limit, input.limit !== undefined);
    const total = found.reduce((sum, one) => sum + one.file.count, 0);
    const more = page.rest > 0 || !complete;
    const next = { count: (end?.count ?? 0) + page.matches.length, last: page.last ?? end?.last ?? '' };
    return {
      payload: {
        pattern: input.pattern,
        matches: page.matches,
        match_count: page.matches.length,
        ...(complete ? { total_matches: total, files_with_matches: found.length } : {}),
        ...(found.length === 0 ? emptyNote(input.path_pattern, input.path, input.include_ignored === true) : {}),
        ...(more ? { truncated: true, next_cursor: writeCursor(next, question) } : {}),
        ...left.field,
      },
    };
  },
  text: matchesText,
};

/**
 * True for a match after those of the pages before: the order is that of the roots, then of the paths, then of the
 * lines.
 */
type IsLater = (where: WorkspacePath, line: number) => boolean;

function laterThan(end: PageEnd | undefined, roots: readonly WorkspacePath[], files: FileSystem): IsLater {
  const place = end && /^(\d+):(.*)$/s.exec(end.last);
  if (!place) return () => true;
  const [lastLine, shown] = [Number(place[1]), place[2] ?? ''];
  const rootOf = (name: string): number => roots.findIndex((root) => root.folder.name === name);
  const several = files.folders().length > 1;
  const lastRoot = several ? rootOf(shown.split('/')[1] ?? '') : 0;
  return (where, line) => {
    const root = several ? rootOf(where.folder.name) : 0;
    const order = root - lastRoot || comparePaths(displayPath(where, files), shown);
    return order > 0 || (order === 0 && line > lastLine);
  };
}

/** Searches all roots until there are enough matches for the page; `complete` tells whether everything was searched. */
async function searchAll(
  files: FileSystem,
  roots: readonly WorkspacePath[],
  input: GrepInput,
  { isLater, enough }: { readonly isLater: IsLater; readonly enough: number },
  context: ToolContext,
  left: LeftOut,
): Promise<{ readonly found: readonly Found[]; readonly complete: boolean }> {
  const found: Found[] = [];
  let matches = 0;
  let later = 0;
  let complete = true;
  let seen = 0;
  const progress = progressOf(context);
  const say = (): void =>
    progress(
      () =>
        `${counted(matches, 'match', 'matches')} in ${counted(found.length, 'file')}, ${counted(seen, 'file')} seen`,
    );
  for (const root of roots) {
    if (!complete) break;
    const include = input.path_pattern === undefined ? [] : [globBelow(input.path_pattern, root, files)];
    if (include.includes(undefined)) continue;
    const search = files.search(
      {
        root,
        pattern: input.pattern,
        literal: input.literal ?? false,
        ignoreCase: input.ignore_case ?? false,
        wholeWord: input.whole_word ?? false,
        include: include.filter((glob) => glob !== undefined),
        exclude: input.exclude ?? [],
        includeIgnored: wantsIgnored(context, input.include_ignored),
        contextLines: input.context_lines ?? 0,
        maxPerFile: input.max_per_file ?? 1000,
        judge: pathJudge(context, files, root.folder, left),
        onProgress: (count) => {
          seen = count;
          say();
        },
      },
      (batch) => {
        checkCancelled(context.stopped);
        for (const file of batch) {
          const place = { file, where: { folder: root.folder, path: file.path } };
          found.push(place);
          matches += file.count;
          later += file.lines.filter((line) => line.column !== undefined && isLater(place.where, line.line)).length;
          if (place.file.more) left.add('matches beyond max_per_file');
        }
        say();
        complete = later < enough;
        return complete;
      },
      context.signal,
    );
    const leftOut = await search.catch((error: unknown) => {
      throw isToolError(error) && error.data.code === 'not_found' ? nothingThere(displayPath(root, files)) : error;
    });
    left.addAll(leftOut);
  }
  return { found, complete };
}

/**
 * The matches of one page, each with its context, as many as there is room for; `rest` are those found that come after
 * it.
 */
function pageOf(
  found: readonly Found[],
  files: FileSystem,
  isLater: IsLater,
  limit: number,
  limitGiven: boolean,
): { readonly matches: readonly Json[]; readonly last?: string; readonly rest: number } {
  const matches: Json[] = [];
  let last: string | undefined;
  let rest = 0;
  let room = roomForMatches;
  for (const { where, file } of found) {
    const shown = displayPath(where, files);
    for (const [index, line] of file.lines.entries()) {
      if (line.column === undefined || !isLater(where, line.line)) continue;
      const match = rest > 0 ? undefined : describe(shown, file.lines, index, line);
      if (match) room -= JSON.stringify(match).length + 1;
      if (!match || matches.length >= limit || (room < 0 && !limitGiven && matches.length > 0)) {
        rest++;
        continue;
      }
      matches.push(match);
      last = `${line.line}:${shown}`;
    }
  }
  return { matches, rest, ...(last === undefined ? {} : { last }) };
}

function describe(path: string, lines: readonly SearchLine[], index: number, line: SearchLine): Json {
  const [before, after] = [contextOf(lines, index, -1), contextOf(lines, index, 1)];
  return {
    path,
    line: line.line,
    column: line.column ?? 1,
    text: line.text,
    ...(before.length > 0 ? { before } : {}),
    ...(after.length > 0 ? { after } : {}),
  };
}

/** The neighbours of a match up to the next match or gap. */
function contextOf(lines: readonly SearchLine[], index: number, step: -1 | 1): string[] {
  const found: string[] = [];
  for (let at = index + step; ; at += step) {
    const line = lines[at];
    const neighbour = lines[at - step];
    if (!line || !neighbour || line.column !== undefined || Math.abs(line.line - neighbour.line) !== 1) break;
    found.push(line.text);
  }
  return step < 0 ? found.reverse() : found;
}
