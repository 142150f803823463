import type { JsonObject } from '../../src/core/base/json';

/** The schema of a property, the text that explains it, and where the editor shows that. */
export type Described = readonly [schema: JsonObject, text: string, as?: 'description' | 'markdownDescription'];

/**
 * The properties of a schema, and their texts as package.nls.json holds them. A text with code in it is markdown where
 * nothing else is said.
 */
export function described(prefix: string, all: Readonly<Record<string, Described>>) {
  const properties: Record<string, JsonObject> = {};
  const texts: Record<string, string> = {};
  for (const [name, [schema, text, as]] of Object.entries(all)) {
    const key = `${prefix}.${name}`;
    properties[name] = { ...schema, [as ?? (text.includes('`') ? 'markdownDescription' : 'description')]: `%${key}%` };
    texts[key] = text;
  }
  return { properties, texts };
}
