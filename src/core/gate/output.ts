import type { Json } from '../base/json';
import { visibleText } from '../base/visible';
import { invalidOutput } from '../errors';
import type { SchemaValidator } from '../base/schema';
import type { RegisteredTool } from '../registry';
import type { ToolOutcome } from '../toolResult';

/** No single text in a result is longer; tools page their own results far below this. In characters. */
const longestText = 2_000_000;

/** A result that refers to itself has no end; one that is deeper than this is none that a model could read. */
const deepest = 200;

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((item) => isTooDeep(item, left - 1));
}

/** Replaces secrets in a text; set where the policy asks for it. */
export type Redactor = (text: string) => Promise<string>;

export interface OutputParts {
  readonly validator: SchemaValidator;
  readonly redact?: Redactor;
}

/**
 * Step 13: checks a result against its schema, makes invisible characters of untrusted text visible and counts them,
 * and cuts what is too long with a marker. The contents of files are handed over unchanged, their characters only counted.
 */
export async function guardOutput(tool: RegisteredTool, outcome: ToolOutcome, parts: OutputParts): Promise<ToolOutcome> {
  const { definition } = tool;
  if (isTooDeep(outcome.payload, deepest))
    throw invalidOutput(tool.modelName, [{ path: '', expected: `must be JSON of at most ${deepest} levels`, got: 'deeper or cyclic' }]);
  if (definition.outputSchema) {
    const violations = await parts.validator.validate(`output:${tool.id}`, definition.outputSchema, outcome.payload);
    if (violations.length > 0) throw invalidOutput(tool.modelName, violations);
  }
  const untrusted = definition.untrustedOutput === true || tool.source.type !== 'builtin';
  const warnings = [...(outcome.warnings ?? [])];
  let hidden = 0;
  const mend = async (value: Json): Promise<Json> => {
    if (typeof value === 'string') {
      let text = value;
      if (untrusted) {
        const seen = visibleText(text);
        hidden += seen.count;
        text = seen.text;
      }
      if (parts.redact) text = await parts.redact(text);
      if (text.length > longestText)
        text = `${text.slice(0, longestText)}\n[cut: ${longestText} of ${text.length} characters shown; ask for a part]`;
      return text;
    }
    if (Array.isArray(value)) return Promise.all(value.map(mend));
    if (typeof value === 'object' && value !== null) {
      const copy: Record<string, Json> = {};
      for (const [key, item] of Object.entries(value)) if (item !== undefined) copy[key] = await mend(item);
      return copy;
    }
    return value;
  };
  const payload = untrusted || parts.redact ? await mend(outcome.payload) : capTexts(outcome.payload);
  if (hidden > 0) warnings.push(`${hidden} invisible or control character${hidden === 1 ? '' : 's'} made visible`);
  return { ...outcome, payload, ...(warnings.length > 0 ? { warnings } : {}) };
}

function capTexts(value: Json): Json {
  if (typeof value === 'string' && value.length > longestText)
    return `${value.slice(0, longestText)}\n[cut: ${longestText} of ${value.length} characters shown; ask for a part]`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => typeof item === 'string' && item.length > longestText)) return value;
  return Object.fromEntries(entries.map(([key, item]) => [key, item === undefined ? item : capTexts(item)]));
}
