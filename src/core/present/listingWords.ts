import { onOneLine } from '../base/text';
import { canonicalJson, isObject } from '../base/json';
import { entryOf } from '../base/maps';
import type { Translate } from '../base/translate';
import { visible } from '../base/visible';
import type { ListedTool } from '../foreign/foreignList';
import { longestDescription, shownText } from '../foreign/foreignTool';
import type { ToolHints } from '../foreign/inference';
import type { RiskLevel } from '../vocabulary/toolDefinition';
import { riskWords } from './words';

/** A tool as its server lists it, with the risk that is inferred of it. */
export interface JudgedTool {
  readonly tool: ListedTool;
  readonly risk: RiskLevel;
}

/**
 * Everything of a server's tools that a model or a person would see, line by line: what has to be shown before they are
 * approved. An instruction to a model must not hide behind a cut, in the description of an argument or among the values
 * that it may have.
 */
export function listingLines(judged: readonly JudgedTool[], t: Translate): readonly string[] {
  return judged.flatMap(({ tool, risk }) => {
    const says = onOneLine(shownText(tool.description ?? '', longestDescription));
    const head = `${shownText(tool.name, 256)} (${riskWords(risk, t)})`;
    return [says === '' ? head : `${head}: ${says}`, ...detailLines(tool, t)];
  });
}

/** What a tool has beside its name and description. */
function detailLines(
  { name, title, annotations, inputSchema, outputSchema }: ListedTool,
  t: Translate,
): readonly string[] {
  const lines = [
    ...(title === undefined || title === name ? [] : [t('title: {0}', JSON.stringify(title))]),
    ...schemaLines(inputSchema, t),
    ...(outputSchema === undefined ? [] : [t('answers: {0}', canonicalJson(outputSchema))]),
    ...(annotations && Object.keys(annotations).length > 0
      ? [t('says of itself, which nobody checked: {0}', hintWords(annotations, t))]
      : []),
  ];
  return lines.map((line) => `  ${visible(line)}`);
}

/** What a server claims of a tool, in words; others of its words than these hints are quoted. */
function hintWords({ title, ...flags }: NonNullable<ListedTool['annotations']>, t: Translate): string {
  const hints: Readonly<Record<keyof ToolHints, readonly [yes: string, no: string]>> = {
    readOnlyHint: [t('that it only reads'), t('that it may change something')],
    destructiveHint: [t('that it may delete or overwrite'), t('that it deletes and overwrites nothing')],
    idempotentHint: [t('that a repeated call changes nothing more'), t('that each call acts anew')],
    openWorldHint: [t('that it reaches beyond its own system'), t('that it stays within its own system')],
  };
  // Safe: the type of the flags has no other keys, and of what a server says nothing else was read.
  const said = (Object.keys(hints) as (keyof ToolHints)[]).flatMap((key) => {
    const [yes, no] = hints[key];
    return flags[key] === undefined ? [] : [flags[key] ? yes : no];
  });
  const parts = [...said, ...(title === undefined ? [] : [t('the title {0}', JSON.stringify(title))])];
  return parts.length > 0 ? parts.join(', ') : t('nothing');
}

/** One line for each argument, and one for whatever else the schema says. */
function schemaLines(schema: unknown, t: Translate): readonly string[] {
  if (!isObject(schema)) return [];
  const { type, properties, required, ...rest } = schema;
  const wanted: readonly unknown[] = Array.isArray(required) ? required : [];
  const known = isObject(properties) ? properties : {};
  const others = {
    ...(type === 'object' ? {} : { type }),
    ...(isObject(properties) || properties === undefined ? {} : { properties }),
    ...(wanted.every((name) => typeof name === 'string' && Object.hasOwn(known, name)) ? {} : { required }),
    ...rest,
  };
  return [
    ...Object.entries(known).map(
      ([name, one]) => `${nameWords(name)}${wanted.includes(name) ? '' : '?'}: ${argumentWords(one, t)}`,
    ),
    ...(Object.keys(others).length > 0 ? [canonicalJson(others)] : []),
  ];
}

/** `string, "what it is for", {…}`: what is common first, the rest as JSON. */
function argumentWords(schema: unknown, t: Translate): string {
  if (!isObject(schema)) return canonicalJson(schema);
  const { type, description, ...rest } = schema;
  const isPlain = typeof type === 'string';
  const more = isPlain || type === undefined ? rest : { type, ...rest };
  const parts = [
    ...(isPlain ? [type] : []),
    ...(description === undefined ? [] : [JSON.stringify(description)]),
    ...(Object.keys(more).length > 0 ? [canonicalJson(more)] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : t('anything');
}

function nameWords(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
}

/**
 * Says in lines what changed between two listings, for the person who decides: `+`, `-` and space as in a diff.
 * Invisible characters are shown.
 * @param before undefined where it was too large to keep
 */
export function changeLines(
  before: readonly ListedTool[] | undefined,
  after: readonly ListedTool[],
  t: Translate,
): readonly string[] {
  if (!before)
    return [t('the approved list was too large to keep, so what changed in it is unknown; this is all of it now:')];
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const fresh = new Map(after.map((tool) => [tool.name, tool]));
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(visible(line));
  };
  const body = (tool: ListedTool): string => canonicalJson({ ...tool, name: '' });
  const removed = [...old.values()].filter(({ name }) => !fresh.has(name));
  const added = [...fresh.values()].filter(({ name }) => !old.has(name));
  const renamed = new Set<ListedTool>();
  const alike = new Map<string, ListedTool[]>();
  // The first of those alike is taken first.
  for (const tool of added.toReversed()) entryOf(alike, body(tool), []).push(tool);
  for (const from of removed) {
    const to = alike.get(body(from))?.pop();
    if (!to) continue;
    renamed.add(to).add(from);
    say(t('tool renamed: {0} → {1}', from.name, to.name));
  }
  for (const tool of removed) if (!renamed.has(tool)) say(`- ${t('tool {0}', tool.name)}`);
  for (const tool of added) {
    if (renamed.has(tool)) continue;
    for (const line of wholeDescription(tool, t)) say(`+ ${line}`);
    for (const line of detailLines(tool, t)) say(`+ ${line}`);
  }
  for (const [name, tool] of fresh) {
    const was = old.get(name);
    if (!was) continue;
    for (const field of ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const) {
      const [a, b] = [canonicalJson(was[field] ?? null), canonicalJson(tool[field] ?? null)];
      if (a === b) continue;
      const areHints = field === 'annotations';
      say(`  ${t('tool {0}', name)}, ${areHints ? t('what it says of itself') : field}:`);
      const [left, right] = areHints
        ? [hintWords(was[field] ?? {}, t), hintWords(tool[field] ?? {}, t)]
        : changedPart(a, b);
      say(`- ${left}`);
      say(`+ ${right}`);
    }
  }
  return lines;
}

function wholeDescription({ name, description }: ListedTool, t: Translate): readonly string[] {
  const [head = '', ...more] = (description ?? '').split('\n');
  return [`${t('tool {0}', name)}: ${head}`, ...more.map((line) => `  ${line}`)];
}

/** The part in which two long texts differ, with a little around it. */
function changedPart(a: string, b: string): readonly [string, string] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const from = Math.max(0, start - 40);
  const cut = (text: string): string => {
    const to = Math.min(text.length, text.length - end + 40);
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  };
  return [cut(a), cut(b)];
}
