import { cursor, flag, globs, includeIgnored, input, integer, pathProperty, reading, result } from '../shared/schemas';
import { defineTool, type Tool } from '../../../core/capability/tool';

export const listDirectoryTool: Tool = defineTool(
  {
    ...reading,
    name: 'list_directory',
    title: 'List Directory',
    kind: 'data',
    modelDescription:
      'List the files and directories at a path of the workspace. Use it to get to know a project; to find files by name use find_files, to search their content use grep_files. ' +
      'depth 2 or more goes into subdirectories, format tree draws them compactly. Ignored directories are shown, marked, and not entered. ' +
      'Returns path, entries (name, path, is_directory) and count; next_cursor where there is more, left_out with the reason for what policy hides.',
    userDescription: 'Lists what is in a folder',
    inputSchema: input([], {
      path: { ...pathProperty("Directory to list. Defaults to the root '/'."), default: '/' },
      depth: integer('How many levels to show. Default 1.', 1, 100),
      sort: {
        type: 'string',
        enum: ['name', 'size', 'modified'],
        description: 'Order: by name (default), largest first, or newest first.',
      },
      with_sizes: flag('Add size_bytes and modified_at of each, and total_size_bytes of all files listed.'),
      format: {
        type: 'string',
        enum: ['list', 'tree'],
        description: 'list (default) gives entries; tree gives an indented text in the field tree.',
      },
      exclude: globs("Globs of what to leave out, such as '*.log'; with a folder goes all that is in it."),
      include_ignored: includeIgnored,
      limit: integer('Entries per page. Default 60.', 1, 100_000),
      cursor,
    }),
    outputSchema: result(['path', 'entries', 'count'], { entries: { type: 'array' }, count: { type: 'integer' } }),
    timeoutMs: 60_000,
    icon: 'list-tree',
    tags: ['files', 'directory', 'folder', 'ls', 'tree'],
  },
  async () => (await import('./listDirectory')).handler,
);

export const findFilesTool: Tool = defineTool(
  {
    ...reading,
    name: 'find_files',
    title: 'Find Files',
    kind: 'data',
    modelDescription:
      "Find files of the workspace by a glob over their paths. Use it when you know a name or an ending, such as '*.ts' or 'src/**/index.*'; to search the content use grep_files. " +
      'A pattern without / matches names at any depth. Ignored files are left out unless include_ignored is true. ' +
      'Returns files (sorted paths), count, total, and next_cursor where there is more.',
    userDescription: 'Finds files by name',
    inputSchema: input(['pattern'], {
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: "Glob: *, ?, **, [a-z], {a,b}. Example: '**/*.{js,ts}'.",
      },
      path: {
        ...pathProperty('Directory to look in; the pattern is relative to it. Defaults to the root.'),
        default: '/',
      },
      type: { type: 'string', enum: ['file', 'directory', 'any'], description: 'What to find. Default file.' },
      exclude: globs("Globs of what to leave out, such as 'test'; with a folder goes all that is in it."),
      include_ignored: includeIgnored,
      limit: integer('Paths per page. Default 200.', 1, 1_000_000),
      cursor,
    }),
    outputSchema: result(['pattern', 'files', 'count'], {
      pattern: { type: 'string' },
      files: { type: 'array', items: { type: 'string' } },
      count: { type: 'integer' },
    }),
    timeoutMs: 120_000,
    icon: 'search',
    tags: ['files', 'glob', 'name', 'locate'],
  },
  async () => (await import('./findFiles')).handler,
);

export const grepFilesTool: Tool = defineTool(
  {
    ...reading,
    name: 'grep_files',
    title: 'Search in Files',
    kind: 'data',
    modelDescription:
      'Search the content of files of the workspace with a regular expression, line by line. Use it to find where something is defined, used or written; to find files by name use find_files. ' +
      'The expression is RE2 (no look-around, no back-references); set literal to true for plain text with special characters. Narrow it down with path and path_pattern. Binary and ignored files are left out. ' +
      'Returns matches (path, line, column, text, and before/after with context_lines), match_count, total_matches, next_cursor where there is more, left_out with reasons.',
    userDescription: 'Searches the content of files',
    inputSchema: input(['pattern'], {
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 10_000,
        description: 'Regex pattern to search for, or plain text with literal.',
      },
      path_pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: "Glob of the files to search, such as '*.txt' or 'src/**'.",
      },
      path: { ...pathProperty('Directory or file to search in. Defaults to the root.'), default: '/' },
      exclude: globs("Globs of what to leave out, such as '*.min.js'; with a folder goes all that is in it."),
      literal: flag('Take the pattern as plain text.'),
      ignore_case: flag('Do not tell upper from lower case.'),
      whole_word: flag('Match whole words only.'),
      context_lines: integer('Lines to show before and after each match. Default 0.', 0, 20),
      max_per_file: integer('Matching lines to take from each file. Default 1000.', 1, 100_000),
      limit: integer('Matches per page. Default 100.', 1, 100_000),
      include_ignored: includeIgnored,
      cursor,
    }),
    outputSchema: result(['pattern', 'matches', 'match_count'], {
      pattern: { type: 'string' },
      matches: { type: 'array' },
      match_count: { type: 'integer' },
    }),
    timeoutMs: 120_000,
    icon: 'search',
    tags: ['files', 'grep', 'regex', 'text', 'content', 'ripgrep'],
  },
  async () => (await import('./grepFiles')).handler,
);
