import type { JsonObject, Json } from '../../src/core/base/json';
import type { Capability } from '../../src/core/capability/capability';
import { settingId, settingSpecs } from '../../src/core/settings/settingTable';
import { described } from './described';
import { extensionToolsSchema, serverSchema } from './foreignTools';
import { choiceKey, choiceTexts, limitsSchema, limitTexts } from './settingSchemas';

/** The scopes that the built-in tools need, for completion. */
function scopes(capabilities: readonly Capability[]): readonly string[] {
  return [
    ...new Set(capabilities.flatMap((capability) => capability.tools.flatMap(({ definition }) => definition.scopes))),
  ].sort();
}

/**
 * What an entry of `capabilities` may be for one capability: its tools and its own configuration schema, so that both
 * complete.
 */
function entryBranch(capability: Capability): JsonObject {
  const names = capability.tools.map(({ definition }) => definition.name);
  return {
    if: { properties: { ref: { const: capability.id } } },
    // oxlint-disable-next-line unicorn/no-thenable -- `then` is JSON Schema's own keyword.
    then: {
      properties: {
        tools: {
          type: 'object',
          propertyNames: { enum: names },
          properties: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])),
        },
        ...(capability.configSchema ? { config: capability.configSchema as Json } : {}),
      },
    },
  };
}

/** An entry of `capabilities` and a profile, with the ids and scopes of these capabilities; others are allowed too. */
function profileParts(capabilities: readonly Capability[]) {
  const ids = capabilities.map((capability) => capability.id);
  const enumDescriptions = capabilities.map((capability) => capability.description);
  const text: JsonObject = { type: 'string' };
  const id: JsonObject = {
    anyOf: [
      { ...text, enum: ids, enumDescriptions },
      { ...text, minLength: 1 },
    ],
  };
  const entry = described('profile.entry', {
    ref: [id, 'The id of a capability.'],
    enabled: [{ type: 'boolean', default: true }, 'False keeps its place and switches it off.'],
    tools: [
      { type: 'object', additionalProperties: { type: 'boolean' } },
      'Tools that differ from their capability: true or false by name.',
    ],
    config: [{ type: 'object' }, 'The configuration of this capability in this profile.'],
  });
  const ofCapability: JsonObject = {
    type: 'object',
    required: ['ref'],
    additionalProperties: false,
    defaultSnippets: [{ label: '{ ref }', body: { ref: '$1' } }],
    properties: entry.properties,
    allOf: capabilities.filter((capability) => capability.tools.length > 0 || capability.configSchema).map(entryBranch),
  };
  const profile = described('profile', {
    name: [text, 'The name that people see.'],
    description: [text, 'What the profile is for, in one line.'],
    systemPrompt: [text, 'The base prompt. It comes after what the capabilities add.'],
    systemPromptFile: [
      text,
      'A file of the workspace that holds the base prompt instead. Its text counts once you have read and accepted it, and where agents may read the file without asking.',
    ],
    mode: [
      { ...text, enum: ['plan', 'execute'], default: 'execute' },
      '`plan` lets an agent read only; `execute` lets it act.',
      'description',
    ],
    scopes: [
      { type: 'array', items: { anyOf: [{ ...text, enum: scopes(capabilities) }, text] } },
      'The granted scopes. If left out, the profile is granted what its enabled tools need.',
    ],
    capabilities: [
      { type: 'array', items: { anyOf: [id, ofCapability] } },
      'The capabilities in the order of the prompt: an id, or an object with more about it.',
    ],
  });
  return { entry, profile };
}

/** The JSON Schema of one profile. */
const profileSchema = (capabilities: readonly Capability[]): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties: profileParts(capabilities).profile.properties,
});

export function profileTexts(): Readonly<Record<string, string>> {
  const { entry, profile } = profileParts([]);
  return { ...profile.texts, ...entry.texts };
}

/** What each choice of a setting means, in the order of its choices. */
function choices(key: string, schema: JsonObject): JsonObject {
  const values = schema['enum'];
  if (!Array.isArray(values) || !choiceTexts[key]) return {};
  return { enumDescriptions: values.map((value) => `%${choiceKey(key, String(value))}%`) };
}

/**
 * The sections of the settings editor in their order, each with its keys: a whole one, or the beginning of several with
 * its dot.
 */
const sections = [
  { id: 'profiles', title: 'Profiles', keys: ['activeProfile', 'profiles', 'saveTo', 'customAgent.'] },
  { id: 'policy', title: 'Rules and approvals', keys: ['policy.', 'confirmation.', 'approvals.', 'limits'] },
  { id: 'privacy', title: 'Secrets and privacy', keys: ['flow.', 'redaction.'] },
  { id: 'places', title: 'Files and network', keys: ['network.', 'webFetch.', 'fileSystem.'] },
  { id: 'changes', title: 'Changes by agents', keys: ['changes.'] },
  { id: 'audit', title: 'Audit', keys: ['audit.'] },
  { id: 'sources', title: 'Servers and tools of others', keys: ['mcp.', 'extensionTools', 'channels', 'definitions.'] },
  { id: 'services', title: 'Databases, mail and search', keys: ['database.', 'email.', 'research.'] },
] as const;

/** Every section that names a setting or the beginning of it; a test holds that it is one. */
export const sectionsOf = (key: string): readonly (typeof sections)[number]['id'][] =>
  sections.flatMap(({ id, keys }) =>
    keys.some((one) => key === one || (one.endsWith('.') && key.startsWith(one))) ? [id] : [],
  );

export const sectionTexts: Readonly<Record<string, string>> = Object.fromEntries(
  sections.map(({ id, title }) => [`settings.${id}`, title]),
);

/**
 * `contributes.configuration`, from the list that core reads the settings by. `boundary` is the schema of one rule, as
 * in boundaries.json.
 */
export function configuration(capabilities: readonly Capability[], boundary: JsonObject): readonly JsonObject[] {
  const properties = settingSpecs.map(({ key, schema, default: value, scope, order }): [string, JsonObject] => [
    settingId(key),
    {
      ...(schema as JsonObject),
      ...(key === 'profiles' ? { additionalProperties: profileSchema(capabilities) } : {}),
      ...(key === 'mcp.servers' ? { additionalProperties: serverSchema } : {}),
      ...(key === 'extensionTools' ? { additionalProperties: extensionToolsSchema } : {}),
      ...(key === 'policy.boundaries' ? { items: boundary } : {}),
      ...(key === 'limits' ? limitsSchema : {}),
      ...choices(key, schema as JsonObject),
      default: value,
      scope,
      order,
      markdownDescription: `%setting.${key}%`,
    },
  ]);
  return sections.map(({ id }, order) => ({
    id: `agentCapabilities.${id}`,
    title: `%settings.${id}%`,
    order,
    properties: Object.fromEntries(properties.filter((_, at) => sectionsOf(settingSpecs[at]?.key ?? '').includes(id))),
  }));
}

export function settingTexts(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(settingSpecs.map(({ key, description }) => [`setting.${key}`, description])),
    ...Object.fromEntries(
      Object.entries(choiceTexts).flatMap(([key, texts]) =>
        Object.entries(texts).map(([choice, text]) => [choiceKey(key, choice), text]),
      ),
    ),
    ...limitTexts,
  };
}
