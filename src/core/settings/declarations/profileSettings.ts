import type { SettingTable } from './settingDeclaration';

/** What a person chooses about profiles and the agents made of them. */
export const profileSettings = {
  activeProfile: {
    schema: { type: 'string' },
    default: 'default',
    scope: 'window',
    merge: { type: 'workspace' },
    description: 'The profile that is active when a window opens. Editing it switches at once.',
  },
  profiles: {
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: { type: 'layers' },
    description:
      'Agent profiles by id: name, description, base prompt, mode, scopes and the ordered list of capabilities. A workspace may tighten what your own settings allow; what widens counts once you accept it.',
  },
  saveTo: {
    schema: { type: 'string', enum: ['workspace', 'user'] },
    default: 'workspace',
    scope: 'application',
    merge: { type: 'user' },
    description:
      'Where the Capabilities view writes changes. Without an open folder it always writes to user settings.',
  },
  'customAgent.location': {
    schema: { type: 'string', enum: ['user', 'workspace', 'off'] },
    default: 'user',
    scope: 'application',
    strictest: 'off',
    merge: { type: 'user' },
    description:
      'Where the active profile is written as a custom agent: in your own agents (`~/.copilot/agents`), in the workspace (`.github/agents`), or nowhere. What a workspace brings to a profile never stands in your own agents: such an agent is in the workspace for as long as the window is open, unseen by git.',
  },
} as const satisfies SettingTable;
