import type { Json } from '../../base/json';
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
  /** Replaces each secret in a text by `[secret NAME]`. */
  hide(text: string): string;
  hideIn(value: Json): Json;
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
  const known = Object.entries(values).filter(([, value]) => value.length >= 4);
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
  return { values, hide, hideIn: known.length === 0 ? (value) => value : hideIn };
}
