import type { Json } from '../../base/json';
import { isToolError, toolError } from '../../vocabulary/errors';
import { references, secretMissing, type Template } from '../../vocabulary/template';
import type { AccessContext } from '../../capability/tool';

/** The names of the secrets that templates name, each once. */
export function secretNames(templates: readonly Template[]): readonly string[] {
  const names = templates.flatMap((one) =>
    references(one).flatMap((part) => (part.root === 'secret' ? (part.path[0] ?? []) : [])),
  );
  return [...new Set(names)];
}

/** The secrets of one call, by name, and what hides them again in what comes back. */
interface CallSecrets {
  readonly values: Readonly<Record<string, string>>;
  /** Replaces each secret in a text by `[secret NAME]`, in each form in which a handler sends it. */
  hide(text: string): string;
  hideIn(value: Json): Json;
  /** The same error, without a secret that its words quote. */
  hideError(error: unknown): unknown;
}

/** What a secret becomes where it is filled in: as it is, in JSON, in a path, and in a query or form. */
function formsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return [value, inJson].flatMap((one) => [
    one,
    encodeURIComponent(one.replace(/\p{Cs}/gu, '\ufffd')),
    new URLSearchParams([['', one]]).toString().slice(1),
  ]);
}

/**
 * Reads the secrets that templates name. Throws `not_available` for one that is not set. Called while running only,
 * never for a preview.
 */
export async function readSecrets(templates: readonly Template[], context: AccessContext): Promise<CallSecrets> {
  const values: Record<string, string> = {};
  for (const name of secretNames(templates)) {
    const value = await context.ports.secrets.get(name);
    if (value === undefined) throw secretMissing(name);
    values[name] = value;
  }
  const known = Object.entries(values)
    .filter(([, value]) => value.length >= 4)
    .flatMap(([name, value]) => [...new Set(formsOf(value))].map((form): readonly [string, string] => [name, form]))
    // A form may hold a shorter one, or another secret.
    .sort(([, one], [, other]) => other.length - one.length);
  const hide = (text: string): string =>
    known.reduce((rest, [name, value]) => rest.replaceAll(value, `[secret ${name}]`), text);
  const hideIn = (value: Json): Json => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(hideIn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [hide(key), item === undefined ? item : hideIn(item)]),
    );
  };
  const hideError = (error: unknown): unknown => {
    if (!isToolError(error) || hide(error.message) === error.message) return error;
    const { code, message, retryable } = error.data;
    return toolError(code, hide(message), { retryable });
  };
  return { values, hide, hideError, hideIn: known.length === 0 ? (value) => value : hideIn };
}
