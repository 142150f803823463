import semverValidRange from 'semver/ranges/valid';
import { defined, isObject } from '../base/json';
import { type Findings, got, gotJson, ObjectReader, pointerTo } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { CapabilityDependency } from '../capability/capability';
import { parseBoundaries } from '../policy/rules/parse';
import type { Boundary } from '../vocabulary/boundary';
import { declaresItself, flattenRequires, readDeclared } from '../capability/composed';
import { checkReferences } from './parseHandler';
import { parseTools, readRateLimit } from './parseTool';
import { readSchema } from './shorthand';
import { type DefinitionSpec, folderOf, stemOf } from './spec';
import { isCapabilityId } from '../vocabulary/names';
import { templatesIn } from '../vocabulary/template';
import { isVersion } from '../vocabulary/version';

/**
 * Reads a capability: with tools, or as the resolver's tables write it (`requires.resources`, snake_case, no tools).
 */
export function parseCapability(
  raw: Record<string, unknown>,
  findings: Findings,
  file: string,
): DefinitionSpec | undefined {
  if (isAction(raw)) {
    findings.error('', say('action_alone'));
    return undefined;
  }
  const reader = new ObjectReader(raw, '', findings);
  const id = readId(reader, file);
  const version = reader.text('version') ?? '1.0.0';
  if (!isVersion(version)) reader.error('version', say('must_be_version', version));
  const status = reader.oneOf('status', ['available', 'coming_soon', 'deprecated'], statusWords) ?? 'available';
  const replacement = reader.text('replacement');
  const configSchema = readSchema(reader, 'configSchema');
  // What a schema leaves open may hold any of them.
  const configs =
    configSchema && !configSchema.properties ? undefined : new Set(Object.keys(configSchema?.properties ?? {}));
  const systemPrompt = readPrompt(reader, configs);
  const { freshnessBudgetHours, ...declared } = readDeclared(reader, id ?? '');
  const isDeclared = declaresItself(reader);
  const approvalRequired = isDeclared && declared.approvalRequired;
  const tools = parseTools(reader, 'tools', { folder: folderOf(file), configs, isAction: false, approvalRequired });
  const { name } = declared;
  if (name.trim() === '') reader.error('name', say('is_empty'));
  const dependencies = readDependencies(reader);
  const requires = flattenRequires(declared.requires);
  const capability = defined({
    id: id ?? '',
    version,
    name,
    description: reader.text('description') ?? '',
    status,
    source: { type: 'definition', file },
    tools: [],
    composed: isDeclared ? declared : undefined,
    dependencies: dependencies.length > 0 ? dependencies : undefined,
    requires: requires.length > 0 ? requires : undefined,
    icon: reader.text('icon') || undefined,
    category: reader.text('category') || undefined,
    systemPrompt: systemPrompt || undefined,
    replacement: replacement || undefined,
    freshnessBudgetHours,
    configSchema,
    boundaries: readBoundaries(reader),
    limits: readRateLimit(reader, 'limits'),
    aliases: reader.texts('aliases'),
  });
  reader.finish();
  return id === undefined ? undefined : { capability, tools, file };
}

function readId(reader: ObjectReader, file: string): string | undefined {
  const id = reader.required('id');
  if (id === undefined) return undefined;
  if (!isCapabilityId(id)) reader.error('id', say('must_be_id', id));
  const stem = stemOf(file);
  if (stem !== id && stem !== '' && file.endsWith('.capability.json') && !reader.has('tools'))
    reader.warn('id', say('id_differs', stem));
  return id;
}

function readPrompt(reader: ObjectReader, configs: ReadonlySet<string> | undefined): string | undefined {
  const prompt = reader.text('systemPrompt');
  const scope = { inputs: undefined, configs, folder: '' };
  if (prompt !== undefined && templatesIn(prompt).length > 0)
    checkReferences(prompt, reader.at('systemPrompt'), reader.findings, scope, ['config']);
  return prompt;
}

/**
 * Reads the boundaries that hold while a capability is enabled. They are of scope `profile`, so they can only tighten.
 */
function readBoundaries(reader: ObjectReader): readonly Boundary[] | undefined {
  if (!reader.has('boundaries')) return undefined;
  const raw = reader.raw('boundaries');
  if (!Array.isArray(raw)) {
    reader.error('boundaries', say('must_be', say('an_array'), got(raw)));
    return [];
  }
  const { findings } = reader;
  const pointer = reader.at('boundaries');
  raw.forEach((item, index) => {
    if (!isObject(item))
      findings.error(pointerTo(pointer, index), say('part_must_be', say('a_boundary'), say('an_object'), got(item)));
  });
  const { value, problems } = parseBoundaries(raw, 'profile');
  const { subject } = findings.options;
  for (const one of problems)
    findings.problems.push({ ...one, pointer: `${pointer}${one.pointer ?? ''}`, ...defined({ subject }) });
  return value;
}

/** The states as the specification's enum writes them. */
const statusWords = {
  Available: 'available',
  ComingSoon: 'coming_soon',
  comingSoon: 'coming_soon',
  Deprecated: 'deprecated',
} as const;

/** What only an action says of itself: without these words it would load as a capability without tools. */
const isAction = (raw: Record<string, unknown>): boolean =>
  !Object.hasOwn(raw, 'tools') && ['parameters', 'inputSchema', 'handler'].some((key) => Object.hasOwn(raw, key));

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
