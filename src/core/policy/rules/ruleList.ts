import { isObject, type Json, type JsonObject } from '../../base/json';
import { soundTree } from '../../base/jsonc';
import { editJsonc, styleOf, valueOf } from '../../base/jsoncEdit';

/**
 * A list of rules with one more, in the form that it has; undefined for a list whose form nobody can tell.
 * @param list the value of `policy.boundaries` or of `boundaries.json`.
 */
export function withRule(list: Json | undefined, rule: JsonObject & { readonly id: string }): Json | undefined {
  return list === undefined || list === null ? [rule] : changed(list, (rules) => [...rules, rule]);
}

/** The list without the rule of this id; undefined where it holds none, so that nothing needs to be written. */
export function withoutRule(list: Json | undefined, id: string): Json | undefined {
  return changed(list, (rules) => {
    // The one that was added last, should another have come by the same id.
    const at = rules.findLastIndex((one) => isObject(one) && one['id'] === id);
    return at < 0 ? undefined : rules.toSpliced(at, 1);
  });
}

/** The list as `change` makes it, also where it stands in an object; undefined where it is neither. */
function changed(
  list: Json | undefined,
  change: (rules: readonly Json[]) => readonly Json[] | undefined,
): Json | undefined {
  if (Array.isArray(list)) return change(list as readonly Json[]);
  if (!isObject(list) || !Array.isArray(list['boundaries'])) return undefined;
  const boundaries = change(list['boundaries'] as readonly Json[]);
  return boundaries && { ...(list as JsonObject), boundaries };
}

/**
 * Changes the list in a file of rules and keeps its comments, indentation and line ends. Undefined where `change`
 * answers nothing or the text is no JSON.
 */
export function editRuleFile(text: string, change: (list: Json | undefined) => Json | undefined): string | undefined {
  if (text.trim() === '') {
    const value = change(undefined);
    return value === undefined ? undefined : `${JSON.stringify(value, undefined, 2)}\n`;
  }
  const root = soundTree(text);
  const value = root && change(valueOf(root));
  return value === undefined ? undefined : editJsonc(text, value, styleOf(text), '');
}
