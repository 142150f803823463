import { flag, input, integer, pathProperty, reading, result } from '../shared/schemas';
import { defineTool, type Tool } from '../../../core/capability/tool';

export const readFileTool: Tool = defineTool(
  {
    ...reading,
    name: 'read_file',
    title: 'Read File',
    kind: 'data',
    modelDescription:
      'Read the content of one file of the workspace by its path. Use it to see code, configuration, documents or pictures before you change or explain them; for several small files use read_files, to search inside files use grep_files. ' +
      'Without a range it starts at line 1. Choose a part with start_line/end_line, head, tail, or offset/length in bytes; what is cut is said in the last line with the parameter to go on. ' +
      'Returns path, content, encoding, size_bytes, and for text content_hash (pass it as expected_hash when you write), total_lines, end_of_line. Pictures come back as pictures; other binary files only with encoding base64.',
    userDescription: 'Reads a file of the workspace, whole or in part',
    inputSchema: input(['path'], {
      path: pathProperty(
        "Path of the file, rooted at the workspace (e.g., '/docs/readme.txt'), relative to it, or absolute inside it.",
      ),
      encoding: {
        type: 'string',
        maxLength: 40,
        default: 'utf-8',
        description:
          'auto, utf-8 (both obey a byte order mark), base64 for raw bytes, or another name such as utf-16le, windows-1252, shift_jis.',
      },
      start_line: integer('First line to show, from 1.', 1, 2_000_000_000),
      end_line: integer('Last line to show, included.', 1, 2_000_000_000),
      head: integer('Show so many lines from the start.', 1, 10_000_000),
      tail: integer('Show so many lines from the end.', 1, 10_000_000),
      offset: integer('First byte to show, from 0.', 0, Number.MAX_SAFE_INTEGER),
      length: integer('Show so many bytes from offset.', 1, Number.MAX_SAFE_INTEGER),
      line_numbers: flag(
        'Put the line number and a tab before each line. Leave it off when you need the exact text for an edit.',
      ),
      max_bytes: integer(
        'Cut the content after so many bytes. Default 7000; ask for more only when you need it.',
        100,
        10_000_000,
      ),
    }),
    outputSchema: result(['path', 'content', 'encoding', 'size_bytes'], {
      content: { type: 'string' },
      encoding: { type: 'string' },
      size_bytes: { type: 'integer' },
    }),
    timeoutMs: 60_000,
    icon: 'file',
    tags: ['files', 'read', 'view', 'open', 'cat', 'image'],
    contentField: 'content',
    aliases: ['file-read', 'file_read'],
  },
  async () => (await import('./readFile')).handler,
);

export const readFilesTool: Tool = defineTool(
  {
    ...reading,
    name: 'read_files',
    title: 'Read Several Files',
    kind: 'data',
    modelDescription:
      'Read several files of the workspace in one call. Use it when you need two to fifty files at once; for a part of one large file use read_file. ' +
      'Returns files in the order of paths, each as read_file gives it, or with an error of its own: one that fails does not stop the others. The bytes are shared out evenly, and what is cut is said.',
    userDescription: 'Reads several files of the workspace at once',
    inputSchema: input(['paths'], {
      paths: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        items: pathProperty('A path as in read_file.'),
        description: 'The files to read.',
      },
      head: integer('Show only so many lines from the start of each.', 1, 10_000_000),
      line_numbers: flag('Put the line number and a tab before each line.'),
      max_bytes: integer('Bytes of content in all, shared out evenly. Default 7000.', 1000, 10_000_000),
    }),
    outputSchema: {
      type: 'object',
      required: ['files', 'count', 'failed'],
      properties: { files: { type: 'array' }, count: { type: 'integer' }, failed: { type: 'integer' } },
    },
    timeoutMs: 60_000,
    icon: 'files',
    tags: ['files', 'read', 'batch', 'multiple'],
  },
  async () => (await import('./readFiles')).handler,
);

export const statFileTool: Tool = defineTool(
  {
    ...reading,
    name: 'stat_file',
    title: 'File Information',
    kind: 'status',
    modelDescription:
      'Get facts about a file or directory of the workspace without reading it. Use it to check whether a path exists, how large it is, when it changed, where a link leads, and whether you may read, write or delete it and why not. ' +
      'Returns path, name, exists, is_directory, is_readonly, size_bytes, created_at, modified_at, accessed_at and permissions (read, write, delete: allowed, only with a confirmation by the user, or the reason why not); a missing path is an answer (exists false), not an error. Of what you may not read only the permissions are told.',
    userDescription: 'Shows size, times and permissions of a file or folder',
    inputSchema: input(['path'], {
      path: pathProperty('Path of the file or directory.'),
      with_hash: flag('Also the SHA-256 of the content.'),
    }),
    outputSchema: result(['path', 'name', 'exists', 'is_directory', 'permissions'], {
      name: { type: 'string' },
      exists: { type: 'boolean' },
      is_directory: { type: 'boolean' },
      is_readonly: { type: 'boolean' },
      size_bytes: { type: 'integer' },
      permissions: { type: 'object', required: ['read', 'write', 'delete'] },
    }),
    timeoutMs: 60_000,
    icon: 'info',
    tags: ['files', 'metadata', 'exists', 'size', 'permission'],
    repeatable: true,
  },
  async () => (await import('./statFile')).handler,
);
