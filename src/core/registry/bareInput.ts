import { isObject, parsedJson } from '../base/json';
import { say, type Sentence } from '../base/sentence';

/** A tool's schema as far as a typed input needs it. */
interface InputSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

type TypedInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: Sentence };

/**
 * Reads the input of a tool as a person types it: nothing, a JSON object, or one bare value such as `.env`, which is
 * taken for the tool's first required argument, else for its first; other texts that it requires are left empty. Quotes
 * around a bare value are not part of it.
 * @param schema the tool's input schema; without one only an object can be read.
 */
export function bareInput(schema: InputSchema | undefined, text: string): TypedInput {
  const typed = text.trim();
  if (typed === '') return { ok: true, input: {} };
  const json = parsedJson(typed);
  if (isObject(json)) return { ok: true, input: json };
  // Whoever begins an object means one.
  if (typed.startsWith('{')) return { ok: false, problem: say('typed_input_no_json') };
  const { properties = {}, required = [] } = schema ?? {};
  const name = required[0] ?? Object.keys(properties)[0];
  const others = required.filter((one) => one !== name);
  if (name === undefined || others.some((one) => typeOf(properties[one]) !== 'string')) {
    const names = (required.length > 0 ? required : ['…']).map((one) => `"${one}": …`).join(', ');
    return { ok: false, problem: say('typed_input_object', `{ ${names} }`) };
  }
  const left = Object.fromEntries(others.map((one) => [one, '']));
  return { ok: true, input: { ...left, [name]: valueFor(properties[name], typed, json) } };
}

const typeOf = (schema: unknown): unknown => (isObject(schema) ? schema['type'] : undefined);

/** A bare value as its argument wants it: a text stays a text also where it looks like a number. */
function valueFor(schema: unknown, typed: string, json: unknown): unknown {
  const type = typeOf(schema);
  const unquoted = /^(["'`])(.*)\1$/s.exec(typed)?.[2] ?? typed;
  if (type === 'array') return Array.isArray(json) ? json : [unquoted];
  if (type === undefined || type === 'string' || json === undefined) return unquoted;
  return json;
}
