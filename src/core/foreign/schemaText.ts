import { isObject } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { schemaTables } from '../base/schemaBounds';
import { saidBy, SaidError, say, type Sentence } from '../base/sentence';
import { visibleText } from '../base/visible';

/** Words whose texts decide what a value may be, so that they cannot be written in another way. */
const binding = new Set(
  'const enum default required dependentRequired pattern format type $id $ref $anchor $dynamicRef $dynamicAnchor'.split(
    ' ',
  ),
);

/**
 * Says why a model cannot be told of a schema: a name in it, or a value that it wants, holds invisible characters, and
 * made visible it would be another one. Undefined where there is none.
 */
export function schemaTextFault(schema: unknown): Sentence | undefined {
  try {
    shown(schema, false);
    return undefined;
  } catch (error) {
    return saidBy(error);
  }
}

/** A schema without such a fault, with the invisible characters of its descriptions made visible. */
export function visibleSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]) => [word, shown(value, binding.has(word), schemaTables.has(word))]),
  );
}

/** @param isTable whether the keys are names that the author chose, and no words. */
function shown(value: unknown, isBinding: boolean, isTable = false): unknown {
  if (typeof value === 'string') {
    const { text, count } = visibleText(value);
    if (isBinding && count > 0) throw new SaidError(say('schema_hidden', text.slice(0, 100)));
    return text;
  }
  if (Array.isArray(value)) return value.map((item) => shown(item, isBinding));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      shown(key, true);
      const isWord = !isTable && !isBinding;
      return [key, shown(item, isBinding || (isWord && binding.has(key)), isWord && schemaTables.has(key))];
    }),
  );
}
