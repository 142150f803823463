import { reading, result } from '../shared/schemas';
import { integer, string, strings } from '../../../core/capability/declare';
import { defineTool, type Tool } from '../../../core/capability/tool';
import { findInput, grepInput, listInput } from './inputs';

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
    inputSchema: listInput,
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
    inputSchema: findInput,
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
    inputSchema: grepInput,
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
