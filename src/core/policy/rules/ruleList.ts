import { isObject, type Json, type JsonObject } from '../../base/json';
import { soundTree } from '../../base/jsonc';
import { editJsonc, styleOf, valueOf } from '../../base/jsoncEdit';

/**
 * A list of rules with one more, in the form that it has; undefined for a list whose form nobody can tell.
 * @param list the value of `policy.boundaries` or of `boundaries.json`.
 */
export function withRule(list: Json | undefined, rule: JsonObject & { readonly id: string }): Json | undefined {
  if (list === undefined || list === null) return [rule];
  if (Array.isArray(list)) return [...(list as readonly Json[]), rule];
  if (!isObject(list)) return undefined;
  const held: Json | undefined = list['boundaries'] as Json | undefined;
  return Array.isArray(held)
    ? { ...(list as JsonObject), boundaries: [...(held as readonly Json[]), rule] }
    : undefined;
}

/** The list without the rule of this id; undefined where it holds none, so that nothing needs to be written. */
export function withoutRule(list: Json | undefined, id: string): Json | undefined {
  const without = (rules: readonly Json[]): readonly Json[] | undefined => {
    // The one that was added last, should another have come by the same id.
    const at = rules.findLastIndex((one) => isObject(one) && one['id'] === id);
    return at < 0 ? undefined : rules.filter((_one, index) => index !== at);
  };
  if (Array.isArray(list)) return without(list as readonly Json[]);
  if (!isObject(list) || !Array.isArray(list['boundaries'])) return undefined;
  const left = without(list['boundaries'] as readonly Json[]);
  return left && { ...(list as JsonObject), boundaries: left };
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
