import { isObject, type Json } from '../base/json';
import { withRule } from '../policy/rules/ruleList';
import type { RuleRow } from './statement';

/**
 * A list of rules with imported ones behind it. What the list says already is not added again, and an id that is taken
 * gives way to the next number, so that the same file can be imported twice.
 * @param list the value of `policy.boundaries`
 * @returns undefined for a list whose form nobody can tell
 */
export function withImported(list: Json | undefined, rows: readonly RuleRow[]): Json | undefined {
  let changed: Json | undefined = list;
  for (const row of rows) {
    const held = rulesOf(changed);
    if (held.some((one) => saysOf(one) === saysOf(row))) continue;
    const taken = new Set(held.map(({ id }) => id));
    changed = withRule(changed, { ...plain(row), id: freeId(row.id, taken) });
    if (changed === undefined) return undefined;
  }
  return changed ?? [];
}

/** The ids of what an import added to a list. */
export function addedIds(before: Json | undefined, after: Json): readonly string[] {
  const known = new Set(rulesOf(before).map(({ id }) => id));
  return rulesOf(after).flatMap(({ id }) => (typeof id === 'string' && !known.has(id) ? [id] : []));
}

/** True where a rule lets calls run that would be asked about or denied. */
export const loosens = ({ decision }: RuleRow): boolean => decision === 'allow';

function rulesOf(list: Json | undefined): readonly { readonly [key: string]: unknown }[] {
  const rules: unknown = isObject(list) ? list['boundaries'] : list;
  return Array.isArray(rules) ? rules.filter(isObject) : [];
}

/** What a rule does, whatever it is called. */
const saysOf = ({ match, decision }: { readonly match?: unknown; readonly decision?: unknown }): string =>
  JSON.stringify([match, decision]);

function freeId(id: string, taken: ReadonlySet<unknown>): string {
  const stem = id.replace(/(?<!\d)\d+$/, '');
  let number = Number(id.slice(stem.length));
  while (taken.has(`${stem}${number}`)) number++;
  return `${stem}${number}`;
}

const plain = (row: RuleRow): { readonly [key: string]: Json } => JSON.parse(JSON.stringify(row));
