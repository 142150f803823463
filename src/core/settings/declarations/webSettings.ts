import type { SettingTable } from './settingDeclaration';

/** How pages and other hosts are reached. */
export const webSettings = {
  'network.allowedPrivateHosts': {
    schema: { type: 'array', items: { type: 'string' } },
    default: [],
    scope: 'application',
    merge: { type: 'user' },
    description:
      'Hosts with private or loopback addresses that outgoing calls may reach, such as `127.0.0.1` or `intranet.example:8080`.',
  },
  'webFetch.firstByteTimeoutMs': {
    schema: { type: 'array', items: { type: 'number', minimum: 50, maximum: 120000 }, minItems: 1, maxItems: 5 },
    default: [1000, 3000, 9000],
    scope: 'application',
    merge: { type: 'user' },
    description: 'How long each attempt waits for the first byte, in milliseconds.',
  },
  'webFetch.bodyTimeoutMs': {
    schema: { type: 'number', minimum: 100, maximum: 600000 },
    default: 30000,
    scope: 'application',
    merge: { type: 'user' },
    description: 'How long a body may take, in milliseconds. After that the part that came is handed over.',
  },
  'webFetch.maxBytes': {
    schema: { type: 'number', minimum: 1024, maximum: 104857600 },
    default: 10485760,
    scope: 'application',
    merge: { type: 'user' },
    description: 'The most bytes of a decoded body that are read.',
  },
  'webFetch.maxLength': {
    schema: { type: 'number', minimum: 500, maximum: 1000000 },
    default: 7000,
    scope: 'application',
    merge: { type: 'user' },
    description:
      'How many characters of a page one call hands over where the call does not say. The editor moves results over 8,192 bytes to a file.',
  },
  'webFetch.respectRobots': {
    schema: { type: 'boolean' },
    default: true,
    scope: 'application',
    merge: { type: 'user' },
    description: 'Agents keep to robots.txt.',
  },
  'webFetch.reviewResponse': {
    schema: { type: 'boolean' },
    default: false,
    scope: 'application',
    strictest: true,
    merge: { type: 'user' },
    description: 'Shows a fetched page to you before the model gets it.',
  },
} as const satisfies SettingTable;
