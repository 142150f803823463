import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { canonicalJson, isObject, type Json, type JsonObject, ownValue } from '../base/json';
import { soundTree } from '../base/jsonc';
import { editJsonc, styleOf, valueOf } from '../base/jsoncEdit';

/**
 * Reads one setting of a settings file; undefined where the file is not valid or does not hold it.
 * @param path the setting's place: its key, below `settings` in a workspace file.
 */
export function readSetting(text: string, path: readonly string[]): Json | undefined {
  const root = soundTree(text);
  const node = root && findNodeAtLocation(root, [...path]);
  return node && valueOf(node);
}

/**
 * Gives one setting another value so that comments, indentation and what did not change stay as they are.
 * @param path the setting's place, as for `readSetting`.
 * @param after undefined takes the setting out.
 * @returns the new text; `changed` where another value than `before` stands there; `unfit` where the file is not
 * valid, is no object, or names something twice: of two, the editor reads the last and writes the first.
 */
export function editSetting(
  text: string,
  path: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
): { readonly text: string } | 'changed' | 'unfit' {
  const root = soundTree(text);
  if (root?.type !== 'object' || namesTwice(root, path)) return 'unfit';
  const found = findNodeAtLocation(root, [...path]);
  if (canonicalJson(found ? valueOf(found) : null) !== canonicalJson(before ?? null)) return 'changed';
  const style = styleOf(text);
  if (!found || after === undefined)
    return { text: editJsonc(text, withSetting(valueOf(root), path, after), style, '') };
  const { offset, length } = found;
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1, offset))?.[0] ?? '';
  const edited = editJsonc(text.slice(offset, offset + length), after, style, indent);
  return { text: text.slice(0, offset) + edited + text.slice(offset + length) };
}

/** Whether an object on the way to a setting has two members of one name. */
function namesTwice(node: Node | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || node?.type !== 'object') return false;
  const names = (node.children ?? []).map(({ children = [] }) => String(children[0]?.value));
  return new Set(names).size < names.length || namesTwice(findNodeAtLocation(node, [name]), rest);
}

function withSetting(value: Json, [name = '', ...rest]: readonly string[], after: Json | undefined): JsonObject {
  const object: JsonObject = isObject(value) ? value : {};
  if (rest.length > 0) return { ...object, [name]: withSetting(ownValue(object, name) ?? {}, rest, after) };
  const { [name]: _before, ...others } = object;
  return after === undefined ? others : { ...object, [name]: after };
}
