import type { SettingSpec } from './settingSpec';

/** The settings about tools that others bring: MCP servers, other extensions, channels. */
export const foreignSettings: readonly Omit<SettingSpec, 'order'>[] = [
  {
    key: 'mcp.servers',
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: { type: 'layers' },
    description: 'MCP servers whose tools pass the gate. A workspace entry acts once you approve its content.',
  },
  {
    key: 'extensionTools',
    schema: { type: 'object' },
    default: {},
    scope: 'application',
    merge: { type: 'user' },
    description:
      "What you say about other extensions' tools, in place of what is inferred: by extension id, their risk, what they touch, and what agents meet.",
  },
  {
    key: 'channels',
    schema: { type: 'object' },
    default: {},
    scope: 'window',
    merge: { type: 'layers' },
    description: 'Channels by name: the URL of a manifest. A workspace entry acts once you approve its content.',
  },
];
