import semverValid from 'semver/functions/valid';
import semverValidRange from 'semver/ranges/valid';
import { isObject } from '../base/json';
import { type Findings, got, gotJson, ObjectReader, pointerTo } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { JsonSchema } from '../base/schema';
import type { Capability, CapabilityDependency, ComposedCapability } from '../capability/capability';
import { declarationKeys, readDeclaration } from '../capability/composed';
import type { Boundary } from '../vocabulary/boundary';
import { readBoundaries } from './boundaries';
import { checkReferences } from './parseHandler';
import { parseTool, readRateLimit } from './parseTool';
import { checkSchema } from './shorthand';
import { type DefinitionSpec, folderOf, stemOf, type ToolSpec } from './spec';
import { templatesIn } from '../vocabulary/template';

/**
 * Reads a capability: with tools, or as the resolver's tables write it (`requires.resources`, snake_case, no tools).
 */
export function parseCapability(
  raw: Record<string, unknown>,
  pointer: string,
  findings: Findings,
  file: string,
): DefinitionSpec | undefined {
  const reader = new ObjectReader(raw, pointer, findings);
  const id = reader.required('id');
  if (id !== undefined && (!/^[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)*$/i.test(id) || id.length > 64))
    reader.error('id', say('must_be_id', id));
  if (
    id !== undefined &&
    stemOf(file) !== id &&
    stemOf(file) !== '' &&
    file.endsWith('.capability.json') &&
    !reader.has('tools')
  )
    reader.warn('id', say('id_differs', stemOf(file)));
  const version = reader.text('version') ?? '1.0.0';
  if (semverValid(version) !== version) reader.error('version', say('must_be_version', version));
  const status =
    reader.oneOf('status', ['available', 'coming_soon', 'deprecated'], { comingSoon: 'coming_soon' }) ?? 'available';
  const replacement = reader.text('replacement');
  const configSchema = readConfigSchema(reader, findings);
  const configs = configSchema?.properties
    ? new Set(Object.keys(configSchema.properties))
    : configSchema
      ? undefined
      : new Set<string>();
  const systemPrompt = reader.text('systemPrompt');
  if (systemPrompt !== undefined && templatesIn(systemPrompt).length > 0)
    checkReferences(systemPrompt, reader.at('systemPrompt'), findings, { inputs: undefined, configs, folder: '' }, [
      'config',
    ]);
  const composed = readComposed(reader, id ?? '', reader.text('name') ?? id ?? '');
  const approvalRequired = composed?.approvalRequired ?? false;
  const rawTools = reader.list('tools') ?? [];
  const folder = folderOf(file);
  const tools: ToolSpec[] = [];
  rawTools.forEach((item, index) => {
    const at = pointerTo(reader.at('tools'), index);
    const tool = parseTool(item, at, findings, { folder, configs, isAction: false, approvalRequired });
    if (tool && tools.some((one) => one.definition.name === tool.definition.name))
      findings.error(at, say('tool_twice', tool.definition.name));
    else if (tool) tools.push(tool);
  });
  const common = {
    name: reader.text('name') ?? id ?? '',
    description: reader.text('description') ?? '',
    icon: reader.text('icon'),
    category: reader.text('category'),
    dependencies: readDependencies(reader),
    requires: readRequires(reader),
    freshnessBudgetHours: reader.number('freshnessBudgetHours', { minimum: 0, maximum: 100_000 }),
    boundaries: reader.has('boundaries')
      ? readBoundaries(reader.raw('boundaries'), reader.at('boundaries'), findings)
      : undefined,
    limits: readRateLimit(reader, 'limits'),
    aliases: reader.texts('aliases'),
  };
  if (common.name.trim() === '') reader.error('name', say('is_empty'));
  reader.finish();
  if (id === undefined) return undefined;
  return {
    capability: capabilityOf(
      { id, version, status, replacement, systemPrompt, configSchema, composed, ...common },
      file,
    ),
    tools,
    file,
  };
}

interface Fields {
  readonly id: string;
  readonly version: string;
  readonly status: Capability['status'];
  readonly name: string;
  readonly description: string;
  readonly icon: string | undefined;
  readonly category: string | undefined;
  readonly systemPrompt: string | undefined;
  readonly replacement: string | undefined;
  readonly dependencies: readonly CapabilityDependency[];
  readonly requires: readonly string[];
  readonly freshnessBudgetHours: number | undefined;
  readonly configSchema: JsonSchema | undefined;
  readonly boundaries: readonly Boundary[] | undefined;
  readonly limits: Capability['limits'] | undefined;
  readonly aliases: readonly string[] | undefined;
  readonly composed: Capability['composed'];
}

function capabilityOf(fields: Fields, file: string): Capability {
  const {
    dependencies,
    requires,
    icon,
    category,
    systemPrompt,
    replacement,
    freshnessBudgetHours,
    configSchema,
    boundaries,
    limits,
    aliases,
  } = fields;
  return {
    id: fields.id,
    version: fields.version,
    name: fields.name,
    description: fields.description,
    status: fields.status,
    source: { type: 'definition', file },
    tools: [],
    ...(fields.composed ? { composed: fields.composed } : {}),
    ...(dependencies.length > 0 ? { dependencies } : {}),
    ...(requires.length > 0 ? { requires } : {}),
    ...(icon ? { icon } : {}),
    ...(category ? { category } : {}),
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(replacement ? { replacement } : {}),
    ...(freshnessBudgetHours === undefined ? {} : { freshnessBudgetHours }),
    ...(configSchema ? { configSchema } : {}),
    ...(boundaries ? { boundaries } : {}),
    ...(limits ? { limits } : {}),
    ...(aliases ? { aliases } : {}),
  };
}

function readConfigSchema(reader: ObjectReader, findings: Findings): JsonSchema | undefined {
  const raw = reader.object('configSchema');
  return raw === undefined ? undefined : checkSchema(raw, reader.at('configSchema'), findings);
}

/**
 * What is said of the capability as a whole; undefined where the definition says none of it, so that it follows from
 * the tools.
 */
function readComposed(reader: ObjectReader, id: string, name: string): Omit<ComposedCapability, 'aliases'> | undefined {
  if (declarationKeys.every((key) => reader.raw(key) === undefined)) return undefined;
  const requires = (reader.raw('requires') ?? []) as ComposedCapability['requires'];
  return { id, name, requires, ...readDeclaration(reader) };
}

/** A list of ids, or an object of lists such as `{ "resources": […] }`; all ids count. */
function readRequires(reader: ObjectReader): readonly string[] {
  const raw = reader.raw('requires');
  const ids: string[] = [];
  const collect = (value: unknown, at: string): void => {
    if (typeof value === 'string') ids.push(value);
    else if (Array.isArray(value)) value.forEach((item, index) => collect(item, pointerTo(at, index)));
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) collect(item, pointerTo(at, key));
    else reader.findings.error(at, say('requires_ids', got(value)));
  };
  if (raw !== undefined && raw !== null) collect(raw, reader.at('requires'));
  return [...new Set(ids)];
}

/** `["web_fetch", { "id": "x", "range": "^1.0.0" }]`, `["x@^1.0.0"]` or `{ "x": "^1.0.0" }`. */
function readDependencies(reader: ObjectReader): readonly CapabilityDependency[] {
  const raw = reader.raw('dependencies');
  if (raw === undefined || raw === null) return [];
  const out: CapabilityDependency[] = [];
  const add = (id: unknown, range: unknown, at: string): void => {
    if (typeof id !== 'string' || id === '') reader.findings.error(at, say('dependency_unnamed', got(id)));
    else if (range === undefined) out.push({ id });
    else if (typeof range !== 'string' || semverValidRange(range) === null)
      reader.findings.error(at, say('dependency_range', id, gotJson(range)));
    else out.push({ id, range });
  };
  if (Array.isArray(raw))
    raw.forEach((item: unknown, index) => {
      const at = pointerTo(reader.at('dependencies'), index);
      if (typeof item === 'string') {
        const [id, ...range] = item.split('@');
        add(id, range.length > 0 ? range.join('@') : undefined, at);
      } else if (isObject(item)) {
        const inner = new ObjectReader(item, at, reader.findings);
        add(inner.raw('id'), inner.raw('range') ?? inner.raw('version'), at);
        inner.finish();
      } else add(item, undefined, at);
    });
  else if (isObject(raw))
    for (const [id, range] of Object.entries(raw)) add(id, range, pointerTo(reader.at('dependencies'), id));
  else reader.error('dependencies', say('must_be', say('array_or_object'), got(raw)));
  return out;
}
