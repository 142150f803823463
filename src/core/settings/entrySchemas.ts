import type { JsonSchema } from '../base/schema';

/** What happens to a secret that an agent reads; the first where nobody says so. */
export const redactionModes = ['hide', 'mark', 'off'] as const;

/** `hide`: what is sure becomes a placeholder, guesses are told. `mark`: all is told. `off`: nothing is looked for. */
export type RedactionMode = (typeof redactionModes)[number];

/** Where an agent may read one, as the setting names it. */
export const redactedSources = ['files', 'web', 'databases', 'others'] as const;

export type RedactedSource = (typeof redactedSources)[number];

export const connectionTypes = ['sqlite', 'postgres'] as const;

const text = { type: 'string' } as const satisfies JsonSchema;
const mode = { ...text, enum: redactionModes } as const satisfies JsonSchema;

/** A table by names of anybody's own. */
const tableOf = <const S extends JsonSchema>(entry: S) =>
  ({ schema: { type: 'object', additionalProperties: entry }, default: {} }) as const;

/** What happens to secrets, by where they are read. */
export const sourceModes = {
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(redactedSources.map((source) => [source, mode])),
  },
  default: {},
} as const;

/** Hosts by the kind of secret that may go to them. */
export const hostsByKind = tableOf({ type: 'array', items: text });

/** Rows that each name a form of secret. */
export const secretForms = {
  schema: {
    type: 'array',
    items: { type: 'object', required: ['pattern'], properties: { kind: text, pattern: text } },
  },
  default: [],
} as const;

/** Databases by name. */
export const connectionsByName = tableOf({
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { ...text, enum: connectionTypes },
    path: text,
    url: text,
    passwordSecret: text,
    acceptPowerfulRole: { type: 'boolean' },
  },
});

/** Signed bundles by name. */
export const bundlesByName = tableOf({
  type: 'object',
  required: ['from', 'key'],
  additionalProperties: false,
  properties: { from: text, key: text, mayWiden: { type: 'boolean' } },
});

/** Channels by name: an address, or an object with one. */
export const channelsByName = tableOf({
  anyOf: [text, { type: 'object', required: ['url'], properties: { url: text } }],
});
