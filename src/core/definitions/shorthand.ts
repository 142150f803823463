import { wordSet } from '../base/wordSet';
import { isObject, isStrings } from '../base/json';
import { type Findings, got, gotJson, type ObjectReader, pointerTo } from '../base/jsonReader';
import { say, type Sentence } from '../base/sentence';
import type { JsonSchema } from '../base/schema';
import { schemaFault } from '../base/schemaBounds';

/** What stands beside the `type` of a schema; a parameter `type` in shorthand stands beside others. */
const schemaWords = wordSet(
  'type items minItems maxItems uniqueItems enum const title description default format pattern minimum maximum minLength maxLength $schema',
);

const schemaTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Words that say by themselves which further properties there may be. */
const saysMore = ['additionalProperties', 'unevaluatedProperties', '$ref', 'anyOf', 'allOf', 'oneOf'];

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
  const saysIt = isObject(raw['properties']) || Array.isArray(raw['required']);
  if (type === 'object' || saysIt || raw['$ref'] !== undefined || raw['anyOf'] !== undefined) {
    const schema = checkSchema({ ...raw, type: 'object' }, pointer, findings);
    const isOpen = !isObject(schema.properties) || saysMore.some((key) => key in schema);
    return isOpen ? schema : { ...schema, additionalProperties: false };
  }
  return readShorthand(raw, pointer, findings);
}

/** Properties with a type or a schema each; `required` and `optional` inside of one are about the property. */
function readShorthand(raw: Record<string, unknown>, pointer: string, findings: Findings): JsonSchema {
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

/** Reads a schema that stands under a key; undefined where there is none. */
export function readSchema(reader: ObjectReader, key: string): JsonSchema | undefined {
  const raw = reader.object(key);
  return raw === undefined ? undefined : checkSchema(raw, reader.at(key), reader.findings);
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

/** The words of a schema whose values are of one type, and those that hold other schemas. */
const typedWords = {
  number: 'minimum maximum minLength maxLength minItems maxItems exclusiveMinimum exclusiveMaximum multipleOf'.split(
    ' ',
  ),
  string: ['title', 'description', 'format', 'pattern'],
};
const schemaTables = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'];
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const innerSchemas = 'items additionalProperties not if then else contains propertyNames unevaluatedProperties'.split(
  ' ',
);

/** Checks a schema and those inside it. */
function walk(raw: unknown, pointer: string, findings: Findings): void {
  if (typeof raw === 'boolean') return;
  if (!isObject(raw)) {
    findings.error(pointer, say('part_must_be', say('a_schema'), say('object_or_boolean'), got(raw)));
    return;
  }
  checkWords(raw, pointer, findings);
  for (const key of schemaTables) {
    const group = raw[key];
    if (group === undefined) continue;
    if (!isObject(group)) findings.error(pointerTo(pointer, key), wrongType(key, say('an_object'), group));
    else
      for (const [name, item] of Object.entries(group)) walk(item, pointerTo(pointerTo(pointer, key), name), findings);
  }
  for (const key of schemaLists) {
    const group = raw[key];
    if (group === undefined) continue;
    if (!Array.isArray(group) || group.length === 0) findings.error(pointerTo(pointer, key), say('schema_group', key));
    else group.forEach((item, index) => walk(item, pointerTo(pointerTo(pointer, key), index), findings));
  }
  for (const key of innerSchemas) if (raw[key] !== undefined) walk(raw[key], pointerTo(pointer, key), findings);
}

/** The words of one schema that hold no other. */
function checkWords(raw: Record<string, unknown>, pointer: string, findings: Findings): void {
  const fault = (key: string, said: Sentence): void => findings.error(pointerTo(pointer, key), said);
  const { type, enum: values, required } = raw;
  for (const one of Array.isArray(type) ? type : type === undefined ? [] : [type])
    if (typeof one !== 'string' || !schemaTypes.has(one))
      fault('type', say('schema_type', [...schemaTypes].join(', '), gotJson(one)));
  if (values !== undefined && (!Array.isArray(values) || values.length === 0)) fault('enum', say('schema_enum'));
  if (required !== undefined && !isStrings(required)) fault('required', say('schema_required'));
  for (const [wanted, keys] of Object.entries(typedWords))
    for (const key of keys)
      if (raw[key] !== undefined && typeof raw[key] !== wanted) fault(key, wrongType(key, wanted, raw[key]));
}

const wrongType = (key: string, expected: Sentence | string, came: unknown): Sentence =>
  say('property', key, say('must_be', expected, got(came)));
