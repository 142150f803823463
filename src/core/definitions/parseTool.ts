import { defined, isObject } from '../base/json';
import { type Findings, got, gotJson, type ObjectReader, pointerTo, readerOf } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { JsonSchema } from '../base/schema';
import {
  costClasses,
  type Permission,
  permissions,
  type RateLimit,
  readRiskLevel,
  type RiskLevel,
  riskLevels,
  type ToolDefinition,
  type ToolKind,
  toolKinds,
} from '../vocabulary/toolDefinition';
import type { WrittenHandlerSpec } from './handlers/handlerSpec';
import { checkReferences, parseHandler } from './parseHandler';
import { readInputSchema, readSchema } from './shorthand';
import type { AccessSpec, ToolSpec } from './spec';
import { highest } from '../base/order';
import { readDuration } from '../base/durationText';

/** Writes any id as a tool name: `get-weather` → `get_weather`. Undefined where nothing of it can be a name. */
export function toolNameFrom(id: string): string | undefined {
  const name = id
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_$/g, '')
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

/** Reads the tools of a capability file or the actions of an action file; a name that stood before is a fault. */
export function parseTools(reader: ObjectReader, key: 'tools' | 'actions', scope: ToolScope): readonly ToolSpec[] {
  const tools: ToolSpec[] = [];
  for (const [index, item] of (reader.list(key) ?? []).entries()) {
    const at = pointerTo(reader.at(key), index);
    const tool = parseTool(item, at, reader.findings, scope);
    const name = tool?.definition.name ?? '';
    if (tools.some((one) => one.definition.name === name))
      reader.findings.error(at, say(key === 'tools' ? 'tool_twice' : 'action_twice', name));
    else if (tool) tools.push(tool);
  }
  return tools;
}

/** Reads one tool or action. Undefined where a fault keeps it from being used. */
function parseTool(raw: unknown, pointer: string, findings: Findings, scope: ToolScope): ToolSpec | undefined {
  const before = findings.errors();
  const reader = readerOf(raw, pointer, findings, say('a_tool'));
  if (!reader) return undefined;
  const named = readName(reader, scope);
  const inputKey = reader.has('inputSchema') ? 'inputSchema' : 'parameters';
  const inputSchema = readInputSchema(reader.raw(inputKey), reader.at(inputKey), findings);
  const outputSchema = readSchema(reader, reader.has('outputSchema') ? 'outputSchema' : 'returns');
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
  const traits = traitsOf(handler);
  const kind = reader.oneOf('kind', toolKinds) ?? traits.kind;
  const said = readAllElse(reader, scope);
  reader.finish();
  const risk = highest(riskLevels, said.riskLevel ?? traits.risk, traits.leastRisk);
  const sideEffects = [...new Set([...said.sideEffects, ...traits.effects, ...accesses.map((one) => one.effect)])];
  const reads = kind !== 'action' && kind !== 'control';
  const definition: ToolDefinition = defined({
    ...said,
    ...named,
    kind,
    inputSchema,
    outputSchema,
    permissions: {
      user: said.permissions.user ?? 'allowed',
      agent: agentPermission(said.permissions.agent, reads && risk === 'low', scope.approvalRequired),
    },
    riskLevel: risk,
    sideEffects,
    idempotency: said.idempotency ?? (reads ? 'idempotent' : 'non-idempotent'),
    reversible: said.reversible ?? reads,
    untrustedOutput: true,
    repeatable: (said.repeatable ?? kind === 'status') || undefined,
  });
  return findings.errors() > before ? undefined : { definition, handler, accesses, pointer };
}

function readName(
  reader: ObjectReader,
  scope: ToolScope,
): { name: string; title: string; aliases: readonly string[] | undefined } | undefined {
  const key = scope.isAction ? 'id' : reader.has('name') || !reader.has('id') ? 'name' : 'id';
  const given = reader.required(key);
  const title = scope.isAction || key === 'id' ? (reader.text('title') ?? reader.text('name')) : reader.text('title');
  const listed = reader.texts('aliases') ?? [];
  if (given === undefined) return undefined;
  const name = toolNameFrom(given);
  if (name === undefined || (!scope.isAction && key === 'name' && !/^[a-z][a-z0-9_]{0,63}$/.test(given))) {
    reader.error(key, say('snake_case', given, name === undefined ? '' : say('did_you_mean', [name])));
    return undefined;
  }
  const aliases = [...new Set([...listed, ...(given === name ? [] : [given])])];
  return { name, title: title ?? given, aliases: aliases.length > 0 ? aliases : undefined };
}

function namesOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  if (schema.additionalProperties !== false || !schema.properties) return undefined;
  return new Set(Object.keys(schema.properties));
}

/** What a tool says of itself beside its name, its schemas and what it touches; what it leaves out is undefined. */
function readAllElse(reader: ObjectReader, scope: ToolScope) {
  const description = reader.text('description');
  const modelDescription = reader.text('modelDescription') ?? description;
  if (modelDescription === undefined || modelDescription.trim() === '')
    reader.warn('description', say('no_description'));
  const { scopes, ...permitted } = readPermissions(reader, scope);
  const listed = reader.texts('scopes') ?? [];
  return {
    modelDescription: modelDescription ?? '',
    userDescription: reader.text('userDescription') ?? (description ?? '').split('\n')[0] ?? '',
    permissions: permitted,
    scopes: [...new Set([...listed, ...scopes])],
    riskLevel: readRiskLevel(reader.raw('riskLevel')) ?? reader.oneOf('riskLevel', riskLevels),
    sideEffects: reader.texts('sideEffects') ?? [],
    costClass: reader.oneOf('costClass', costClasses) ?? 'free',
    idempotency: reader.oneOf('idempotency', ['idempotent', 'non-idempotent'], {
      nonIdempotent: 'non-idempotent',
      non_idempotent: 'non-idempotent',
    }),
    reversible: reader.flag('reversible'),
    rateLimit: readRateLimit(reader, 'rateLimit'),
    timeoutMs: reader.number('timeoutMs', { minimum: 1, maximum: 3_600_000, isWhole: true }) ?? 30_000,
    icon: reader.text('icon') || undefined,
    tags: reader.texts('tags'),
    agentVisible: reader.flag('agentVisible'),
    agentOnly: reader.flag('agentOnly'),
    contentField: reader.text('contentField') || undefined,
    repeatable: reader.flag('repeatable'),
  };
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
  const [user, agent] = [inner.oneOf('user', permissions), inner.oneOf('agent', permissions)];
  inner.finish();
  return defined({ scopes: [], user, agent });
}

export function readRateLimit(reader: ObjectReader, key: string): RateLimit | undefined {
  const inner = reader.reader(key);
  if (!inner) return undefined;
  const requests = inner.number('requests', { minimum: 1, maximum: 1_000_000_000, isWhole: true });
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
    const inner = readerOf(raw, at, findings, say('an_access'), say('access_example'));
    if (!inner) return [];
    const effect = inner.required('effect');
    const resource = inner.text('resource') ?? '';
    const method = inner.text('method')?.toUpperCase();
    inner.finish();
    checkReferences(raw, at, findings, { inputs: namesOf(inputSchema), configs: scope.configs, folder: scope.folder }, [
      'input',
      'config',
    ]);
    return effect === undefined ? [] : [defined({ effect, resource, method: method || undefined })];
  });
}

/** What agents may do with a tool: as it is written, and at most after a question where approval is required. */
function agentPermission(
  written: Permission | undefined,
  isHarmless: boolean,
  isApprovalRequired: boolean,
): Permission {
  const wanted = written ?? (isHarmless ? 'allowed' : 'confirmation_required');
  return isApprovalRequired && wanted === 'allowed' ? 'confirmation_required' : wanted;
}

/** What follows from a handler for what its tool leaves out. */
interface HandlerTraits {
  readonly kind: ToolKind;
  readonly risk: RiskLevel;
  /** A file may call its tool riskier than we do, not harmless where it cannot be. */
  readonly leastRisk: RiskLevel;
  /** What it cannot do without touching. Compositions add their steps' effects when they are built. */
  readonly effects: readonly string[];
}

function traitsOf(handler: WrittenHandlerSpec): HandlerTraits {
  switch (handler.type) {
    case 'http': {
      const { method } = handler;
      const reads = method === 'GET' || method === 'HEAD';
      const risk = reads ? 'low' : method === 'DELETE' ? 'high' : 'medium';
      return { kind: reads ? 'data' : 'action', risk, leastRisk: 'low', effects: ['network.http'] };
    }
    case 'process':
    case 'command':
      return { kind: 'action', risk: 'high', leastRisk: 'medium', effects: ['system.exec'] };
    case 'module': {
      const { fetch, files, tools } = handler.ports;
      const isNode = handler.mode === 'node';
      const effects = [
        ...(isNode ? ['system.exec'] : []),
        ...(fetch ? ['network.http'] : []),
        ...(files ? ['fs.read'] : []),
        ...(files === 'write' ? ['fs.write'] : []),
      ];
      if (isNode) return { kind: 'action', risk: 'critical', leastRisk: 'high', effects };
      const acts = files === 'write' || tools !== undefined;
      return { kind: acts || fetch ? 'action' : 'data', risk: acts ? 'medium' : 'low', leastRisk: 'low', effects };
    }
    case 'tool':
    case 'mcp':
    case 'compose':
      return { kind: 'action', risk: 'low', leastRisk: 'low', effects: [] };
  }
}
