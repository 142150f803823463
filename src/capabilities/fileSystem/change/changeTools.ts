import { result } from '../shared/schemas';
import { boolean, integer, string } from '../../../core/capability/declare';
import { defineTool, type Tool } from '../../../core/capability/tool';
import { deleteInput, editInput, moveInput, writeInput } from './inputs';

const changing = {
  kind: 'action',
  changesFiles: true,
  permissions: { user: 'allowed', agent: 'confirmation_required' },
  scopes: ['file:write'],
  riskLevel: 'medium',
  costClass: 'free',
  reversible: true,
  idempotency: 'non-idempotent',
  timeoutMs: 120_000,
} as const;

export const writeFileTool: Tool = defineTool(
  {
    ...changing,
    name: 'write_file',
    title: 'Write file',
    modelDescription:
      'Create a file or replace its whole content. Use it for new files; for a part use edit_file. Makes missing directories. Returns the hash. The user may be asked.',
    userDescription: 'Creates or replaces a file',
    modelInputs: {
      path: '',
      content: '',
      mode: 'Default overwrite',
      expected_hash: 'hash of your last read; refused if the file changed since',
    },
    inputSchema: writeInput,
    outputSchema: result(['path', 'size_bytes', 'created'], { size_bytes: integer, created: boolean }),
    sideEffects: ['fs.write'],
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
    title: 'Edit file',
    modelDescription:
      'Change parts of a text file of the workspace by exact replacement. Use it for every change smaller than the file: read the file first and copy old_text exactly, with enough lines around it to be unique. All edits are made, in order, or none; a miss shows the nearest place and how it differs. Returns the hash, and a diff of what was not found letter by letter. The user may be asked.',
    userDescription: 'Changes parts of a file',
    modelInputs: {
      path: '',
      edits: { old_text: '', new_text: '', replace_all: '' },
      match: 'whitespace: lines may differ in white space at their ends',
      expected_hash: 'hash of your last read; refused if the file changed since',
    },
    inputSchema: editInput,
    outputSchema: result(['path', 'replacements', 'diff'], { replacements: integer, diff: string }),
    sideEffects: ['fs.read', 'fs.write'],
    icon: 'edit',
    tags: ['files', 'edit', 'replace', 'patch', 'modify'],
  },
  async () => (await import('./editFile')).handler,
);

export const moveFileTool: Tool = defineTool(
  {
    ...changing,
    name: 'move_file',
    title: 'Move file',
    modelDescription:
      'Move or rename a file or directory of the workspace. Use it in place of copying and deleting. Missing directories are made; an existing file is replaced only with overwrite. References to it are not changed. Returns moved. The user may be asked.',
    userDescription: 'Moves or renames a file or folder',
    modelInputs: { source: '', destination: 'New path, with the name', overwrite: '' },
    inputSchema: moveInput,
    outputSchema: result(['source', 'destination', 'moved'], { moved: boolean }),
    sideEffects: ['fs.read', 'fs.write', 'fs.delete'],
    icon: 'arrow-right',
    tags: ['files', 'move', 'rename'],
  },
  async () => (await import('./moveFile')).handler,
);

export const deleteFileTool: Tool = defineTool(
  {
    ...changing,
    name: 'delete_file',
    title: 'Delete file',
    modelDescription:
      'Delete a file or directory of the workspace, to the trash. Use it only when it was asked for or is plainly needed. A link is deleted itself. Returns deleted, and in kept what policy protects, with the reason. The user may be asked.',
    userDescription: 'Deletes a file or folder, to the trash by default',
    modelInputs: { path: '', recursive: 'For a directory with content', to_trash: '' },
    inputSchema: deleteInput,
    outputSchema: result(['path', 'deleted'], { deleted: boolean }),
    scopes: ['file:delete'],
    riskLevel: 'high',
    sideEffects: ['fs.delete'],
    reversible: false,
    icon: 'trash',
    tags: ['files', 'delete', 'remove', 'trash'],
  },
  async () => (await import('./deleteFile')).handler,
);
