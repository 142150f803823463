import { SaidError, say } from '../base/sentence';
import { typeName } from '../base/json';

/** The entries of a list of rules, none where there is no list. Throws a `SaidError` for anything else. */
export function entryList(value: unknown, key: string, title: string): readonly string[] {
  if (value === undefined) return [];
  const fault = (got: unknown): never => {
    throw new SaidError(say('import_unreadable', title, say('import_list', key, typeName(got))));
  };
  if (!Array.isArray(value)) return fault(value);
  return value.map((one: unknown): string => (typeof one === 'string' ? one.trim() : fault(one)));
}

/** `Tool(specifier)` in its parts. */
export function splitEntry(entry: string): { readonly name: string; readonly spec?: string } {
  const [, name = entry, spec] = /^([^()\s]+)\((.*)\)$/s.exec(entry) ?? [];
  return spec === undefined ? { name } : { name, spec: spec.trim() };
}
