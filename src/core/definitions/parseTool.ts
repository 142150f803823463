import { isObject } from '../base/json';
import { type Findings, got, gotJson, ObjectReader, pointerTo } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { JsonSchema } from '../base/schema';
import {
  type ActorType,
  type Permission,
  type RateLimit,
  readRiskLevel,
  riskLevels,
  type RiskLevel,
  type ToolDefinition,
  type ToolKind,
  costClasses,
} from '../vocabulary/toolDefinition';
import type { HandlerSpec } from './handlers/handlerSpec';
import { checkReferences, parseHandler } from './parseHandler';
import { checkSchema, readInputSchema } from './shorthand';
import type { AccessSpec, ToolSpec } from './spec';
import { highest } from '../base/order';
import { readDuration } from '../base/durationText';

export const kinds = ['data', 'state', 'action', 'control', 'status'] as const satisfies readonly ToolKind[];
export const permissionWords = [
  'allowed',
  'confirmation_required',
  'forbidden',
] as const satisfies readonly Permission[];

/** Writes any id as a tool name: `get-weather` → `get_weather`. Undefined where nothing of it can be a name. */
export function toolNameFrom(id: string): string | undefined {
  const name = id
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 64);
  return name === '' ? undefined : name;
}

interface ToolScope {
  readonly folder: string;
  readonly configs: ReadonlySet<string> | undefined;
  /** True for the actions of an action file, whose `permissions` are scopes. */
  readonly isAction: boolean;
  /** What holds for every tool of the capability where the tool says nothing. */
  readonly approvalRequired: boolean;
}

/**
 * Reads one tool of a capability file or one action of an action file. Undefined where a fault keeps it from being
 * used.
 */
export function parseTool(raw: unknown, pointer: string, findings: Findings, scope: ToolScope): ToolSpec | undefined {
  if (!isObject(raw)) {
    findings.error(pointer, say('part_must_be', say('a_tool'), say('an_object'), got(raw)));
    return undefined;
  }
  const before = findings.problems.length;
  const reader = new ObjectReader(raw, pointer, findings);
  const named = readName(reader, scope);
  const inputKey = reader.has('inputSchema') ? 'inputSchema' : 'parameters';
  const inputSchema = readInputSchema(reader.raw(inputKey), reader.at(inputKey), findings);
  const outputKey = reader.has('outputSchema') ? 'outputSchema' : 'returns';
  const rawOutput = reader.object(outputKey);
  const outputSchema = rawOutput === undefined ? undefined : checkSchema(rawOutput, reader.at(outputKey), findings);
  if (!reader.has('handler')) findings.error(pointer, say('handler_required'));
  const handler = reader.has('handler')
    ? parseHandler(reader.raw('handler'), reader.at('handler'), findings, {
        folder: scope.folder,
        inputs: namesOf(inputSchema),
        configs: scope.configs,
      })
    : undefined;
  const accesses = parseAccesses(reader, findings, inputSchema, scope);
  if (!named || !handler) {
    readAllElse(reader, scope);
    reader.finish();
    return undefined;
  }
  const kind = reader.oneOf('kind', kinds) ?? kindOf(handler);
  const said = readAllElse(reader, scope);
  reader.finish();
  const risk = highest(riskLevels, said.risk ?? riskOf(handler), lowestRisk(handler));
  const sideEffects = [...new Set([...said.sideEffects, ...effectsOf(handler), ...accesses.map((one) => one.effect)])];
  const reads = kind !== 'action' && kind !== 'control';
  const agent: Permission =
    said.agent ?? (scope.approvalRequired || !reads || risk !== 'low' ? 'confirmation_required' : 'allowed');
  const definition: ToolDefinition = {
    name: named.name,
    title: named.title,
    kind,
    modelDescription: said.modelDescription,
    userDescription: said.userDescription,
    inputSchema,
    ...(outputSchema ? { outputSchema } : {}),
    permissions: {
      user: said.user ?? 'allowed',
      agent: scope.approvalRequired && agent === 'allowed' ? 'confirmation_required' : agent,
    },
    scopes: said.scopes,
    riskLevel: risk,
    sideEffects,
    costClass: said.costClass ?? 'free',
    idempotency: said.idempotency ?? (reads ? 'idempotent' : 'non-idempotent'),
    reversible: said.reversible ?? reads,
    ...(said.rateLimit ? { rateLimit: said.rateLimit } : {}),
    timeoutMs: said.timeoutMs ?? 30_000,
    ...(said.icon ? { icon: said.icon } : {}),
    ...(said.tags ? { tags: said.tags } : {}),
    ...(said.agentVisible === undefined ? {} : { agentVisible: said.agentVisible }),
    ...(said.agentOnly === undefined ? {} : { agentOnly: said.agentOnly }),
    ...(said.contentField ? { contentField: said.contentField } : {}),
    untrustedOutput: true,
    ...((said.repeatable ?? kind === 'status') ? { repeatable: true } : {}),
    ...(named.aliases.length > 0 ? { aliases: named.aliases } : {}),
  };
  const failed = findings.problems.slice(before).some((one) => one.severity === 'error');
  return failed ? undefined : { definition, handler, accesses, pointer };
}

function readName(
  reader: ObjectReader,
  scope: ToolScope,
): { name: string; title: string; aliases: readonly string[] } | undefined {
  const key = scope.isAction ? 'id' : reader.has('name') || !reader.has('id') ? 'name' : 'id';
  const given = reader.required(key);
  const title = scope.isAction || key === 'id' ? (reader.text('title') ?? reader.text('name')) : reader.text('title');
  const aliases = reader.texts('aliases') ?? [];
  if (given === undefined) return undefined;
  const name = toolNameFrom(given);
  if (name === undefined || (!scope.isAction && key === 'name' && !/^[a-z][a-z0-9_]{0,63}$/.test(given))) {
    reader.error(key, say('snake_case', given, name === undefined ? '' : say('did_you_mean', [name])));
    return undefined;
  }
  return { name, title: title ?? given, aliases: [...new Set([...aliases, ...(given === name ? [] : [given])])] };
}

function namesOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  if (schema.additionalProperties !== false || !schema.properties) return undefined;
  return new Set(Object.keys(schema.properties));
}

interface Said {
  readonly modelDescription: string;
  readonly userDescription: string;
  readonly user: Permission | undefined;
  readonly agent: Permission | undefined;
  readonly scopes: readonly string[];
  readonly risk: RiskLevel | undefined;
  readonly sideEffects: readonly string[];
  readonly costClass: ToolDefinition['costClass'] | undefined;
  readonly idempotency: ToolDefinition['idempotency'] | undefined;
  readonly reversible: boolean | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly timeoutMs: number | undefined;
  readonly icon: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly agentVisible: boolean | undefined;
  readonly agentOnly: boolean | undefined;
  readonly contentField: string | undefined;
  readonly repeatable: boolean | undefined;
}

function readAllElse(reader: ObjectReader, scope: ToolScope): Said {
  const description = reader.text('description');
  const modelDescription = reader.text('modelDescription') ?? description;
  if (modelDescription === undefined || modelDescription.trim() === '')
    reader.warn('description', say('no_description'));
  const permissions = readPermissions(reader, scope);
  const listed = reader.texts('scopes') ?? [];
  return {
    modelDescription: modelDescription ?? '',
    userDescription: reader.text('userDescription') ?? (description ?? '').split('\n')[0] ?? '',
    user: permissions.user,
    agent: permissions.agent,
    scopes: [...new Set([...listed, ...permissions.scopes])],
    risk: readRisk(reader),
    sideEffects: reader.texts('sideEffects') ?? [],
    costClass: reader.oneOf('costClass', costClasses),
    idempotency: reader.oneOf('idempotency', ['idempotent', 'non-idempotent'], {
      nonIdempotent: 'non-idempotent',
      non_idempotent: 'non-idempotent',
    }),
    reversible: reader.flag('reversible'),
    rateLimit: readRateLimit(reader, 'rateLimit'),
    timeoutMs: reader.number('timeoutMs', { minimum: 1, maximum: 3_600_000 }),
    icon: reader.text('icon'),
    tags: reader.texts('tags'),
    agentVisible: reader.flag('agentVisible'),
    agentOnly: reader.flag('agentOnly'),
    contentField: reader.text('contentField'),
    repeatable: reader.flag('repeatable'),
  };
}

function readRisk(reader: ObjectReader): RiskLevel | undefined {
  return readRiskLevel(reader.raw('riskLevel')) ?? reader.oneOf('riskLevel', riskLevels);
}

/** `{ "user": …, "agent": … }`, or a list of scopes as action files write it. */
function readPermissions(
  reader: ObjectReader,
  scope: ToolScope,
): { scopes: readonly string[]; user?: Permission; agent?: Permission } {
  if (Array.isArray(reader.raw('permissions'))) return { scopes: reader.texts('permissions') ?? [] };
  if (scope.isAction && reader.has('permissions') && !isObject(reader.raw('permissions'))) {
    reader.error('permissions', say('must_be', say('scopes'), got(reader.raw('permissions'))));
    return { scopes: [] };
  }
  const inner = reader.reader('permissions');
  if (!inner) return { scopes: [] };
  const both = (['user', 'agent'] as const satisfies readonly ActorType[]).map(
    (actor) => [actor, inner.oneOf(actor, permissionWords)] as const,
  );
  inner.finish();
  return { scopes: [], ...Object.fromEntries(both.filter(([, value]) => value !== undefined)) };
}

export function readRateLimit(reader: ObjectReader, key: string): RateLimit | undefined {
  const inner = reader.reader(key);
  if (!inner) return undefined;
  const requests = inner.number('requests', { minimum: 1, maximum: 1_000_000_000 });
  const rawWindow = inner.raw('window') ?? inner.raw('windowMs');
  const windowMs = readDuration(rawWindow, 'milliseconds');
  inner.finish();
  if (requests === undefined && !inner.has('requests')) inner.error('requests', say('is_required'));
  if (windowMs === undefined) {
    inner.error('window', say('must_be_window', gotJson(rawWindow)));
    return undefined;
  }
  return requests === undefined ? undefined : { requests, windowMs };
}

function parseAccesses(
  reader: ObjectReader,
  findings: Findings,
  inputSchema: JsonSchema,
  scope: ToolScope,
): readonly AccessSpec[] {
  const list = reader.list('accesses') ?? [];
  return list.flatMap((raw, index): readonly AccessSpec[] => {
    const at = pointerTo(reader.at('accesses'), index);
    if (!isObject(raw)) {
      findings.error(at, say('part_must_be', say('an_access'), say('access_example'), got(raw)));
      return [];
    }
    const inner = new ObjectReader(raw, at, findings);
    const effect = inner.required('effect');
    const resource = inner.text('resource') ?? '';
    const method = inner.text('method')?.toUpperCase();
    inner.finish();
    checkReferences(raw, at, findings, { inputs: namesOf(inputSchema), configs: scope.configs, folder: scope.folder }, [
      'input',
      'config',
    ]);
    return effect === undefined ? [] : [{ effect, resource, ...(method ? { method } : {}) }];
  });
}

function kindOf(handler: HandlerSpec): ToolKind {
  switch (handler.type) {
    case 'http':
      return handler.method === 'GET' || handler.method === 'HEAD' ? 'data' : 'action';
    case 'channel':
      return handler.kind;
    case 'module':
      return handler.mode === 'sandbox' &&
        handler.ports.files !== 'write' &&
        !handler.ports.fetch &&
        !handler.ports.tools
        ? 'data'
        : 'action';
    case 'tool':
    case 'mcp':
    case 'compose':
    case 'command':
    case 'process':
      return 'action';
  }
}

function riskOf(handler: HandlerSpec): RiskLevel {
  switch (handler.type) {
    case 'http':
      return handler.method === 'GET' || handler.method === 'HEAD'
        ? 'low'
        : handler.method === 'DELETE'
          ? 'high'
          : 'medium';
    case 'channel':
      return handler.kind === 'action' || handler.kind === 'control' ? 'medium' : 'low';
    case 'process':
    case 'command':
      return 'high';
    case 'module':
      return handler.mode === 'node'
        ? 'critical'
        : handler.ports.files === 'write' || handler.ports.tools
          ? 'medium'
          : 'low';
    case 'tool':
    case 'mcp':
    case 'compose':
      return 'low';
  }
}

/** A file may call its tool riskier than we do, not harmless where it cannot be. */
function lowestRisk(handler: HandlerSpec): RiskLevel {
  switch (handler.type) {
    case 'process':
    case 'command':
      return 'medium';
    case 'module':
      return handler.mode === 'node' ? 'high' : 'low';
    default:
      return 'low';
  }
}

/** What a handler cannot do without touching. Compositions add their steps' effects when they are built. */
function effectsOf(handler: HandlerSpec): readonly string[] {
  switch (handler.type) {
    case 'http':
    case 'channel':
      return ['network.http'];
    case 'process':
    case 'command':
      return ['system.exec'];
    case 'module':
      return [
        ...(handler.mode === 'node' ? ['system.exec'] : []),
        ...(handler.ports.fetch ? ['network.http'] : []),
        ...(handler.ports.files ? ['fs.read'] : []),
        ...(handler.ports.files === 'write' ? ['fs.write'] : []),
      ];
    case 'tool':
    case 'mcp':
    case 'compose':
      return [];
  }
}
