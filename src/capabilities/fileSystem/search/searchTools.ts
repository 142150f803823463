import { cursor, globs, includeIgnored, input, pathProperty, reading, result } from '../shared/schemas';
import { integer, string, strings } from '../../../core/capability/declare';
import { defineTool, type Tool } from '../../../core/capability/tool';
import { choice, flag, text, wholeNumber } from '../../shared/parameters';

export const listDirectoryTool: Tool = defineTool(
  {
    ...reading,
    name: 'list_directory',
    title: 'List directory',
    kind: 'data',
    modelDescription:
      'List a directory of the workspace. Use it to get to know a project; find_files finds by name. Returns entries, and what policy hides.',
    userDescription: 'Lists what is in a folder',
    modelInputs: { path: '', depth: 'Levels, default 1', cursor: '' },
    inputSchema: input([], {
      path: { ...pathProperty("Directory to list. Defaults to the root '/'."), default: '/' },
      depth: wholeNumber('How many levels to show. Default 1.', 1, 100),
      sort: choice('Order: by name (default), largest first, or newest first.', ['name', 'size', 'modified']),
      with_sizes: flag('Add size_bytes and modified_at of each, and total_size_bytes of all files listed.'),
      format: choice('list (default) gives entries; tree gives an indented text in the field tree.', ['list', 'tree']),
      exclude: globs("Globs of what to leave out, such as '*.log'; with a folder goes all that is in it."),
      include_ignored: includeIgnored,
      limit: wholeNumber('Entries per page. Default 60.', 1, 100_000),
      cursor,
    }),
    outputSchema: result(['path', 'entries', 'count'], { entries: { type: 'array' }, count: integer }),
    icon: 'list-tree',
    tags: ['files', 'directory', 'folder', 'ls', 'tree'],
  },
  async () => (await import('./listDirectory')).handler,
);

export const findFilesTool: Tool = defineTool(
  {
    ...reading,
    name: 'find_files',
    title: 'Find files',
    kind: 'data',
    modelDescription:
      "Find files of the workspace by a glob over their paths. Use it when you know a name or ending ('*.ts' at any depth, 'src/**/index.*'); to search content use grep_files. Ignored files are left out. Returns paths, total, and next_cursor where there is more (pass it as cursor).",
    userDescription: 'Finds files by name',
    modelInputs: {
      pattern: '',
      path: 'Directory that the pattern is relative to',
      exclude: '',
      include_ignored: '',
      cursor: '',
    },
    inputSchema: input(['pattern'], {
      pattern: text("Glob: *, ?, **, [a-z], {a,b}. Example: '**/*.{js,ts}'.", 1000),
      path: {
        ...pathProperty('Directory to look in; the pattern is relative to it. Defaults to the root.'),
        default: '/',
      },
      type: choice('What to find. Default file.', ['file', 'directory', 'any']),
      exclude: globs("Globs of what to leave out, such as 'test'; with a folder goes all that is in it."),
      include_ignored: includeIgnored,
      limit: wholeNumber('Paths per page. Default 200.', 1, 1_000_000),
      cursor,
    }),
    outputSchema: result(['pattern', 'files', 'count'], { pattern: string, files: strings, count: integer }),
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
    title: 'Search in files',
    kind: 'data',
    modelDescription:
      'Search the content of files of the workspace by a regular expression, line by line. Use it to find where something is defined, used or written; to find files by name use find_files. RE2: no look-around or back-references. Binary and ignored files are left out. Returns matches by file as line:text, total_matches where they are more, and next_cursor where there is more (pass it as cursor).',
    userDescription: 'Searches the content of files',
    modelInputs: {
      pattern: '',
      path_pattern: "Glob of the files to search, such as 'src/**'",
      path: 'Directory or file to search in',
      literal: 'The pattern is plain text',
      ignore_case: '',
      include_ignored: '',
      context_lines: 'Lines around each match',
      cursor: '',
    },
    inputSchema: input(['pattern'], {
      pattern: text('Regex pattern to search for, or plain text with literal.', 10_000),
      path_pattern: text("Glob of the files to search, such as '*.txt' or 'src/**'.", 1000),
      path: { ...pathProperty('Directory or file to search in. Defaults to the root.'), default: '/' },
      exclude: globs("Globs of what to leave out, such as '*.min.js'; with a folder goes all that is in it."),
      literal: flag('Take the pattern as plain text.'),
      ignore_case: flag('Do not tell upper from lower case.'),
      whole_word: flag('Match whole words only.'),
      context_lines: wholeNumber('Lines to show before and after each match. Default 0.', 0, 20),
      max_per_file: wholeNumber('Matching lines to take from each file. Default 1000.', 1, 100_000),
      limit: wholeNumber('Matches per page. Default 100.', 1, 100_000),
      include_ignored: includeIgnored,
      cursor,
    }),
    outputSchema: result(['pattern', 'matches', 'match_count'], {
      pattern: string,
      matches: { type: 'array' },
      match_count: integer,
    }),
    timeoutMs: 120_000,
    icon: 'search',
    tags: ['files', 'grep', 'regex', 'text', 'content', 'ripgrep'],
  },
  async () => (await import('./grepFiles')).handler,
);
