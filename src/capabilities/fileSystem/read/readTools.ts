import { reading, result } from '../shared/schemas';
import { boolean, integer, string } from '../../../core/capability/declare';
import { defineTool, type Tool } from '../../../core/capability/tool';
import { readFilesInput, readInput, statInput } from './inputs';

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
    inputSchema: readInput,
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
    inputSchema: readFilesInput,
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
    inputSchema: statInput,
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
