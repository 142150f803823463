import type { JsonObject, Json } from '../../core/base/json';
import type { Capability } from '../../core/capability/capability';
import { settingId, settingSpecs } from '../../core/settings/settingTable';
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

/**
 * The JSON Schema of one profile, with the ids, tools and configurations of the built-in capabilities; ids from
 * elsewhere are allowed too.
 */
function profileSchema(capabilities: readonly Capability[]): JsonObject {
  const ids = capabilities.map((capability) => capability.id);
  const descriptions = capabilities.map((capability) => capability.description);
  const id: JsonObject = {
    anyOf: [
      { type: 'string', enum: ids, enumDescriptions: descriptions },
      { type: 'string', minLength: 1 },
    ],
  };
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string', description: '%profile.name%' },
      description: { type: 'string', description: '%profile.description%' },
      systemPrompt: { type: 'string', description: '%profile.systemPrompt%' },
      systemPromptFile: { type: 'string', description: '%profile.systemPromptFile%' },
      mode: { type: 'string', enum: ['plan', 'execute'], default: 'execute', description: '%profile.mode%' },
      scopes: {
        type: 'array',
        description: '%profile.scopes%',
        items: { anyOf: [{ type: 'string', enum: [...scopes(capabilities)] }, { type: 'string' }] },
      },
      capabilities: {
        type: 'array',
        description: '%profile.capabilities%',
        items: {
          anyOf: [
            id,
            {
              type: 'object',
              required: ['ref'],
              additionalProperties: false,
              defaultSnippets: [{ label: '{ ref }', body: { ref: '$1' } }],
              properties: {
                ref: { ...id, description: '%profile.entry.ref%' },
                enabled: { type: 'boolean', default: true, description: '%profile.entry.enabled%' },
                tools: {
                  type: 'object',
                  additionalProperties: { type: 'boolean' },
                  description: '%profile.entry.tools%',
                },
                config: { type: 'object', description: '%profile.entry.config%' },
              },
              allOf: capabilities
                .filter((capability) => capability.tools.length > 0 || capability.configSchema)
                .map(entryBranch),
            },
          ],
        },
      },
    },
  };
}

export const profileTexts: Readonly<Record<string, string>> = {
  'profile.name': 'The name that people see.',
  'profile.description': 'What the profile is for, in one line.',
  'profile.systemPrompt': 'The base prompt. It comes after what the capabilities add.',
  'profile.systemPromptFile':
    'A file of the workspace that holds the base prompt instead. Its text counts once you have read and accepted it, and where agents may read the file without asking.',
  'profile.mode': '`plan` lets an agent read only; `execute` lets it act.',
  'profile.scopes': 'The granted scopes. Left out, the profile is granted what its enabled tools need.',
  'profile.capabilities': 'The capabilities in the order of the prompt: an id, or an object with more about it.',
  'profile.entry.ref': 'The id of a capability.',
  'profile.entry.enabled': 'False keeps its place and switches it off.',
  'profile.entry.tools': 'Tools that differ from their capability: true or false by name.',
  'profile.entry.config': 'The configuration of this capability in this profile.',
};

/** What each choice of a setting means, in the order of its choices. */
function choices(key: string, schema: JsonObject): JsonObject {
  const values = schema['enum'];
  if (!Array.isArray(values) || !choiceTexts[key]) return {};
  return { enumDescriptions: values.map((value) => `%${choiceKey(key, String(value))}%`) };
}

/** The sections of the settings editor in their order, each with what the keys in it begin with. */
const sections = [
  { id: 'profiles', title: 'Profiles', keys: ['activeProfile', 'profiles', 'saveTo', 'customAgent.'] },
  { id: 'policy', title: 'Rules and approvals', keys: ['policy.', 'confirmation.', 'limits'] },
  { id: 'places', title: 'Files and network', keys: ['network.', 'webFetch.', 'fileSystem.'] },
  { id: 'audit', title: 'Audit', keys: ['audit.'] },
  { id: 'sources', title: 'Servers and tools of others', keys: ['mcp.', 'extensionTools', 'channels', 'definitions.'] },
  { id: 'services', title: 'Databases, mail and search', keys: [''] },
] as const;

/** The section of a setting: the first that names its key or the beginning of it; the last takes what is left. */
const sectionOf = (key: string): (typeof sections)[number]['id'] | undefined =>
  sections.find(({ keys }) => keys.some((one) => key === one || (/^$|\.$/.test(one) && key.startsWith(one))))?.id;

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
    properties: Object.fromEntries(properties.filter((_, at) => sectionOf(settingSpecs[at]?.key ?? '') === id)),
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
