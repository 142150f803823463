import { canonicalJson, isObject } from '../base/json';
import { visibleText } from '../base/visible';
import type { ListedTool } from './foreignList';
import type { ToolHints } from './inference';

/**
 * Everything of a tool beside its name and description that a model or a person sees, line by line: an instruction to a
 * model must not hide in the description of an argument or among the values that it may have.
 */
export function toolDetailLines(tool: ListedTool): readonly string[] {
  const { title, annotations, inputSchema, outputSchema } = tool;
  const lines = [
    ...(title === undefined || title === tool.name ? [] : [`title: ${JSON.stringify(title)}`]),
    ...schemaLines(inputSchema),
    ...(outputSchema === undefined ? [] : [`answers: ${canonicalJson(outputSchema)}`]),
    ...(annotations && Object.keys(annotations).length > 0
      ? [`says of itself, which nobody checked: ${hintWords(annotations)}`]
      : []),
  ];
  return lines.map((line) => `  ${visibleText(line).text}`);
}

const hints = {
  readOnlyHint: ['that it only reads', 'that it may change something'],
  destructiveHint: ['that it may delete or overwrite', 'that it deletes and overwrites nothing'],
  idempotentHint: ['that a repeated call changes nothing more', 'that each call acts anew'],
  openWorldHint: ['that it reaches beyond its own system', 'that it stays within its own system'],
} as const satisfies Record<keyof ToolHints, readonly [yes: string, no: string]>;

/** What a server claims of a tool, in words; others of its words than these hints are quoted. */
export function hintWords(annotations: ListedTool['annotations'] = {}): string {
  const { title, ...flags } = annotations;
  // Safe: the type of the flags has no other keys, and of what a server says nothing else was read.
  const said = (Object.keys(hints) as (keyof ToolHints)[]).flatMap((key) => {
    const [yes, no] = hints[key];
    return flags[key] === undefined ? [] : [flags[key] ? yes : no];
  });
  const parts = [...said, ...(title === undefined ? [] : [`the title ${JSON.stringify(title)}`])];
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

/** One line for each argument, and one for whatever else the schema says. */
function schemaLines(schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  const { type, properties, required, ...rest } = schema;
  const wanted: readonly unknown[] = Array.isArray(required) ? required : [];
  const known = isObject(properties) ? properties : {};
  const others = {
    ...(type === 'object' ? {} : { type }),
    ...(isObject(properties) || properties === undefined ? {} : { properties }),
    ...(wanted.every((name) => typeof name === 'string' && Object.hasOwn(known, name)) ? {} : { required }),
    ...rest,
  };
  return [
    ...Object.entries(known).map(
      ([name, one]) => `${nameWords(name)}${wanted.includes(name) ? '' : '?'}: ${argumentWords(one)}`,
    ),
    ...(Object.keys(others).length > 0 ? [canonicalJson(others)] : []),
  ];
}

/** `string, "what it is for", {…}`: what is common first, the rest as JSON. */
function argumentWords(schema: unknown): string {
  if (!isObject(schema)) return canonicalJson(schema);
  const { type, description, ...rest } = schema;
  const isPlain = typeof type === 'string';
  const more = isPlain || type === undefined ? rest : { type, ...rest };
  const parts = [
    ...(isPlain ? [type] : []),
    ...(description === undefined ? [] : [JSON.stringify(description)]),
    ...(Object.keys(more).length > 0 ? [canonicalJson(more)] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'anything';
}

function nameWords(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
}
