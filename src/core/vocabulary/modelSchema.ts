import type { JsonSchema } from '../base/schema';
import type { ModelInputs, ToolDefinition } from './toolDefinition';

/** Of a definition, which never changes, the schema is made once. */
const made = new WeakMap<ToolDefinition, JsonSchema>();

/**
 * The schema of a tool's arguments as models are sent it with every request: of the parameters those that
 * `modelInputs` names, without bounds and defaults. The gate checks a call against `inputSchema`, which accepts all of
 * them and says what does not fit. A tool without `modelInputs` is sent as it is.
 */
export function modelSchema(definition: ToolDefinition): JsonSchema {
  const { inputSchema, modelInputs } = definition;
  if (!modelInputs) return inputSchema;
  let schema = made.get(definition);
  if (!schema) made.set(definition, (schema = pick(inputSchema, modelInputs)));
  return schema;
}

function pick({ properties, required, items, type }: JsonSchema, wanted: ModelInputs): JsonSchema {
  if (items && type === 'array') return { type, items: pick(items, wanted) };
  return {
    type: 'object',
    ...(required && required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      Object.entries(wanted).map(([name, told]) => [name, tell(properties?.[name] ?? {}, told)]),
    ),
  };
}

function tell(schema: JsonSchema, told: string | ModelInputs): JsonSchema {
  if (typeof told !== 'string') return pick(schema, told);
  return { ...bare(schema), ...(told === '' ? {} : { description: told }) };
}

/** What a value is, and nothing of how long or great it may be: who goes beyond reads so in the answer. */
function bare({ type, enum: values, items, additionalProperties: others }: JsonSchema): JsonSchema {
  return {
    ...(type === undefined ? {} : { type }),
    ...(values ? { enum: values } : {}),
    ...(items ? { items: bare(items) } : {}),
    ...(typeof others === 'object' ? { additionalProperties: bare(others) } : {}),
  };
}
