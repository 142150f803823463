import type { SettingTable } from './settingDeclaration';

/** What the record of calls keeps. */
export const auditSettings = {
  'audit.content': {
    schema: { type: 'string', enum: ['shape', 'redacted'] },
    default: 'shape',
    scope: 'application',
    merge: { type: 'user' },
    description:
      'What the audit keeps of arguments and results: their shape, or their content with secrets redacted. File contents are never kept.',
  },
  'audit.retentionDays': {
    schema: { type: 'number', minimum: 1, maximum: 3650 },
    default: 90,
    scope: 'application',
    merge: { type: 'user' },
    description: 'How many days audit segments are kept.',
  },
  'audit.maxMegabytes': {
    schema: { type: 'number', minimum: 1, maximum: 100000 },
    default: 200,
    scope: 'application',
    merge: { type: 'user' },
    description: 'The most megabytes that audit segments take; the oldest go first.',
  },
  'audit.otlpEndpoint': {
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: { type: 'user' },
    description: 'An OTLP/HTTP endpoint that receives the audit, for teams. Empty sends nothing.',
  },
  'audit.signed': {
    schema: { type: 'boolean' },
    default: false,
    scope: 'application',
    merge: { type: 'user' },
    description:
      'Chains the record with a key that the editor keeps in its secret storage, so that somebody who can write the folder cannot rebuild the chain. Signed and unsigned records stand in folders of their own. Takes effect when the window reloads.',
  },
} as const satisfies SettingTable;
