import type { SettingTable } from './settingDeclaration';

/** What may be done: rules, approvals, confirmations and limits. */
export const policySettings = {
  'policy.preset': {
    schema: { type: 'string', enum: ['strict', 'balanced', 'open'] },
    default: 'balanced',
    scope: 'application',
    strictest: 'strict',
    merge: { type: 'user' },
    description: 'The built-in boundaries: what is denied and what asks before you write a rule of your own.',
  },
  'policy.boundaries': {
    schema: { type: 'array', items: { type: 'object' } },
    default: [],
    scope: 'window',
    merge: { type: 'layers' },
    description: 'Policy rules over what a call touches. A workspace can only add denials and confirmations.',
  },
  'policy.adminApproval': {
    schema: { type: 'string', enum: ['never', 'critical', 'high'] },
    default: 'never',
    scope: 'application',
    strictest: 'high',
    merge: { type: 'user' },
    description: 'The risk from which an approval also needs the admin token.',
  },
  'policy.managedFile': {
    schema: { type: 'string' },
    default: '',
    scope: 'machine',
    merge: { type: 'user' },
    description: 'A JSON file with settings that override all others. Meant for administrators.',
  },
  'policy.requireFrozenSpec': {
    schema: { type: 'string', enum: ['never', 'critical', 'high'] },
    default: 'never',
    scope: 'application',
    strictest: 'high',
    merge: { type: 'user' },
    description: 'The risk from which a call must be listed in a frozen plan.',
  },
  'confirmation.surface': {
    schema: { type: 'string', enum: ['modal', 'chat', 'both'] },
    default: 'modal',
    scope: 'application',
    merge: { type: 'user' },
    description:
      'Where a confirmation is asked. `modal` cannot be skipped by any auto-approval of the editor; `chat` uses the inline confirmation, which the editor can be told to skip.',
  },
  'confirmation.timeoutSeconds': {
    schema: { type: 'number', minimum: 0, maximum: 86400 },
    default: 300,
    scope: 'application',
    merge: { type: 'user' },
    description: 'After so many seconds without an answer a call is denied. 0 waits for ever.',
  },
  limits: {
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: { type: 'layers' },
    description: 'Calls per window, budgets per session and the repetition breaker. A workspace can only lower them.',
  },
} as const satisfies SettingTable;
