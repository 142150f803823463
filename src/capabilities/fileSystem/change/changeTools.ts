import { expectedHash, flag, input, integer, pathProperty, result } from '../shared/schemas';
import { defineTool, type Tool } from '../../../core/capability/tool';

const changing = {
  kind: 'action',
  changesFiles: true,
  permissions: { user: 'allowed', agent: 'confirmation_required' },
  costClass: 'free',
  idempotency: 'non-idempotent',
  timeoutMs: 120_000,
} as const;

export const writeFileTool: Tool = defineTool(
  {
    ...changing,
    name: 'write_file',
    title: 'Write File',
    modelDescription:
      'Create a file of the workspace or replace its whole content. Use it for new files and complete rewrites; to change a part of a file use edit_file, which is safer and shorter. ' +
      'Parent directories are made; a path that ends in / with empty content makes an empty directory. mode create refuses an existing file, append adds to the end. Give expected_hash from read_file so that nobody else’s change is lost. Line ends and byte order mark of an existing file are kept. ' +
      'Returns path, size_bytes, created, content_hash and, for an existing file, a diff. The user may be asked first.',
    userDescription: 'Creates or replaces a file',
    inputSchema: input(['path', 'content'], {
      path: pathProperty("Path of the file (e.g., '/docs/readme.txt')."),
      content: { type: 'string', maxLength: 50_000_000, description: 'The whole content, or what to append.' },
      encoding: {
        type: 'string',
        maxLength: 40,
        default: 'text',
        description:
          'text (default: UTF-8, or what the byte order mark of the file says), base64 for bytes, or the encoding to write text in, such as windows-1252 or utf-16le.',
      },
      mode: {
        type: 'string',
        enum: ['overwrite', 'create', 'append'],
        description: 'overwrite (default) creates or replaces.',
      },
      expected_hash: expectedHash,
      end_of_line: {
        type: 'string',
        enum: ['keep', 'as_given', 'lf', 'crlf'],
        description: 'keep (default) uses the line ends of the existing file; as_given writes content as it is.',
      },
    }),
    outputSchema: result(['path', 'size_bytes', 'created'], {
      size_bytes: { type: 'integer' },
      created: { type: 'boolean' },
    }),
    scopes: ['file:write'],
    riskLevel: 'medium',
    sideEffects: ['fs.write'],
    reversible: true,
    icon: 'edit',
    tags: ['files', 'write', 'create', 'save', 'append'],
  },
  async () => (await import('./writeFile')).handler,
);

export const editFileTool: Tool = defineTool(
  {
    ...changing,
    name: 'edit_file',
    confirmsOnlyChanges: true,
    title: 'Edit File',
    modelDescription:
      'Change parts of a text file of the workspace by exact replacement. Use it for every change that is smaller than the file; read the file first and copy old_text exactly, with enough lines around it to be unique. ' +
      'All edits are made, or none. An edit must be found exactly once unless expected_count or replace_all says otherwise; on a miss the nearest place is shown with the characters that differ. dry_run shows the diff and changes nothing. ' +
      'Returns path, replacements, a unified diff, size_bytes and content_hash. The user may be asked first.',
    userDescription: 'Changes parts of a file',
    inputSchema: input(['path', 'edits'], {
      path: pathProperty('Path of the file.'),
      edits: {
        type: 'array',
        minItems: 1,
        maxItems: 200,
        description: 'The replacements, each made on the result of those before it.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['old_text', 'new_text'],
          properties: {
            old_text: {
              type: 'string',
              minLength: 1,
              maxLength: 5_000_000,
              description: 'The exact text to replace, white space included.',
            },
            new_text: { type: 'string', maxLength: 5_000_000, description: 'What stands there afterwards.' },
            expected_count: integer('How often old_text must be found. Default 1.', 1, 1_000_000),
            replace_all: flag('Replace it wherever it is found.'),
          },
        },
      },
      encoding: {
        type: 'string',
        maxLength: 40,
        description:
          'Only for a file that is neither UTF-8 nor has a byte order mark: its encoding, such as windows-1252.',
      },
      match: {
        type: 'string',
        enum: ['exact', 'whitespace'],
        description:
          'exact (default), or whitespace: where old_text is not found exactly, whole lines that differ from it only in white space at their ends count, and new_text is indented as they are.',
      },
      expected_hash: expectedHash,
      dry_run: flag('Only show the diff.'),
    }),
    outputSchema: result(['path', 'replacements', 'diff'], {
      replacements: { type: 'integer' },
      diff: { type: 'string' },
    }),
    scopes: ['file:write'],
    riskLevel: 'medium',
    sideEffects: ['fs.read', 'fs.write'],
    reversible: true,
    icon: 'edit',
    tags: ['files', 'edit', 'replace', 'patch', 'modify'],
  },
  async () => (await import('./editFile')).handler,
);

export const moveFileTool: Tool = defineTool(
  {
    ...changing,
    name: 'move_file',
    title: 'Move File',
    modelDescription:
      'Move or rename a file or directory of the workspace. Use it in place of writing a copy and deleting the original. Parent directories of the destination are made; an existing file is replaced only with overwrite, an existing directory never. ' +
      'Imports and references are not changed: find and edit them yourself. Returns source, destination, moved. The user may be asked first.',
    userDescription: 'Moves or renames a file or folder',
    inputSchema: input(['source', 'destination'], {
      source: pathProperty('Path of what to move.'),
      destination: pathProperty('The new path, its name included.'),
      overwrite: flag('Replace a file at the destination. Default false.'),
    }),
    outputSchema: result(['source', 'destination', 'moved'], { moved: { type: 'boolean' } }),
    scopes: ['file:write'],
    riskLevel: 'medium',
    sideEffects: ['fs.write', 'fs.delete'],
    reversible: true,
    icon: 'arrow-right',
    tags: ['files', 'move', 'rename'],
  },
  async () => (await import('./moveFile')).handler,
);

export const deleteFileTool: Tool = defineTool(
  {
    ...changing,
    name: 'delete_file',
    title: 'Delete File',
    modelDescription:
      'Delete a file or directory of the workspace. Use it only when it was asked for or is plainly needed. It goes to the trash unless to_trash is false. A directory with content needs recursive true. A link is deleted itself, never what it leads to. ' +
      'Returns path and deleted. What policy protects in a directory is kept and named in kept with the reason; the rest of it is deleted. The user may be asked first.',
    userDescription: 'Deletes a file or folder, to the trash by default',
    inputSchema: input(['path'], {
      path: pathProperty('Path to the file or directory.'),
      recursive: { ...flag('If true, delete directories with their content. Default false.'), default: false },
      to_trash: flag('False deletes for good. The default comes from the settings, which say trash.'),
    }),
    outputSchema: result(['path', 'deleted'], { deleted: { type: 'boolean' } }),
    scopes: ['file:delete'],
    riskLevel: 'high',
    sideEffects: ['fs.delete'],
    reversible: false,
    icon: 'trash',
    tags: ['files', 'delete', 'remove', 'trash'],
  },
  async () => (await import('./deleteFile')).handler,
);
