import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser';
import { canonicalJson, type Json } from './base/json';
import { editJsonc, hasComments, styleOf, valueOf } from './base/jsoncEdit';

/** A change of a settings file's text that keeps its comments. */
export interface SettingsEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
  /** The value that the setting has afterwards; it may differ from the wanted one in spelling only (`{ "ref": "math" }` for `"math"`). */
  readonly value: Json;
}

/**
 * Plans the change of one setting in a settings file. Answers undefined where the editor's own way is as good: the value holds no comment,
 * the file is not valid, or it is not the file in which `before` stands.
 * @param path the setting's place: its key, below `settings` in a workspace file.
 */
export function planSettingsEdit(text: string, path: readonly string[], before: Json, after: Json): SettingsEdit | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const node = root && errors.length === 0 ? findNodeAtLocation(root, [...path]) : undefined;
  if (!node) return undefined;
  const own = text.slice(node.offset, node.offset + node.length);
  if (!hasComments(own)) return undefined;
  if (canonicalJson(valueIn(own)) !== canonicalJson(before)) return undefined;
  const line = text.slice(text.lastIndexOf('\n', node.offset) + 1, node.offset);
  const changed = editJsonc(own, after, styleOf(text), /^[ \t]*/.exec(line)?.[0] ?? '');
  return { offset: node.offset, length: node.length, text: changed, value: valueIn(changed) };
}

function valueIn(text: string): Json {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root ? valueOf(root) : null;
}
