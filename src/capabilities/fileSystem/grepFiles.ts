import type { Json } from '../../core/base/json';
import { accessLabel, displayPath, resolveRoots } from '../../core/paths';
import type { SearchFile, SearchLine } from '../../core/ports/fileSearch';
import type { FileSystem, WorkspacePath } from '../../core/ports/files';
import type { ToolContext, ToolHandler } from '../../core/tool';
import { pathJudge } from './judging';
import { LeftOut, readCursor, writeCursor } from './paging';
import { progressOf } from './progress';
import { accessesOf, checkCancelled, filesOf, judgedTarget, targetOf } from './target';

interface GrepInput {
  readonly pattern: string;
  readonly path_pattern?: string;
  readonly path?: string;
  readonly exclude?: readonly string[];
  readonly literal?: boolean;
  readonly ignore_case?: boolean;
  readonly whole_word?: boolean;
  readonly context_lines?: number;
  readonly max_per_file?: number;
  readonly limit?: number;
  readonly include_ignored?: boolean;
  readonly cursor?: string;
}

interface Found {
  readonly where: WorkspacePath;
  readonly file: SearchFile;
}

const defaultLimit = 100;
const roomForMatches = 6_500;

export const handler: ToolHandler<GrepInput> = {
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
    const question = JSON.stringify({ ...input, cursor: undefined, limit: undefined });
    const start = readCursor(input.cursor, question);
    const limit = input.limit ?? defaultLimit;
    const left = new LeftOut();
    const { found, complete } = await searchAll(files, roots, input, start + limit + 1, context, left);
    const page = pageOf(found, files, start, limit, input.limit !== undefined);
    const total = found.reduce((sum, one) => sum + one.file.count, 0);
    const more = start + page.count < total || !complete;
    return {
      payload: {
        pattern: input.pattern,
        matches: page.matches,
        match_count: page.count,
        ...(complete ? { total_matches: total, files_with_matches: found.length } : {}),
        ...(more ? { truncated: true, next_cursor: writeCursor(start + page.count, question) } : {}),
        ...left.field,
      },
    };
  },
};

/** Searches all roots until there are enough matches for the page; `complete` tells whether everything was searched. */
async function searchAll(
  files: FileSystem,
  roots: readonly WorkspacePath[],
  input: GrepInput,
  enough: number,
  context: ToolContext,
  left: LeftOut,
): Promise<{ readonly found: readonly Found[]; readonly complete: boolean }> {
  const honour = context.ports.settings.get('fileSystem.respectIgnoreFiles') !== false;
  const found: Found[] = [];
  let matches = 0;
  let complete = true;
  let seen = 0;
  const progress = progressOf(context);
  const say = (): void => progress(() => `${matches} matches in ${found.length} files, ${seen} files seen`);
  for (const root of roots) {
    if (!complete) break;
    const summary = await files.search(
      {
        root,
        pattern: input.pattern,
        literal: input.literal ?? false,
        ignoreCase: input.ignore_case ?? false,
        wholeWord: input.whole_word ?? false,
        include: input.path_pattern === undefined ? [] : [input.path_pattern],
        exclude: input.exclude ?? [],
        includeIgnored: (input.include_ignored ?? false) || !honour,
        contextLines: input.context_lines ?? 0,
        maxPerFile: input.max_per_file ?? 1000,
        sorted: true,
        judge: pathJudge(context, files, root.folder, left),
        onProgress: (count) => {
          seen = count;
          say();
        },
      },
      (batch) => {
        checkCancelled(context.signal);
        for (const file of batch) {
          const place = { file, where: { folder: root.folder, path: file.path } };
          found.push(place);
          matches += place.file.count;
          if (place.file.more) left.add('matches beyond max_per_file');
        }
        say();
        complete = matches < enough;
        return complete;
      },
      context.signal,
    );
    left.addAll(summary.leftOut);
  }
  return { found, complete };
}

/** The matches of one page, each with its context; as many as there is room for. */
function pageOf(
  found: readonly Found[],
  files: FileSystem,
  start: number,
  limit: number,
  limitGiven: boolean,
): { readonly matches: readonly Json[]; readonly count: number } {
  const matches: Json[] = [];
  let number = 0;
  let room = roomForMatches;
  for (const { where, file } of found) {
    if (number + file.count <= start) {
      number += file.count;
      continue;
    }
    for (const [index, line] of file.lines.entries()) {
      if (line.column === undefined) continue;
      if (number++ < start) continue;
      const match = describe(displayPath(where, files), file.lines, index, line);
      room -= JSON.stringify(match).length + 1;
      if (matches.length >= limit || (room < 0 && !limitGiven && matches.length > 0)) return { matches, count: matches.length };
      matches.push(match);
    }
  }
  return { matches, count: matches.length };
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
