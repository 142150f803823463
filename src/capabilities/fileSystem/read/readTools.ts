import { input, pathProperty, reading, result } from '../shared/schemas';
import { boolean, integer, string } from '../../../core/capability/declare';
import { defineTool, type Tool } from '../../../core/capability/tool';
import { flag, wholeNumber } from '../../shared/parameters';

export const readFileTool: Tool = defineTool(
  {
    ...reading,
    name: 'read_file',
    title: 'Read file',
    kind: 'data',
    modelDescription:
      'Read one file of the workspace. Use it to see a file before you change or explain it; for several use read_files, to search use grep_files. Returns the content with its hash, pictures as pictures; where it is cut, the last line says how to go on.',
    userDescription: 'Reads a file of the workspace, whole or in part',
    modelInputs: {
      path: "Rooted at the workspace ('/docs/a.txt'), relative to it, or absolute inside it",
      start_line: '',
      end_line: '',
      tail: 'So many last lines',
      line_numbers: '',
      encoding: 'utf-8 where left out, auto, base64 or a name',
    },
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
      start_line: wholeNumber('First line to show, from 1.', 1, 2_000_000_000),
      end_line: wholeNumber('Last line to show, included.', 1, 2_000_000_000),
      head: wholeNumber('Show so many lines from the start.', 1, 10_000_000),
      tail: wholeNumber('Show so many lines from the end.', 1, 10_000_000),
      offset: wholeNumber('First byte to show, from 0.', 0, Number.MAX_SAFE_INTEGER),
      length: wholeNumber('Show so many bytes from offset.', 1, Number.MAX_SAFE_INTEGER),
      line_numbers: flag(
        'Put the line number and a tab before each line. Leave it off when you need the exact text for an edit.',
      ),
      max_bytes: wholeNumber(
        'Cut the content after so many bytes. Default 7000; ask for more only when you need it.',
        100,
        10_000_000,
      ),
    }),
    outputSchema: result(['path', 'content', 'encoding', 'size_bytes'], {
      content: string,
      encoding: string,
      size_bytes: integer,
    }),
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
    title: 'Read several files',
    kind: 'data',
    modelDescription:
      'Read several files of the workspace in one call. Use it for two to fifty files; for a part of a large one use read_file. Returns each as read_file does, or its error; what is cut is said.',
    userDescription: 'Reads several files of the workspace at once',
    modelInputs: { paths: '', max_bytes: 'In all; 7000 where left out' },
    inputSchema: input(['paths'], {
      paths: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        items: pathProperty('A path as in read_file.'),
        description: 'The files to read.',
      },
      head: wholeNumber('Show only so many lines from the start of each.', 1, 10_000_000),
      line_numbers: flag('Put the line number and a tab before each line.'),
      max_bytes: wholeNumber('Bytes of content in all, shared out evenly. Default 7000.', 1000, 10_000_000),
    }),
    outputSchema: {
      type: 'object',
      required: ['files', 'count', 'failed'],
      properties: { files: { type: 'array' }, count: integer, failed: integer },
    },
    icon: 'files',
    tags: ['files', 'read', 'batch', 'multiple'],
  },
  async () => (await import('./readFiles')).handler,
);

export const statFileTool: Tool = defineTool(
  {
    ...reading,
    name: 'stat_file',
    title: 'File information',
    kind: 'status',
    modelDescription:
      'Get facts about a file or directory without reading it. Use it to learn whether a path exists, its size, times, where a link leads, and whether you may read, write or delete it and why not. Returns exists, size_bytes, modified_at, permissions; a missing path is an answer, no error.',
    userDescription: 'Shows size, times and permissions of a file or folder',
    modelInputs: { path: '' },
    inputSchema: input(['path'], {
      path: pathProperty('Path of the file or directory.'),
      with_hash: flag('Also the SHA-256 of the content.'),
    }),
    outputSchema: result(['path', 'name', 'exists', 'is_directory', 'permissions'], {
      name: string,
      exists: boolean,
      is_directory: boolean,
      is_readonly: boolean,
      size_bytes: integer,
      permissions: { type: 'object', required: ['read', 'write', 'delete'] },
    }),
    icon: 'info',
    tags: ['files', 'metadata', 'exists', 'size', 'permission'],
    repeatable: true,
  },
  async () => (await import('./statFile')).handler,
);
