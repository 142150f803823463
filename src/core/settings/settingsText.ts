import { findNodeAtLocation } from 'jsonc-parser';
import { canonicalJson, type Json } from '../base/json';
import { soundTree } from '../base/jsonc';
import { editJsonc, styleOf, valueOf, writeJson } from '../base/jsoncEdit';

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
  const root = soundTree(text);
  const node = root && findNodeAtLocation(root, [...path]);
  return node && { offset: node.offset, length: node.length, value: valueOf(node) };
}

/**
 * Writes a setting's new value over its old text so that comments, indentation and what did not change stay as they
 * are. Answers undefined where the file is not valid, or not the file in which `before` stands.
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
  const line = text.slice(text.lastIndexOf('\n', found.offset) + 1, found.offset);
  return { ...found, text: editJsonc(own, after, styleOf(text), /^[ \t]*/.exec(line)?.[0] ?? '') };
}

/**
 * Indents a setting that the editor has just added as the file was indented before. Answers undefined where nothing was
 * indented yet, or the setting does not begin its line.
 * @param before the file without the setting.
 * @param text the file with it.
 */
export function planIndentation(
  before: string,
  text: string,
  path: readonly string[],
): { readonly offset: number; readonly length: number; readonly text: string } | undefined {
  const found = readSetting(text, path);
  if (!found || !isIndented(before)) return undefined;
  const style = styleOf(before);
  const offset = text.lastIndexOf('\n', found.offset) + 1;
  const head = /^[ \t]*("[^"]*":)[ \t]*$/.exec(text.slice(offset, found.offset))?.[1];
  if (head === undefined) return undefined;
  const indent = style.unit.repeat(path.length);
  return {
    offset,
    length: found.offset + found.length - offset,
    text: `${indent}${head} ${writeJson(found.value, style, indent)}`,
  };
}

const isIndented = (text: string): boolean => /^[ \t]+\S/m.test(text);
