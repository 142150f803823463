import { isObject } from '../base/json';
import { got as gotType } from '../base/jsonReader';
import { readJsonDocument } from '../base/jsonDocument';
import { SaidError, say } from '../base/sentence';
import { type Notes, type Reach, type RuleFormat, type Statement, statements, type Verdict } from './statement';

/** An entry of a list, with the name of its tool and what stands in brackets behind it. */
export interface ListEntry {
  readonly entry: string;
  readonly name: string;
  readonly spec?: string;
}

/** The object that a file of another tool holds. Throws a `SaidError` where it holds none. */
export function objectIn(text: string, file: string, title: string): Readonly<Record<string, unknown>> {
  const { value, problems } = readJsonDocument(text, file);
  const [fault] = problems;
  if (fault || !isObject(value))
    throw new SaidError(say('import_unreadable', title, fault?.said ?? say('cannot_be_read')));
  return value;
}

/**
 * Reads `permissions` with one list of entries for each verdict; keys that are no verdict are told where `notes` are.
 */
export function permissionLists(
  settings: Readonly<Record<string, unknown>>,
  { title, verdicts }: Pick<RuleFormat, 'title' | 'verdicts'>,
  readEntry: (entry: ListEntry, verdict: Verdict) => readonly Reach[],
  notes?: Notes,
): readonly Statement[] {
  const { permissions } = settings;
  if (!isObject(permissions)) return [];
  for (const key of Object.keys(permissions))
    if (!verdicts.some((one) => one === key)) notes?.add(say('import_no_rule', `permissions.${key}`), 'information');
  return verdicts.flatMap((verdict) =>
    entryList(permissions[verdict], `permissions.${verdict}`, title).flatMap((entry) =>
      statements(verdict, entry, readEntry(splitEntry(entry), verdict)),
    ),
  );
}

/** Writes them, in the order of `verdicts`. */
export function permissionsFile(entries: Parameters<RuleFormat['file']>[0], verdicts: readonly Verdict[]): string {
  const lists = verdicts.map((verdict) => [
    verdict,
    [...new Set(entries.filter(({ statement }) => statement.verdict === verdict).map(({ entry }) => entry))],
  ]);
  return JSON.stringify({ permissions: Object.fromEntries(lists) }, undefined, 2);
}

/** The entries of a list of rules, none where there is no list. Throws a `SaidError` for anything else. */
function entryList(value: unknown, key: string, title: string): readonly string[] {
  if (value === undefined) return [];
  const fault = (got: unknown): never => {
    throw new SaidError(say('import_unreadable', title, say('import_list', key, gotType(got))));
  };
  if (!Array.isArray(value)) return fault(value);
  return value.map((one: unknown): string => (typeof one === 'string' ? one.trim() : fault(one)));
}

/** `Tool(specifier)` in its parts. */
function splitEntry(entry: string): ListEntry {
  const [, name = entry, spec] = /^([^()\s]+)\((.*)\)$/s.exec(entry) ?? [];
  return spec === undefined ? { entry, name } : { entry, name, spec: spec.trim() };
}
