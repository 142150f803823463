import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser';
import { canonicalJson, type Json } from '../base/json';
import { editJsonc, hasComments, styleOf, valueOf } from '../base/jsoncEdit';

/** A setting as it stands in a file. */
interface SettingText {
  readonly offset: number;
  readonly length: number;
  readonly value: Json;
}

/**
 * Finds one setting in a settings file; undefined where the file is not valid or does not hold it.
 * @param path the setting's place: its key, below `settings` in a workspace file.
 */
export function readSetting(text: string, path: readonly string[]): SettingText | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const node = root && errors.length === 0 ? findNodeAtLocation(root, [...path]) : undefined;
  return node && { offset: node.offset, length: node.length, value: valueOf(node) };
}

/**
 * Writes a setting's new value over its old text so that comments stay. Answers undefined where the editor's own way is
 * as good: the value holds no comment, the file is not valid, or it is not the file in which `before` stands.
 */
export function planSettingsEdit(
  text: string,
  path: readonly string[],
  before: Json,
  after: Json,
): (SettingText & { readonly text: string }) | undefined {
  const found = readSetting(text, path);
  if (!found || canonicalJson(found.value) !== canonicalJson(before)) return undefined;
  const own = text.slice(found.offset, found.offset + found.length);
  if (!hasComments(own)) return undefined;
  const line = text.slice(text.lastIndexOf('\n', found.offset) + 1, found.offset);
  return { ...found, text: editJsonc(own, after, styleOf(text), /^[ \t]*/.exec(line)?.[0] ?? '') };
}
