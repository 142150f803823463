import type { Capability } from './capability';
import type { JsonSchema } from '../base/schema';

/** A capability that comes with the extension, with what all of these have in common. */
export function builtin(capability: Omit<Capability, 'version' | 'status' | 'source'>): Capability {
  return { version: '1.0.0', status: 'available', source: { type: 'builtin' }, ...capability };
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object with properties that have to be there and others that may; what else it holds does not matter. */
export function object(required: Properties, optional?: Properties): JsonSchema {
  return { type: 'object', ...propertiesOf(required, optional) };
}

/** The same without anything else. */
export function strictObject(required: Properties, optional?: Properties): JsonSchema {
  return { type: 'object', additionalProperties: false, ...propertiesOf(required, optional) };
}

function propertiesOf(required: Properties, optional: Properties = {}): JsonSchema {
  const names = Object.keys(required);
  return { properties: { ...required, ...optional }, ...(names.length === 0 ? {} : { required: names }) };
}

// Values of an answer, about which nothing more is said.
export const string: JsonSchema = { type: 'string' };
export const strings: JsonSchema = { type: 'array', items: string };
export const integer: JsonSchema = { type: 'integer' };
export const number: JsonSchema = { type: 'number' };
export const boolean: JsonSchema = { type: 'boolean' };
export const objects: JsonSchema = { type: 'array', items: { type: 'object' } };
