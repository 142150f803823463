import { type Access, familyOf } from '../../core/vocabulary/access';
import { isObject, type JsonObject } from '../../core/base/json';
import { valueAt } from '../../core/base/pointer';
import { shownText } from '../../core/foreign/foreignTool';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import { contentTag } from '../../core/vocabulary/contentTag';
import type { ToolDefinition } from '../../core/vocabulary/toolDefinition';
import type { ToolOutcome } from '../../core/vocabulary/toolResult';
import type { McpConnection, ServerOffers } from './connection';
import type { KeptList } from './keptLists';
import { type CapabilityOptions, called, folderOf } from './callTool';
import { type InputOf, strictObject } from '../../core/capability/declare';
import { type AccessContext, defineTool, type Tool, type ToolContext } from '../../core/capability/tool';

export const nothing: ServerOffers = { resources: false, prompts: false, completions: false };

/** What a server offered when it last ran. */
export function readOffers(value: unknown): ServerOffers {
  const has = (key: keyof ServerOffers): boolean => isObject(value) && value[key] === true;
  return { resources: has('resources'), prompts: has('prompts'), completions: has('completions') };
}

/**
 * The tools for what a server offers beside tools: its resources, which agents read as data, and its prompts, which
 * people choose, so that no agent is told of them.
 */
export function contentTools(spec: McpServerSpec, options: CapabilityOptions): readonly Tool[] {
  const { resources, prompts, completions } = options.offers;
  return [
    ...(resources ? [listResources(spec, options), readResourceTool(spec, options)] : []),
    ...(prompts ? [listPrompts(spec, options), getPrompt(spec, options)] : []),
    ...(completions ? [completeArgument(spec, options)] : []),
  ];
}

const described = ['name', 'title', 'description', 'mimeType'] as const;

/** The wanted text fields of one listed thing; nothing where the first of them is missing. */
function named(one: unknown, keys: readonly string[]): readonly JsonObject[] {
  if (!isObject(one) || typeof one[keys[0] ?? ''] !== 'string') return [];
  return [
    Object.fromEntries(keys.flatMap((key) => (typeof one[key] === 'string' ? [[key, shownText(one[key], 500)]] : []))),
  ];
}

const readOnlyTool = {
  kind: 'data',
  permissions: { user: 'allowed', agent: 'allowed' },
  riskLevel: 'low',
  sideEffects: [],
  costClass: 'free',
  idempotency: 'idempotent',
  reversible: true,
  contentField: 'text',
  untrustedOutput: true,
  icon: 'database',
  scopes: [],
  tags: [contentTag],
} as const;

const { contentField: _textOnly, ...plainTool } = readOnlyTool;
/** People choose prompts; no agent is told of them. */
const forPeople = { ...plainTool, agentVisible: false } as const;
const shortText = { type: 'string', maxLength: 256 } as const;
const longText = { type: 'string', maxLength: 4096 } as const;
const noInput = strictObject({});

/**
 * What one of these tools is beside what all of them share: they refuse while the server is not approved, and make one
 * request.
 */
interface ContentTool<S> {
  readonly definition: Omit<ToolDefinition, 'timeoutMs'> & { readonly inputSchema: S };
  readonly timeoutMs?: number;
  /** Where the answer is a list that may be shown again without starting the server. */
  readonly list?: KeptList;
  readonly accesses?: (input: InputOf<S>, context: AccessContext) => Promise<readonly Access[]>;
  readonly request: (connection: McpConnection, input: InputOf<S>, context: ToolContext) => Promise<ToolOutcome>;
}

function contentTool<S>(spec: McpServerSpec, options: CapabilityOptions, tool: ContentTool<S>): Tool {
  const timeoutMs = Math.min(spec.timeoutMs, tool.timeoutMs ?? spec.timeoutMs);
  return defineTool<InputOf<S>>({ ...tool.definition, timeoutMs }, async () => ({
    accesses: (input, context) => {
      options.target.check();
      return tool.accesses?.(input, context) ?? [];
    },
    run: async (input, context) => {
      const { list } = tool;
      const kept = list && options.target.keptList(list);
      if (kept !== undefined) return { payload: kept };
      const outcome = await called(spec, options, context, (connection) => tool.request(connection, input, context));
      if (list) options.target.keepList(list, outcome.payload);
      return outcome;
    },
  }));
}

function listResources(spec: McpServerSpec, options: CapabilityOptions): Tool {
  return contentTool(spec, options, {
    definition: {
      ...readOnlyTool,
      name: 'list_resources',
      title: `List resources of ${spec.name}`,
      modelDescription: `List the resources that the MCP server ${spec.name} offers for reading. Returns for each its uri, name, description and type; pass a uri to read_resource of the same server. While the server sleeps, this is what it listed when it last ran.`,
      userDescription: `Lists what ${spec.name} offers for reading`,
      inputSchema: noInput,
    },
    list: 'resources',
    request: async (connection, _input, { signal }) => {
      const listed = await connection.list('resources', signal);
      const resources = listed.slice(0, 1000).flatMap((one) => named(one, ['uri', ...described]));
      // Many servers have no templates and answer with an error.
      const found = await connection.list('resourceTemplates', signal).catch(() => []);
      const templates = found.slice(0, 200).flatMap((one) => named(one, ['uriTemplate', ...described]));
      return { payload: { count: listed.length, resources, ...(templates.length > 0 ? { templates } : {}) } };
    },
  });
}

const hostSchemes = new Set(['http', 'https', 'ws', 'wss', 'ftp', 'ftps', 'sftp', 'file']);

/**
 * True for an address such as `users://123/profile`: in a scheme of the server's own, a word or a number before the
 * path is a name. Only what other schemes ask of the network is an address there (WHATWG URL, special schemes).
 */
function namesNoHost(uri: string): boolean {
  const [, scheme = '', name = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(uri) ?? [];
  if (scheme === '' || scheme.split(/[+.-]/).some((part) => hostSchemes.has(part.toLowerCase()))) return false;
  return /^[\w~-]*$/.test(name);
}

function readResourceTool(spec: McpServerSpec, options: CapabilityOptions): Tool {
  return contentTool(spec, options, {
    definition: {
      ...readOnlyTool,
      name: 'read_resource',
      title: `Read a resource of ${spec.name}`,
      modelDescription: `Read one resource of the MCP server ${spec.name} by the uri that its list_resources answers. Returns its text; pictures come as pictures.`,
      userDescription: `Reads one resource of ${spec.name}`,
      inputSchema: strictObject({ uri: { ...longText, minLength: 1, description: 'The uri of the resource.' } }),
    },
    accesses: async (input) => {
      const facts = {
        tool: 'read_resource',
        schema: { type: 'object', properties: { uri: { type: 'string' } } },
        sideEffects: ['fs.read'],
        readOnly: true,
        mapping: spec.accessMapping,
        // Most schemes (`note:`) are the server's own, so that the text has to tell whether it leads anywhere else.
        roles: new Map([['\0uri', undefined]]),
      } as const;
      const { foreignAccesses } = await import('../../core/foreign/argumentReader');
      const found = await foreignAccesses(facts, input, options.ports.files, folderOf(spec, options.ports));
      return namesNoHost(input.uri)
        ? found.filter(({ effect, suspected }) => suspected === undefined || familyOf(effect) !== 'network')
        : found;
    },
    request: async (connection, { uri }, { signal }) => {
      const { readContents } = await import('../../core/foreign/contents');
      return readContents(await connection.request('resources/read', { uri }, signal));
    },
  });
}

function listPrompts(spec: McpServerSpec, options: CapabilityOptions): Tool {
  return contentTool(spec, options, {
    definition: {
      ...forPeople,
      name: 'list_prompts',
      title: `List prompts of ${spec.name}`,
      modelDescription: `List the prompts that the MCP server ${spec.name} offers to people. Returns for each its name, description and arguments.`,
      userDescription: `Lists the prompts of ${spec.name}`,
      inputSchema: noInput,
    },
    list: 'prompts',
    request: async (connection, _input, { signal }) => {
      const listed = await connection.list('prompts', signal);
      return { payload: { prompts: listed.slice(0, 500).flatMap(readListedPrompt) } };
    },
  });
}

function readListedPrompt(one: unknown): readonly JsonObject[] {
  return named(one, ['name', 'title', 'description']).map((prompt) => {
    const values: readonly unknown[] = isObject(one) && Array.isArray(one['arguments']) ? one['arguments'] : [];
    const wanted = values.slice(0, 50).flatMap((value) =>
      named(value, ['name', 'title', 'description']).map((each) => ({
        ...each,
        required: isObject(value) && value['required'] === true,
      })),
    );
    return { ...prompt, ...(wanted.length > 0 ? { arguments: wanted } : {}) };
  });
}

const promptValues = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 100_000 },
  maxProperties: 50,
} as const;

function getPrompt(spec: McpServerSpec, options: CapabilityOptions): Tool {
  return contentTool(spec, options, {
    definition: {
      ...forPeople,
      name: 'get_prompt',
      title: `Get a prompt of ${spec.name}`,
      modelDescription: `Get one prompt of the MCP server ${spec.name} with its arguments filled in. Returns its messages.`,
      userDescription: `Gets one prompt of ${spec.name}`,
      inputSchema: strictObject(
        { name: { ...shortText, minLength: 1, description: 'The name that list_prompts answers.' } },
        { arguments: { ...promptValues, description: 'The values of its arguments, all text.' } },
      ),
    },
    request: async (connection, input, { signal }) => {
      const { readPrompt } = await import('../../core/foreign/contents');
      const params = { name: input.name, arguments: input.arguments ?? {} };
      return readPrompt(await connection.request('prompts/get', params, signal));
    },
  });
}

function completeArgument(spec: McpServerSpec, options: CapabilityOptions): Tool {
  return contentTool(spec, options, {
    definition: {
      ...forPeople,
      name: 'complete_argument',
      title: `Complete an argument of ${spec.name}`,
      modelDescription: `Ask the MCP server ${spec.name} for values of an argument of a prompt or of the address of a resource.`,
      userDescription: `Suggests values for an argument of ${spec.name}`,
      inputSchema: strictObject(
        {
          argument: { ...shortText, minLength: 1, description: 'The name of the argument.' },
          value: { ...longText, description: 'What has been typed of it.' },
        },
        {
          prompt: { ...shortText, description: 'The name of a prompt.' },
          uri: { ...longText, description: 'The template of an address; instead of a prompt.' },
        },
      ),
    },
    timeoutMs: 10_000,
    request: async (connection, input, { signal }) => {
      const ref =
        input.prompt === undefined
          ? { type: 'ref/resource', uri: input.uri ?? '' }
          : { type: 'ref/prompt', name: input.prompt };
      const params = { ref, argument: { name: input.argument, value: input.value } };
      const found = valueAt(await connection.request('completion/complete', params, signal), '/completion/values');
      const values = (Array.isArray(found) ? found : []).slice(0, 100).filter((one) => typeof one === 'string');
      return { payload: { values: values.map((one) => shownText(one, 500)) } };
    },
  });
}
