import { knownSideEffects } from '../../src/core/vocabulary/access';
import type { JsonObject } from '../../src/core/base/json';
import { riskLevels, toolKinds, permissions } from '../../src/core/vocabulary/toolDefinition';
import { described } from './described';

/** Completion and checks for what a person writes about the tools of MCP servers and other extensions. */
const sideEffect: JsonObject = { anyOf: [{ enum: [...knownSideEffects] }, { type: 'string' }] };
const argumentEffect: JsonObject = {
  anyOf: [{ enum: [...knownSideEffects, 'none'] }, { type: 'string' }, { type: 'array', items: sideEffect }],
};

const accessMapping: JsonObject = {
  type: 'object',
  markdownDescription: '%foreign.accessMapping%',
  additionalProperties: {
    type: 'object',
    description: '%foreign.accessMapping.tool%',
    additionalProperties: argumentEffect,
  },
};

const tools: JsonObject = {
  type: 'object',
  markdownDescription: '%foreign.tools%',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: {
      riskLevel: { type: 'string', enum: [...riskLevels], description: '%foreign.risk%' },
      risk: { type: 'string', enum: [...riskLevels], deprecationMessage: '%foreign.risk.deprecated%' },
      sideEffects: { type: 'array', items: sideEffect, description: '%foreign.sideEffects%' },
      kind: { type: 'string', enum: [...toolKinds], description: '%foreign.kind%' },
      permission: { type: 'string', enum: [...permissions], description: '%foreign.permission%' },
      enabled: { type: 'boolean', default: true, description: '%foreign.enabled%' },
    },
  },
};

const texts: JsonObject = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } };

const text: JsonObject = { type: 'string' };

const oauth = described('server.oauth', {
  clientId: [text, 'A client that you registered with the authorization server.'],
  clientSecret: [{ ...text, pattern: '^\\$\\{secret:[^}]+\\}$' }, 'Its secret, as `${secret:NAME}`.'],
  clientMetadataUrl: [{ ...text, pattern: '^https://' }, 'The https address of a client id metadata document.'],
  scope: [text, 'The scopes to ask for if the server names none, separated by spaces.'],
});

const server = described('server', {
  type: [{ ...text, enum: ['stdio', 'http'] }, 'A program on this machine, or a server with an address.'],
  command: [text, 'The program to start. No shell is involved.'],
  args: [{ type: 'array', items: text }, 'Its arguments.'],
  env: [
    texts,
    'Variables added to the usual environment; `${secret:NAME}` is filled in from the secret storage when it starts.',
  ],
  cwd: [text, 'The folder it starts in; `${workspaceFolder}` is filled in.'],
  url: [{ ...text, pattern: '^https?://' }, 'The address of its streamable HTTP endpoint.'],
  headers: [texts, 'Headers of every request; `${secret:NAME}` is filled in from the secret storage.'],
  oauth: [
    { anyOf: [{ const: false }, { type: 'object', additionalProperties: false, properties: oauth.properties }] },
    'What is known beforehand about signing in; false never signs in.',
  ],
  enabled: [{ type: 'boolean', default: true }, 'False keeps the entry and switches the server off.'],
  timeoutMs: [
    { type: 'number', minimum: 100, maximum: 86_400_000, default: 60_000 },
    'How long one call may take, in milliseconds.',
  ],
  protocol: [
    { ...text, enum: ['auto', '2025-11-25', '2026-07-28'], default: 'auto' },
    'The version of MCP to speak; auto asks the server.',
  ],
  roots: [
    { type: 'boolean' },
    'Whether it is told the folders of the workspace when it asks for them. If left out, programs on this machine are told and servers with an address are not. In an untrusted workspace, none is.',
  ],
});

/** One entry of `mcp.servers`. */
export const serverSchema: JsonObject = {
  type: 'object',
  properties: { ...server.properties, accessMapping, tools },
  anyOf: [{ required: ['command'] }, { required: ['url'] }],
  defaultSnippets: [
    { label: '{ command }', body: { command: '$1', args: ['$2'] } },
    { label: '{ url }', body: { type: 'http', url: 'https://$1' } },
  ],
};

/** One entry of `extensionTools`. */
export const extensionToolsSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: { accessMapping, tools },
};

export const foreignTexts: Readonly<Record<string, string>> = {
  'foreign.accessMapping':
    'What arguments touch, by tool (a name or a pattern such as `read_*`) and argument (its name, or its place such as `/filter/path`): a side effect, several, or `none` for an argument that only looks like a path.',
  'foreign.accessMapping.tool': 'By argument: what it touches.',
  'foreign.tools':
    'What you say about tools, by name; `*` is for all of them. It replaces what is inferred and is shown as set by you.',
  'foreign.risk': 'The risk that approvals and rules go by.',
  'foreign.risk.deprecated': 'Write `riskLevel`.',
  'foreign.sideEffects': 'What the tool may touch.',
  'foreign.kind': 'What sort of operation it is; plan mode lets `data`, `state` and `status` through.',
  'foreign.permission': 'What happens when an agent calls it.',
  'foreign.enabled': 'False leaves the tool out.',
  ...server.texts,
  ...oauth.texts,
};
