import { defined, isObject, type Json, sanitizeJson } from '../core/base/json';
import { firstLine, messageOf } from '../core/base/errorText';
import { Findings, got, type ObjectReader, pointerTo, readerOf } from '../core/base/jsonReader';
import type { JsonSchema } from '../core/base/schema';
import { say, worded } from '../core/base/sentence';
import type { Capability } from '../core/capability/capability';
import { defineTool, type Tool, type ToolHandler } from '../core/capability/tool';
import { type Access, readAccess } from '../core/vocabulary/access';
import type { FileSystem } from '../core/ports/files';
import { isToolError, ToolError, toolError } from '../core/vocabulary/errors';
import { permissions, riskLevels, type ToolDefinition, toolKinds } from '../core/vocabulary/toolDefinition';
import { visible } from '../core/base/visible';
import type { ApiCapability, ApiTool } from './api';

const capabilityFields: readonly (keyof ApiCapability)[] = [
  ...(['id', 'version', 'name', 'description', 'icon', 'category', 'systemPrompt', 'tools'] as const),
];
const toolFields: readonly (keyof ApiTool)[] = [
  ...(['name', 'title', 'kind', 'modelDescription', 'userDescription', 'inputSchema', 'outputSchema'] as const),
  ...(['permissions', 'scopes', 'riskLevel', 'sideEffects', 'idempotent', 'reversible', 'timeoutMs'] as const),
  ...(['accesses', 'run'] as const),
];

export const noExtensionId = 'the id of an extension must be its publisher and name, such as `publisher.name`';

/** The id of an extension as editors write it: publisher and name. */
export const isExtensionId = (id: unknown): id is string =>
  typeof id === 'string' && /^[A-Za-z0-9][\w-]{0,99}\.[A-Za-z0-9][\w-]{0,99}$/.test(id);

/**
 * Reads a capability of another extension, which is an object of its program: every value is read once, checked and
 * copied, so that what a person switches on is what they looked at. Throws a `definition_error` that lists what is
 * wrong.
 */
export function readApiCapability(extensionId: string, given: ApiCapability): Capability {
  const findings = new Findings({
    code: 'definition_error',
    sentence: (pointer, _key, fault) => say('as_it_is', `${pointer} ${worded(fault)}`),
  });
  if (!isExtensionId(extensionId)) findings.error('', say('as_it_is', noExtensionId));
  const reader = readerOf(picked(given, capabilityFields), '', findings, say('a_capability'));
  const capability = reader && read(String(extensionId), reader);
  if (capability && findings.errors() === 0) return capability;
  const faults = findings.problems.map(({ message }) => message);
  const message = `the capability is not valid: ${faults.join('; ')}`;
  throw new ToolError({ code: 'definition_error', message, retryable: false, details: { faults } });
}

function read(extensionId: string, reader: ObjectReader): Capability {
  // The editor's own tools of extensions stand under such ids.
  if (reader.text('id')?.startsWith('ext_'))
    reader.error('id', say('as_it_is', 'must not begin with `ext_`, which is kept for others'));
  const tools = reader.list('tools');
  if (!tools && !reader.has('tools')) reader.error('tools', say('is_required'));
  return {
    id: given(reader, 'id'),
    version: given(reader, 'version'),
    name: given(reader, 'name'),
    description: given(reader, 'description'),
    status: 'available',
    source: { type: 'extension', extensionId },
    provenance: { by: 'user', from: `extension:${extensionId.toLowerCase()}` },
    ...defined({
      icon: reader.text('icon'),
      category: reader.text('category'),
      systemPrompt: reader.text('systemPrompt'),
    }),
    tools: (tools ?? []).flatMap((tool, at) => readTool(tool, pointerTo(reader.at('tools'), at), reader.findings)),
  };
}

function readTool(from: unknown, pointer: string, findings: Findings): Tool | readonly never[] {
  const reader = readerOf(picked(from, toolFields), pointer, findings, say('a_tool'));
  if (!reader) return [];
  const kind = reader.oneOf('kind', toolKinds);
  const riskLevel = reader.oneOf('riskLevel', riskLevels);
  const inputSchema = schemaOf(reader, 'inputSchema');
  const sideEffects = reader.texts('sideEffects');
  for (const key of ['kind', 'riskLevel', 'inputSchema', 'sideEffects'])
    if (!reader.has(key)) reader.error(key, say('is_required'));
  const permitted = reader.reader('permissions');
  const reads = kind === 'data' || kind === 'status';
  const definition: ToolDefinition = {
    name: given(reader, 'name'),
    title: given(reader, 'title'),
    kind: kind ?? 'action',
    modelDescription: given(reader, 'modelDescription'),
    userDescription: given(reader, 'userDescription'),
    inputSchema: inputSchema ?? { type: 'object' },
    ...defined({ outputSchema: schemaOf(reader, 'outputSchema') }),
    permissions: {
      user: permitted?.oneOf('user', permissions) ?? 'allowed',
      agent: permitted?.oneOf('agent', permissions) ?? (reads ? 'allowed' : 'confirmation_required'),
    },
    scopes: reader.texts('scopes') ?? [],
    riskLevel: riskLevel ?? 'critical',
    sideEffects: sideEffects ?? [],
    costClass: 'free',
    idempotency: reader.flag('idempotent') === true ? 'idempotent' : 'non-idempotent',
    reversible: reader.flag('reversible') ?? false,
    timeoutMs: reader.number('timeoutMs', { minimum: 1, maximum: 3_600_000 }) ?? 30_000,
    untrustedOutput: true,
  };
  const [run, accesses] = [method(reader, 'run', from), method(reader, 'accesses', from)];
  if (!reader.has('run')) reader.error('run', say('is_required'));
  return run ? defineTool(definition, async () => handlerOf(run, accesses)) : [];
}

type Method = (...values: readonly unknown[]) => unknown;

function handlerOf(run: Method, accesses: Method | undefined): ToolHandler<never> {
  return {
    accesses: async (input, { ports }) => (accesses ? accessesOf(await accesses(input), ports.files) : []),
    async run(input, context) {
      try {
        const report = (message: string): void => context.report({ message });
        return { payload: toJson(await run(input, { signal: context.signal, report })) };
      } catch (error) {
        if (isToolError(error) || isFaultOfCode(error)) throw error;
        throw toolError('extension_error', visible(firstLine(error)));
      }
    },
  };
}

/** What cannot be read is not left out: nobody could say what the call touches. */
async function accessesOf(told: unknown, files: FileSystem): Promise<readonly Access[]> {
  const list: readonly unknown[] = Array.isArray(told) ? told : told === undefined ? [] : [told];
  const read = list.flatMap((one) => readAccess(one) ?? []);
  const { toldAccesses } = await import('../core/foreign/toldAccesses');
  const named = read.length === list.length ? await toldAccesses(read, files) : undefined;
  if (named) return named;
  throw toolError('extension_error', 'the tool does not say what it touches: `accesses` has to answer a list of them');
}

/** The named properties of an object, also those of its class, each read once. */
function picked(from: unknown, names: readonly string[]): unknown {
  return isObject(from) ? defined(Object.fromEntries(names.map((name) => [name, from[name]]))) : from;
}

/** A text that has to be there; what it may say the registry knows. */
function given(reader: ObjectReader, key: string): string {
  if (!reader.has(key)) reader.error(key, say('is_required'));
  return reader.text(key) ?? '';
}

function method(reader: ObjectReader, key: 'run' | 'accesses', owner: unknown): Method | undefined {
  return reader.take(
    key,
    (value) => (typeof value === 'function' ? (...values): unknown => Reflect.apply(value, owner, values) : undefined),
    (value) => say('must_be', 'function', got(value)),
  );
}

/** A schema is plain JSON; what is wrong with it as a schema shows when the registry or ajv reads it. */
function schemaOf(reader: ObjectReader, key: 'inputSchema' | 'outputSchema'): JsonSchema | undefined {
  const schema = reader.object(key);
  try {
    return schema && (sanitizeJson(structuredClone(schema)) as JsonSchema);
  } catch (error) {
    reader.error(key, say('must_be', 'JSON', messageOf(error)));
    return undefined;
  }
}

/** A bug, or a fault of the system, whose words name places of the machine: the log has them, the model a reference. */
function isFaultOfCode(error: unknown): boolean {
  const bugs = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'];
  return error instanceof Error && (bugs.includes(error.name) || 'syscall' in error);
}

function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  const parsed: unknown = text === undefined ? null : JSON.parse(text);
  return parsed as Json;
}
