import type { SettingTable } from './settingDeclaration';

/** In which files tools work, and how. */
export const fileSettings = {
  'fileSystem.root': {
    schema: { type: 'string', enum: ['workspace', 'session'] },
    default: 'workspace',
    scope: 'window',
    merge: { type: 'tighten', order: ['workspace', 'session'] },
    description: 'Where file tools work: in the workspace folders, or in an isolated file system of the profile.',
  },
  'fileSystem.respectIgnoreFiles': {
    schema: { type: 'boolean' },
    default: true,
    scope: 'window',
    merge: { type: 'tighten', order: [false, true] },
    description: 'Searches and listings leave out what .gitignore and `files.exclude` name.',
  },
  'fileSystem.deleteToTrash': {
    schema: { type: 'boolean' },
    default: true,
    scope: 'window',
    merge: { type: 'tighten', order: [false, true] },
    description: 'Deleted files go to the trash.',
  },
} as const satisfies SettingTable;
