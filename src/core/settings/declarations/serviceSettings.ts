import type { SettingTable } from './settingDeclaration';

/** The databases, the mail server and the search service that tools talk to. */
export const serviceSettings = {
  'database.connections': {
    schema: { type: 'object' },
    default: {},
    scope: 'application',
    merge: { type: 'user' },
    description:
      'Databases by name: `{ "type": "sqlite", "path": "data/app.sqlite" }` (in the workspace) or `{ "type": "postgres", "url": "postgres://user@host/db", "passwordSecret": "NAME" }`. The one called `default` is used where a call names none. A PostgreSQL role that can run programs or reach files of the server is refused, unless `acceptPowerfulRole` is true for its connection.',
  },
  'email.host': {
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: { type: 'user' },
    description: 'The SMTP server that sends mail. Empty sends none.',
  },
  'email.port': {
    schema: { type: 'number', minimum: 1, maximum: 65535 },
    default: 587,
    scope: 'application',
    merge: { type: 'user' },
    description: 'The port of the SMTP server.',
  },
  'email.secure': {
    schema: { type: 'boolean' },
    default: false,
    scope: 'application',
    merge: { type: 'user' },
    description: 'TLS from the first byte (port 465). Otherwise the connection is upgraded.',
  },
  'email.requireTls': {
    schema: { type: 'boolean' },
    default: true,
    scope: 'application',
    merge: { type: 'user' },
    description:
      'Sends nothing over a connection that cannot be encrypted. Switch it off for a server on this machine only.',
  },
  'email.user': {
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: { type: 'user' },
    description: 'The user name for the SMTP server. The password is the secret `smtp_password`.',
  },
  'email.from': {
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: { type: 'user' },
    description: 'The sender of mail.',
  },
  'research.searchEndpoint': {
    schema: { type: 'string' },
    default: '',
    scope: 'application',
    merge: { type: 'user' },
    description:
      'The address of a search service that answers JSON, with `{query}` and `{count}` where they belong. A key is the secret `search_key`.',
  },
} as const satisfies SettingTable;
