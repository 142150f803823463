import type { Json } from '../base/json';
import { visibleText } from '../base/visible';
import { invalidOutput } from '../vocabulary/errors';
import type { RegisteredTool } from '../registry/registry';
import type { ResourceAbout, ToolOutcome, ToolPart } from '../vocabulary/toolResult';
import { sourceKind } from '../vocabulary/toolSource';
import type { SchemaValidator } from '../base/schema';

/** No single text in a result is longer; tools page their own results far below this. In characters. */
const longestText = 2_000_000;

/** A result that refers to itself has no end; one that is deeper than this is none that a model could read. */
const deepest = 200;

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((item) => isTooDeep(item, left - 1));
}

/**
 * Step 13: checks a result against its schema, makes invisible characters of untrusted text visible and counts them,
 * and cuts what is too long with a marker. The contents of files are handed over unchanged, their characters only
 * counted.
 */
export async function guardOutput(
  tool: RegisteredTool,
  outcome: ToolOutcome,
  validator: SchemaValidator,
): Promise<ToolOutcome> {
  const { definition } = tool;
  if (isTooDeep(outcome.payload, deepest))
    throw invalidOutput(tool.modelName, [
      { path: '', expected: `must be JSON of at most ${deepest} levels`, got: 'deeper or cyclic' },
    ]);
  if (definition.outputSchema) {
    const violations = await validator.validate(`output:${tool.id}`, definition.outputSchema, outcome.payload);
    if (violations.length > 0) throw invalidOutput(tool.modelName, violations);
  }
  const untrusted = definition.untrustedOutput === true || !sourceKind(tool.source).isOurs;
  const warnings = [...(outcome.warnings ?? [])];
  let hidden = 0;
  const show = (text: string): string => {
    const seen = visibleText(text);
    hidden += seen.count;
    return seen.text;
  };
  const mend = (text: string): string => cut(untrusted ? show(text) : text);
  const payload = untrusted ? mapTexts(outcome.payload, mend) : capTexts(outcome.payload);
  if (hidden > 0) warnings.push(`${hidden} invisible or control character${hidden === 1 ? '' : 's'} made visible`);
  const pieces = outcome.parts?.map((part) => partWithTexts(part, mend));
  return { ...outcome, payload, ...(pieces ? { parts: pieces } : {}), ...(warnings.length > 0 ? { warnings } : {}) };
}

/**
 * A part of an answer with each of its texts replaced; bytes are none, and stay unless `changeBytes` says otherwise.
 */
export function partWithTexts(
  part: ToolPart,
  change: (text: string) => string,
  changeBytes: (data: string) => string = (data) => data,
): ToolPart {
  switch (part.type) {
    case 'media':
      return part;
    case 'text':
      return { ...part, text: change(part.text) };
    case 'resource':
      return { ...part, resource: withFields(part.resource, change) };
    case 'blob':
      return { ...part, resource: withFields(part.resource, change), data: changeBytes(part.data) };
    case 'link':
      return { ...part, link: withFields(part.link, change) };
  }
}

function withFields<T extends ResourceAbout>(about: T, change: (text: string) => string): T {
  const changed: Record<string, string> = {};
  for (const [key, text] of Object.entries(about)) if (typeof text === 'string') changed[key] = change(text);
  return { ...about, ...changed };
}

const cut = (text: string): string =>
  text.length > longestText
    ? `${text.slice(0, longestText)}\n[cut: ${longestText} of ${text.length} characters shown; ask for a part]`
    : text;

/**
 * The same value with each text and each name replaced; a value of which nothing changes is handed back as it is. Two
 * names that become one are told apart.
 */
function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const changed = new Map<string, Json>();
  let isSame = true;
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const next = mapTexts(item, change);
    const shown = change(key);
    let name = shown;
    isSame &&= name === key && next === item;
    for (let copy = 2; name !== key && (changed.has(name) || Object.hasOwn(value, name)); copy++)
      name = `${shown} (${copy})`;
    changed.set(name, next);
  }
  return isSame ? value : Object.fromEntries(changed);
}

/**
 * What the tools of this program answer: their lists are long and made of short texts, so only fields of objects are
 * looked at.
 */
function capTexts(value: Json): Json {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => typeof item === 'string' && item.length > longestText)) return value;
  return Object.fromEntries(entries.map(([key, item]) => [key, item === undefined ? item : capTexts(item)]));
}
