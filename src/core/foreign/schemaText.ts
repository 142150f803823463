import { isObject } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { schemaTables } from '../base/schemaBounds';
import { saidBy, SaidError, say, type Sentence } from '../base/sentence';
import { visibleText } from '../base/visible';

/** What a text in a schema is: one to read, or one that decides what a value may be. */
type Part = 'text' | 'example' | 'data' | 'pattern' | 'name';

const names = 'required dependentRequired format type $id $ref $anchor $dynamicRef $dynamicAnchor'.split(' ');
/** Of the words whose texts are more than texts to read. */
const partsByWord: ReadonlyMap<string, Part> = new Map<string, Part>([
  ...names.map((word) => [word, 'name'] as const),
  ['const', 'data'],
  ['enum', 'data'],
  ['default', 'data'],
  ['examples', 'example'],
  ['pattern', 'pattern'],
]);

/** What belongs to honest values: ends of lines, and the joiners within words of scripts whose letters join. */
const honest = /\r|(?<=[\p{L}\p{M}])(?<!\p{Script=Latin})[\u200c\u200d](?=[\p{L}\p{M}])/gu;

/**
 * Says why a model cannot be told of a schema: a name in it, or a value that it wants, holds invisible characters, and
 * made visible it would be another one. Undefined where there is none.
 */
export function schemaTextFault(schema: unknown): Sentence | undefined {
  try {
    shown(schema, 'text');
    return undefined;
  } catch (error) {
    return saidBy(error);
  }
}

/** A schema without such a fault, with the invisible characters of its descriptions and patterns made visible. */
export function visibleSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]) => [word, shown(value, partsByWord.get(word) ?? 'text', tableOf(word))]),
  );
}

/** @param table the word whose value it is, where its keys are names that the author chose, and no words. */
function shown(value: unknown, part: Part, table?: string): unknown {
  if (typeof value === 'string') return part === 'pattern' ? visiblePattern(value) : shownString(value, part);
  if (Array.isArray(value)) return value.map((item) => shown(item, part));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name =
        table === 'patternProperties' ? visiblePattern(key) : shownString(key, part === 'data' ? part : 'name');
      if (part !== 'text') return [name, shown(item, part)];
      return table === undefined
        ? [name, shown(item, partsByWord.get(key) ?? part, tableOf(key))]
        : [name, shown(item, part)];
    }),
  );
}

const tableOf = (word: string): string | undefined => (schemaTables.has(word) ? word : undefined);

function shownString(value: string, part: Exclude<Part, 'pattern'>): string {
  const isData = part === 'data' || part === 'example';
  if (visibleText(isData ? value.replace(honest, '-') : value).count === 0) return value;
  const { text } = visibleText(value);
  if (part === 'text' || part === 'example') return text;
  throw new SaidError(say('schema_hidden', text.slice(0, 100)));
}

/** The same expression with its invisible characters as escapes; a backslash before one says nothing more. */
function visiblePattern(pattern: string): string {
  if (visibleText(pattern).count === 0) return pattern;
  return pattern.replace(/\\?([^])/gu, (written, character: string) => {
    if (visibleText(character).count === 0) return written;
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
