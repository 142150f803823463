import { say, type Sentence, worded } from '../base/sentence';
import { isObject, sanitizeJson } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { visibleLine } from '../base/visible';
import { schemaFault } from '../base/schemaBounds';
import type { ToolHints } from './inference';
import { schemaTextFault } from './schemaText';
import { headerFault } from './headerDeclarations';

/** One tool as an MCP server lists it, after it has been read at the edge. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolHints & { readonly title?: string };
}

export interface ReadTools {
  readonly tools: readonly ListedTool[];
  /**
   * What could not be taken, one sentence each: a schema out of bounds, a missing name, the second of two equal names.
   */
  readonly faults: readonly Sentence[];
  /** The listing without loss, as far as it could be read: what pins are made of. */
  readonly identity: readonly unknown[];
}

const mostTools = 20_000;
const longestText = 20_000;

/**
 * Reads the answer of `tools/list`. One bad tool is left out and named; the others stay. `overHttp` also judges the
 * headers that tools declare.
 */
export function readTools(raw: unknown, overHttp = false): ReadTools {
  const tools: ListedTool[] = [];
  const faults: Sentence[] = [];
  const identity: unknown[] = [];
  const list = Array.isArray(raw) ? raw : [];
  if (!Array.isArray(raw)) faults.push(say('list_no_array'));
  if (list.length > mostTools) faults.push(say('list_long', list.length, mostTools));
  const seen = new Set<string>();
  for (const item of list.slice(0, mostTools)) {
    const name = isObject(item) && typeof item['name'] === 'string' ? item['name'] : undefined;
    if (!isObject(item) || name === undefined || name.trim() === '' || name.length > 256) {
      faults.push(say('tool_no_name'));
      continue;
    }
    if (seen.has(name)) {
      faults.push(say('listed_twice', visibleLine(name)));
      continue;
    }
    seen.add(name);
    const read = readTool(name, item, overHttp);
    if ('fault' in read) {
      faults.push(say('tool_left_out', visibleLine(name), read.fault));
      identity.push({ name, fault: worded(read.fault) });
    } else {
      tools.push(read.tool);
      identity.push(read.tool);
      if (read.warning) faults.push(say('tool_warning', visibleLine(name), read.warning));
    }
  }
  return { tools, faults, identity };
}

function readTool(
  name: string,
  item: Record<string, unknown>,
  overHttp: boolean,
): { tool: ListedTool; warning?: Sentence } | { fault: Sentence } {
  let clean: Record<string, unknown>;
  try {
    clean = sanitizeJson(item, 64) as Record<string, unknown>;
  } catch {
    return { fault: say('tool_too_deep') };
  }
  const { title, description, inputSchema, outputSchema, annotations } = clean;
  const fault = schemaFault(inputSchema) ?? schemaTextFault(inputSchema);
  if (fault) return { fault: say('tool_input_schema', fault) };
  const header = overHttp ? headerFault(inputSchema) : undefined;
  if (header) return { fault: header };
  const schema: JsonSchema = isObject(inputSchema) ? inputSchema : { type: 'object' };
  if (schema.type !== undefined && schema.type !== 'object') return { fault: say('tool_input_object') };
  const wrong = isObject(outputSchema) ? (schemaFault(outputSchema) ?? schemaTextFault(outputSchema)) : undefined;
  return {
    tool: {
      name,
      ...(typeof title === 'string' ? { title: title.slice(0, 200) } : {}),
      ...(typeof description === 'string' ? { description: description.slice(0, longestText) } : {}),
      inputSchema: schema.type === 'object' ? schema : { ...schema, type: 'object' },
      ...(isObject(outputSchema) && !wrong ? { outputSchema } : {}),
      ...(isObject(annotations) ? { annotations: readHints(annotations) } : {}),
    },
    ...(wrong ? { warning: say('tool_output_schema', wrong) } : {}),
  };
}

function readHints(raw: Record<string, unknown>): ToolHints & { title?: string } {
  const hints: Record<string, boolean | string> = {};
  for (const key of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])
    if (typeof raw[key] === 'boolean') hints[key] = raw[key];
  if (typeof raw['title'] === 'string') hints['title'] = raw['title'].slice(0, 200);
  return hints;
}
