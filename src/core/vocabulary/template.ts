import { isObject, type Json } from '../base/json';
import { say } from '../base/sentence';
import { pointerTo } from '../base/jsonReader';
import { refusal, type ToolError } from './errors';

/** One reference in a template: `${input.city}`, `${secret:TOKEN}`. */
interface TemplateReference {
  /** `input`, `config`, `steps`, `item`, `index`, `secret`. */
  readonly root: string;
  readonly path: readonly string[];
  /** Where it stands in the text. */
  readonly offset: number;
  readonly length: number;
}

export interface Template {
  readonly text: string;
  readonly parts: readonly (string | TemplateReference)[];
}

const pattern = /\$\{(?:secret:([A-Za-z0-9_.-]{1,100})|([a-z]+)((?:\.[A-Za-z0-9_-]+|\[\d+\])*))\}/g;

/**
 * Splits a text at its references. `$${` stands for a plain `${`. Anything else in `${…}` is a fault that
 * `templateFault` names.
 */
export function parseTemplate(text: string): Template {
  const parts: (string | TemplateReference)[] = [];
  let from = 0;
  const literal = (end: number): void => {
    if (end > from) parts.push(text.slice(from, end).replaceAll('$${', '${'));
  };
  for (const match of text.matchAll(pattern)) {
    if (text[match.index - 1] === '$') continue;
    literal(match.index);
    const path = (match[3] ?? '').split(/[.[\]]/).filter(Boolean);
    parts.push({
      root: match[1] === undefined ? (match[2] ?? '') : 'secret',
      path: match[1] === undefined ? path : [match[1]],
      offset: match.index,
      length: match[0].length,
    });
    from = match.index + match[0].length;
  }
  literal(text.length);
  return { text, parts };
}

export function references(template: Template): readonly TemplateReference[] {
  return template.parts.filter((part): part is TemplateReference => typeof part !== 'string');
}

/** Every template in a JSON value, with the pointer to the string that holds it. */
export function templatesIn(
  value: unknown,
  pointer = '',
): readonly { readonly pointer: string; readonly template: Template }[] {
  if (typeof value === 'string') return value.includes('${') ? [{ pointer, template: parseTemplate(value) }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => templatesIn(item, `${pointer}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => templatesIn(item, pointerTo(pointer, key)));
}

/** Names the first `${…}` that is no reference, undefined where all are. */
export function templateFault(text: string): string | undefined {
  const rest = text.replace(/\$\$\{/g, '').replace(pattern, '');
  const at = rest.indexOf('${');
  return at < 0 ? undefined : rest.slice(at, at + 40);
}

/** What references are looked up in. A root that is not here has no value. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** Looks a reference up by own properties only, so that `${input.constructor}` has no value. */
export function lookUp(reference: TemplateReference, values: TemplateValues): unknown {
  let current: unknown = Object.hasOwn(values, reference.root) ? values[reference.root] : undefined;
  for (const key of reference.path) {
    if (Array.isArray(current))
      current =
        key === 'length'
          ? current.length
          : /^\d+$/.test(key)
            ? (current as readonly unknown[])[Number(key)]
            : undefined;
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** Writes a value as text: strings as they are, nothing as the empty text, all else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean);
}

/** Fills a text template; `escape` makes each inserted text safe for its context, and never sees the literal parts. */
export function fillText(
  template: Template,
  values: TemplateValues,
  escape: (text: string) => string = (text) => text,
): string {
  return template.parts
    .map((part) => (typeof part === 'string' ? part : escape(asText(lookUp(part, values)))))
    .join('');
}

/** The one reference that a template consists of, undefined where there is more in it. */
export function soleReference(template: Template): TemplateReference | undefined {
  const [part] = template.parts;
  return template.parts.length === 1 && part !== undefined && typeof part !== 'string' ? part : undefined;
}

/**
 * Fills a JSON template. A string that is one reference becomes the value itself with its type, and leaves its property
 * or item out where there is no value; a reference inside a longer string becomes text. Keys are never templates.
 */
export function fillJson(value: unknown, values: TemplateValues): Json | undefined {
  if (typeof value === 'string') {
    if (!value.includes('${')) return value;
    const template = parseTemplate(value);
    const sole = soleReference(template);
    return sole ? (lookUp(sole, values) as Json | undefined) : fillText(template, values);
  }
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values)).filter((item) => item !== undefined);
  if (!isObject(value)) return value as Json;
  const out: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    const filled = fillJson(item, values);
    if (filled !== undefined) out[key] = filled;
  }
  return out;
}

export const secretMissing = (name: string): ToolError =>
  refusal('not_available', say('secret_not_set', name), { details: { secret: name } });
