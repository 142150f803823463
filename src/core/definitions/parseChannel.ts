import { defined, isObject } from '../base/json';
import { type Findings, got, ObjectReader, pointerTo, readerOf } from '../base/jsonReader';
import { say } from '../base/sentence';
import { valueAt } from '../base/pointer';
import type { JsonSchema } from '../base/schema';
import { isCapabilityId, shortHash } from '../vocabulary/names';
import {
  type Permission,
  permissions as permissionWords,
  type ToolDefinition,
  type ToolKind,
  toolKinds,
} from '../vocabulary/toolDefinition';
import { isVersion } from '../vocabulary/version';
import { toolNameFrom } from './parseTool';
import { checkSchema } from './shorthand';
import { type DefinitionSpec, describedBy, stemOf, type ToolSpec } from './spec';

/** What a manifest says about refreshing one of its tools. */
export interface ChannelPolling {
  readonly tool: string;
  readonly intervalSeconds: number;
}

/**
 * Reads a channel manifest. Endpoints are relative to `manifestUrl`, or to `baseUrl` in the file. What the manifest
 * does not declare does not exist; a manifest without capabilities is a channel without tools.
 */
export function parseChannel(
  raw: Record<string, unknown>,
  findings: Findings,
  file: string,
  manifestUrl?: string,
): { readonly spec: DefinitionSpec; readonly polling: readonly ChannelPolling[] } {
  const reader = new ObjectReader(raw, '', findings);
  const channel = reader.text('channel') ?? reader.text('id') ?? stemOf(file);
  if (!isCapabilityId(channel)) reader.error('channel', say('must_be_id', channel));
  // Who offers nothing needs no address for it.
  const base = baseOf(reader, manifestUrl, Array.isArray(raw['capabilities']) && raw['capabilities'].length > 0);
  const schemas = reader.object('schemas') ?? {};
  for (const [name, schema] of Object.entries(schemas))
    if (!isObject(schema))
      findings.error(
        pointerTo(reader.at('schemas'), name),
        say('part_must_be', say('a_schema'), say('an_object'), got(schema)),
      );
  const capabilities = reader.list('capabilities');
  if (!capabilities && !reader.has('capabilities')) findings.warn('', say('channel_offers_nothing'));
  const scope: EntryScope = { root: raw, base, channel, taken: new Set(), ids: new Set() };
  const made = (capabilities ?? []).flatMap((item, index) => {
    const entry = parseEntry(item, pointerTo(reader.at('capabilities'), index), findings, scope);
    if (entry) scope.taken.add(entry.tool.definition.name);
    return entry ?? [];
  });
  const version = reader.text('version') ?? '1.0.0';
  if (!isVersion(version)) reader.warn('version', say('must_be_version', version));
  const name = reader.text('name') ?? channel;
  const description = reader.text('description');
  const icon = reader.text('icon');
  reader.finish();
  return {
    spec: {
      capability: {
        id: channel,
        version: isVersion(version) ? version : '1.0.0',
        name,
        ...describedBy(description, say('channel_named', channel)),
        status: 'available',
        source: { type: 'channel', channel },
        category: 'Channels',
        icon: icon ?? 'broadcast',
        tools: [],
      },
      tools: made.map(({ tool }) => tool),
      file,
    },
    polling: made.flatMap(({ tool, intervalSeconds }) =>
      intervalSeconds === undefined ? [] : [{ tool: tool.definition.name, intervalSeconds }],
    ),
  };
}

function baseOf(reader: ObjectReader, manifestUrl: string | undefined, isNeeded: boolean): string | undefined {
  const text = reader.text('baseUrl');
  const url =
    text === undefined ? manifestUrl : URL.canParse(text, manifestUrl) ? new URL(text, manifestUrl).href : undefined;
  if (url !== undefined && /^https?:\/\/[^@]*$/i.test(url)) return url;
  if (text !== undefined) reader.error('baseUrl', say('base_url', text));
  else if (manifestUrl === undefined && isNeeded) reader.findings.error('', say('base_url_required'));
  return undefined;
}

interface EntryScope {
  readonly root: Record<string, unknown>;
  readonly base: string | undefined;
  readonly channel: string;
  /** The names of the tools before. */
  readonly taken: Set<string>;
  /** The ids that stood before, of what cannot be used too. */
  readonly ids: Set<string>;
}

function parseEntry(
  raw: unknown,
  pointer: string,
  findings: Findings,
  scope: EntryScope,
): { tool: ToolSpec; intervalSeconds: number | undefined } | undefined {
  const before = findings.errors();
  const reader = readerOf(raw, pointer, findings, say('a_capability'));
  if (!reader) return undefined;
  const id = reader.required('id');
  const kind = reader.oneOf('type', toolKinds) ?? reader.oneOf('kind', toolKinds);
  if (kind === undefined && !reader.has('type')) reader.error('type', say('is_required_one_of', toolKinds));
  const title = reader.text('name') ?? id ?? '';
  const description = reader.text('description');
  const endpoint = readEndpoint(reader, id, kind, scope);
  const metadata = readMetadata(reader);
  const permissions = readPermissions(reader, kind ?? 'data');
  // Nobody could call it.
  if (metadata.agentOnly && !metadata.agentVisible)
    findings.warn(
      pointerTo(reader.at('metadata'), 'agent_visible'),
      say('property', 'agent_visible', say('must_be', 'true (`agent_only`)', 'false')),
    );
  const schema = reader.object('schema');
  reader.finish();
  if (id === undefined || kind === undefined || endpoint === undefined) return undefined;
  const name = nameInChannel(reader, id, scope);
  if (name === undefined) return undefined;
  const shapes = shapesOf(kind, schema, reader, scope.root, metadata);
  const reads = kind !== 'action' && kind !== 'control';
  const said = description ?? defaultSentence(kind, title, scope.channel);
  const definition: ToolDefinition = defined({
    name,
    title,
    kind,
    modelDescription: kind === 'control' ? `${said}${controlHint}` : said,
    userDescription: said,
    inputSchema: shapes.input,
    outputSchema: shapes.output,
    permissions,
    scopes: [],
    riskLevel: reads ? 'low' : 'medium',
    sideEffects: ['network.http'],
    costClass: 'free',
    idempotency: kind === 'action' ? 'non-idempotent' : 'idempotent',
    reversible: kind !== 'action',
    timeoutMs: 30_000,
    untrustedOutput: true,
    repeatable: kind === 'status' || kind === 'state' || metadata.passive || undefined,
    agentVisible: metadata.agentVisible ? undefined : false,
    agentOnly: metadata.agentOnly || undefined,
    tags: [kind, scope.channel],
    aliases: id === name ? undefined : [id],
  });
  if (findings.errors() > before) return undefined;
  return {
    tool: { definition, handler: { type: 'channel', kind, url: endpoint }, accesses: [], pointer },
    intervalSeconds: reads ? metadata.refreshIntervalSeconds : undefined,
  };
}

/** The tool's name; one that is taken gets a hash of its id. Undefined, and reported, where there is none. */
function nameInChannel(reader: ObjectReader, id: string, { taken, ids }: EntryScope): string | undefined {
  const plain = toolNameFrom(id);
  if (plain === undefined) {
    reader.error('id', say('no_tool_name', id));
    return undefined;
  }
  const name = taken.has(plain) ? `${plain.slice(0, 56)}_${shortHash(id)}` : plain;
  if (ids.has(id) || taken.has(name)) {
    reader.error('id', say('is_there_twice', id));
    return undefined;
  }
  ids.add(id);
  return name;
}

/** Where capabilities of a kind are found that name no endpoint. */
const usualFolders: Readonly<Record<ToolKind, string>> = {
  data: '/api',
  state: '/api/state',
  action: '/api/actions',
  control: '/api/controls',
  status: '/api/status',
};

/**
 * An endpoint stays on its manifest's origin, so that a manifest cannot point tools at another host. One that is left
 * out is where capabilities of its kind usually are.
 */
function readEndpoint(
  reader: ObjectReader,
  id: string | undefined,
  kind: ToolKind | undefined,
  scope: EntryScope,
): string | undefined {
  let text = reader.text('endpoint');
  if (text === undefined) {
    if (reader.has('endpoint') || id === undefined || kind === undefined) return undefined;
    text = `${usualFolders[kind]}/${encodeURIComponent(id)}`;
    reader.findings.warn(reader.pointer, say('endpoint_assumed', id, text));
  }
  if (scope.base === undefined) return undefined;
  if (!URL.canParse(text, scope.base)) {
    reader.error('endpoint', say('unusable_url', text));
    return undefined;
  }
  const url = new URL(text, scope.base);
  if (url.origin !== new URL(scope.base).origin) {
    reader.error('endpoint', say('endpoint_elsewhere', id ?? '?', new URL(scope.base).origin, text));
    return undefined;
  }
  url.hash = '';
  return url.href;
}

function readMetadata(reader: ObjectReader) {
  const inner = reader.reader('metadata');
  const flag = (key: string, fallback = false): boolean => inner?.flag(key) ?? fallback;
  const metadata = {
    searchable: flag('searchable'),
    sortable: flag('sortable'),
    // Metadata are hints: what says nothing of filters may be asked with some.
    filterable: inner?.has('filterable') ? flag('filterable') : undefined,
    paginated: flag('paginated'),
    passive: flag('passive'),
    agentVisible: flag('agentVisible', true),
    agentOnly: flag('agentOnly'),
    refreshIntervalSeconds: inner?.number('refreshIntervalSeconds', { minimum: 1, maximum: 86_400 }),
  };
  inner?.finish();
  return metadata;
}

function readPermissions(reader: ObjectReader, kind: ToolKind): { user: Permission; agent: Permission } {
  const inner = reader.reader('permissions');
  const user = inner?.oneOf('user', permissionWords) ?? 'allowed';
  const agent =
    inner?.oneOf('agent', permissionWords) ??
    (kind === 'action' || kind === 'control' ? 'confirmation_required' : 'allowed');
  inner?.finish();
  return { user, agent };
}

function shapesOf(
  kind: ToolKind,
  schema: Record<string, unknown> | undefined,
  reader: ObjectReader,
  root: Record<string, unknown>,
  metadata: ReturnType<typeof readMetadata>,
): { input: JsonSchema; output: JsonSchema | undefined } {
  const at = reader.at('schema');
  const whole = (raw: unknown, pointer: string): JsonSchema | undefined => {
    if (isObject(raw))
      return checkSchema(resolveReferences(raw, root, pointer, reader.findings), pointer, reader.findings);
    if (raw !== undefined)
      reader.findings.error(pointer, say('part_must_be', say('a_schema'), say('an_object'), got(raw)));
    return undefined;
  };
  if (kind === 'action') {
    const isPair = schema !== undefined && (isObject(schema['input']) || isObject(schema['output']));
    const input = whole(isPair ? schema['input'] : schema, isPair ? pointerTo(at, 'input') : at);
    const output = isPair ? whole(schema['output'], pointerTo(at, 'output')) : undefined;
    return { input: { type: 'object', ...input }, output };
  }
  const value = whole(schema, at);
  if (kind === 'control') {
    const { required: _required, ...rest } = value ?? {};
    return { input: { ...rest, type: 'object' }, output: undefined };
  }
  const mayFilter = metadata.filterable ?? kind === 'data';
  const properties: Record<string, JsonSchema> = {
    ...(metadata.searchable ? { search: { type: 'string', description: 'Words to search for' } } : {}),
    ...(metadata.sortable
      ? { sort: { type: 'string', description: 'Field to sort by; `-` before it sorts downwards' } }
      : {}),
    ...(mayFilter
      ? {
          filter: {
            type: ['string', 'object'],
            description: 'A filter expression, or field → value',
            additionalProperties: { type: ['string', 'number', 'boolean'] },
          },
        }
      : {}),
    ...(metadata.paginated
      ? {
          page: { type: 'integer', minimum: 1, description: 'Page, from 1' },
          page_size: { type: 'integer', minimum: 1, maximum: 1000, description: 'Items on a page' },
        }
      : {}),
  };
  // Fields to filter by may stand beside the rest, as in `/api/videos?mood=relaxing`.
  const additionalProperties = mayFilter && kind === 'data' ? { type: ['string', 'number', 'boolean'] } : false;
  return { input: { type: 'object', additionalProperties, properties }, output: value };
}

/** Copies what `#/…` references name into `$defs`, so that a tool's schema stands alone; recursion stays recursion. */
function resolveReferences(
  schema: Record<string, unknown>,
  root: unknown,
  pointer: string,
  findings: Findings,
): Record<string, unknown> {
  const defs: Record<string, unknown> = {};
  const copy = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => copy(item, pointerTo(at, index)));
    if (!isObject(value)) return value;
    const reference = value['$ref'];
    const out: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value))
      if (key !== '$ref' || typeof reference !== 'string') out[key] = copy(item, pointerTo(at, key));
    if (typeof reference !== 'string') return out;
    if (!reference.startsWith('#/')) {
      findings.error(pointerTo(at, '$ref'), say('reference_elsewhere', reference), 'unknown_reference');
      return out;
    }
    const target = valueAt(root, reference.slice(1));
    if (!isObject(target)) {
      findings.error(pointerTo(at, '$ref'), say('reference_to_nothing', reference), 'unknown_reference');
      return out;
    }
    const name = reference.slice(2).replace(/[^A-Za-z0-9_-]/g, '_');
    if (!Object.hasOwn(defs, name)) {
      defs[name] = {};
      defs[name] = copy(target, reference.slice(1));
    }
    return { ...out, $ref: `#/$defs/${name}` };
  };
  const made = copy(schema, pointer) as Record<string, unknown>;
  return Object.keys(defs).length === 0
    ? made
    : { ...made, $defs: { ...(isObject(made['$defs']) ? made['$defs'] : {}), ...defs } };
}

/** What is done with a capability of a kind. */
const verbs: Readonly<Record<ToolKind, string>> = {
  data: 'Read',
  state: 'Read the current',
  status: 'Read the status',
  control: 'Read or set',
  action: 'Perform',
};

const defaultSentence = (kind: ToolKind, title: string, channel: string): string =>
  `${verbs[kind]} ${title} ${kind === 'action' ? 'on' : 'of'} the channel ${channel}.`;

const controlHint = ' Call it without arguments to read the current values, with arguments to set them.';
