import type { SettingTable } from './settingDeclaration';

/** Tools that others bring: MCP servers, other extensions, channels, definitions of the workspace. */
export const foreignSettings = {
  'mcp.servers': {
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: { type: 'layers' },
    description: 'MCP servers whose tools pass the gate. A workspace entry acts once you approve its content.',
  },
  extensionTools: {
    schema: { type: 'object' },
    default: {},
    scope: 'application',
    merge: { type: 'user' },
    description:
      "What you say about other extensions' tools, in place of what is inferred: by extension id, their risk, what they touch, and what agents meet.",
  },
  channels: {
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: { type: 'layers' },
    description: 'Channels by name: the URL of a manifest. A workspace entry acts once you approve its content.',
  },
  'definitions.enabled': {
    schema: { type: 'boolean' },
    default: true,
    scope: 'window',
    merge: { type: 'tighten', order: [true, false] },
    description: 'Loads capability definitions from `.vscode/capabilities`. Off in untrusted workspaces.',
  },
} as const satisfies SettingTable;
