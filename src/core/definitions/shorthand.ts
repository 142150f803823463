import { isObject } from '../base/json';
import { type Findings, got, gotJson, pointerTo } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { JsonSchema } from '../base/schema';
import { schemaFault } from '../base/schemaBounds';

/** What stands beside the `type` of a schema; a parameter `type` in shorthand stands beside others. */
const schemaWords = new Set(
  'type items minItems maxItems uniqueItems enum const title description default format pattern minimum maximum minLength maxLength $schema'.split(
    ' ',
  ),
);

const schemaTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/**
 * Reads an input schema: a full JSON Schema of type object, or the shorthand of properties with `required: true` inside
 * them. A schema that says nothing of further properties allows none, so that a mistyped argument is an error and not
 * silence.
 */
export function readInputSchema(raw: unknown, pointer: string, findings: Findings): JsonSchema {
  if (raw === undefined) return { type: 'object', additionalProperties: false, properties: {} };
  if (!isObject(raw)) {
    findings.error(pointer, say('part_must_be', say('an_input_schema'), say('an_object'), got(raw)));
    return { type: 'object' };
  }
  const { type } = raw;
  if (typeof type === 'string' && type !== 'object' && Object.keys(raw).every((key) => schemaWords.has(key))) {
    findings.error(pointerTo(pointer, 'type'), say('property', 'type', say('must_be', 'object', gotJson(type))));
    return { type: 'object' };
  }
  const full =
    type === 'object' ||
    isObject(raw['properties']) ||
    Array.isArray(raw['required']) ||
    raw['$ref'] !== undefined ||
    raw['anyOf'] !== undefined;
  if (full) {
    const schema = checkSchema({ ...raw, type: 'object' }, pointer, findings);
    return 'additionalProperties' in schema ||
      'unevaluatedProperties' in schema ||
      !isObject(schema.properties) ||
      '$ref' in schema ||
      'anyOf' in schema ||
      'allOf' in schema ||
      'oneOf' in schema
      ? schema
      : { ...schema, additionalProperties: false };
  }
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    const at = pointerTo(pointer, name);
    if (typeof value === 'string' && schemaTypes.has(value)) properties[name] = { type: value };
    else if (isObject(value)) {
      const { required: isRequired, optional: _optional, ...rest } = value;
      if (isRequired === true) required.push(name);
      else if (isRequired !== undefined && typeof isRequired !== 'boolean' && !Array.isArray(isRequired))
        findings.error(
          pointerTo(at, 'required'),
          say('property', 'required', say('must_be', 'boolean', got(isRequired))),
        );
      properties[name] = checkSchema(Array.isArray(isRequired) ? value : rest, at, findings);
    } else findings.error(at, say('property', name, say('must_be', say('schema_example'), got(value))));
  }
  return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 ? { required } : {}) };
}

/**
 * Checks the words of a schema that people mistype most, and its bounds; the whole is compiled before its first use.
 */
export function checkSchema(raw: Record<string, unknown>, pointer: string, findings: Findings): JsonSchema {
  const fault = schemaFault(raw);
  if (fault) findings.error(pointer, say('schema_refused', fault));
  else walk(raw, pointer, findings);
  return raw;
}

function walk(raw: unknown, pointer: string, findings: Findings): void {
  if (typeof raw === 'boolean') return;
  if (!isObject(raw)) {
    findings.error(pointer, say('part_must_be', say('a_schema'), say('object_or_boolean'), got(raw)));
    return;
  }
  const types = Array.isArray(raw['type']) ? raw['type'] : raw['type'] === undefined ? [] : [raw['type']];
  for (const type of types)
    if (typeof type !== 'string' || !schemaTypes.has(type))
      findings.error(pointerTo(pointer, 'type'), say('schema_type', [...schemaTypes].join(', '), gotJson(type)));
  if (raw['enum'] !== undefined && (!Array.isArray(raw['enum']) || raw['enum'].length === 0))
    findings.error(pointerTo(pointer, 'enum'), say('schema_enum'));
  if (
    raw['required'] !== undefined &&
    !(Array.isArray(raw['required']) && raw['required'].every((one) => typeof one === 'string'))
  )
    findings.error(pointerTo(pointer, 'required'), say('schema_required'));
  for (const key of [
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ])
    if (raw[key] !== undefined && typeof raw[key] !== 'number')
      findings.error(pointerTo(pointer, key), say('property', key, say('must_be', 'number', got(raw[key]))));
  for (const key of ['title', 'description', 'format', 'pattern'])
    if (raw[key] !== undefined && typeof raw[key] !== 'string')
      findings.error(pointerTo(pointer, key), say('property', key, say('must_be', 'string', got(raw[key]))));
  for (const key of ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']) {
    const group = raw[key];
    if (group === undefined) continue;
    if (!isObject(group))
      findings.error(pointerTo(pointer, key), say('property', key, say('must_be', say('an_object'), got(group))));
    else
      for (const [name, item] of Object.entries(group)) walk(item, pointerTo(pointerTo(pointer, key), name), findings);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const group = raw[key];
    if (group === undefined) continue;
    if (!Array.isArray(group) || group.length === 0) findings.error(pointerTo(pointer, key), say('schema_group', key));
    else group.forEach((item, index) => walk(item, pointerTo(pointerTo(pointer, key), index), findings));
  }
  for (const key of [
    'items',
    'additionalProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'unevaluatedProperties',
  ])
    if (raw[key] !== undefined) walk(raw[key], pointerTo(pointer, key), findings);
}
