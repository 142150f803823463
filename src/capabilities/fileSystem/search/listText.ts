import { trimmedEnd } from '../../../core/base/text';
import { isObject, type Json, type JsonObject } from '../../../core/base/json';
import { breaksLine, factsOf, objectsIn } from '../shared/modelText';

/** Entries of a folder, one a line: folders end in `/`, what is in them stands indented below them. */
export function directoryText(payload: JsonObject): string | undefined {
  const { path, count, tree, total, total_size_bytes, next_cursor, note } = payload;
  const entries = objectsIn(payload['entries']);
  if (typeof path !== 'string' || !entries) return undefined;
  const lines: string[] = [];
  // At the root the names are paths, as calls take them.
  const open: string[] = [path === '/' ? '' : `${path}/`];
  for (const entry of entries) {
    if (typeof entry['path'] !== 'string') return undefined;
    const at = open.findLastIndex((folder) => isDirectlyIn(String(entry['path']), folder));
    open.length = Math.max(1, at + 1);
    const name = nameBelow(entry['path'], open.at(-1) ?? '');
    if (breaksLine(name) || /^\s|^\[.*\]$/.test(name)) return undefined;
    lines.push(`${'  '.repeat(open.length - 1)}${name}${kindOf(entry)}`);
    if (entry['is_directory'] === true) open.push(`${entry['path']}/`);
  }
  const shown = typeof tree === 'string' ? tree : lines.join('\n');
  return lastLine(shown === '' ? 'empty' : shown, {
    ...(total === count ? {} : { total }),
    total_size_bytes,
    next_cursor,
    note,
    ...leftOut(payload),
  });
}

const isDirectlyIn = (path: string, folder: string): boolean =>
  path.startsWith(folder) && !path.slice(folder.length).includes('/');

const nameBelow = (path: string, folder: string): string =>
  path.startsWith(folder) ? path.slice(folder.length) : path;

function kindOf({ is_directory, type, size_bytes, modified_at, ignored }: JsonObject): string {
  const size = size_bytes === undefined ? undefined : `${String(size_bytes)} bytes`;
  const said = [type, size, modified_at, ignored === true ? 'ignored' : undefined].filter((fact) => fact !== undefined);
  return `${is_directory === true ? '/' : ''}${said.length === 0 ? '' : `  (${said.join(', ')})`}`;
}

/** From so many files of a folder on, it is named once. */
const manyInFolder = 3;

/** Paths, one a line; below a line that ends in `/`, names of files in that folder. */
export function pathsText(payload: JsonObject): string | undefined {
  const { files, count, total, next_cursor, note } = payload;
  if (!Array.isArray(files)) return undefined;
  const byFolder: { readonly folder: string; readonly names: string[] }[] = [];
  for (const path of files) {
    if (typeof path !== 'string' || breaksLine(path) || path.endsWith('/')) return undefined;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const last = byFolder.at(-1);
    if (last?.folder === folder) last.names.push(path.slice(folder.length));
    else byFolder.push({ folder, names: [path.slice(folder.length)] });
  }
  const lines = byFolder.flatMap(({ folder, names }) =>
    names.length >= manyInFolder ? [folder, ...names] : names.map((name) => `${folder}${name}`),
  );
  if (lines.some((line) => /^\[.*\]$/.test(line))) return undefined;
  const all = { ...(total === count ? {} : { total }), next_cursor, note, ...leftOut(payload) };
  return lastLine(lines.length === 0 ? 'nothing matches' : lines.join('\n'), all);
}

/** Matches below the path of their file, each `line:text`; lines around them `line-text`. */
export function matchesText(payload: JsonObject): string | undefined {
  const { match_count, total_matches, next_cursor, note } = payload;
  const matches = objectsIn(payload['matches']);
  if (!matches) return undefined;
  const lines: string[] = [];
  let current: Json | undefined;
  for (const match of matches) {
    const { path, line, text, before = [], after = [] } = match;
    if (typeof path !== 'string' || breaksLine(path) || typeof line !== 'number') return undefined;
    if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
    if (path !== current) lines.push(path);
    current = path;
    for (const [at, one] of before.entries()) lines.push(`${line - before.length + at}-${oneLine(one)}`);
    lines.push(`${line}:${oneLine(text)}`);
    for (const [at, one] of after.entries()) lines.push(`${line + 1 + at}-${oneLine(one)}`);
  }
  return lastLine(lines.length === 0 ? 'nothing matches' : lines.join('\n'), {
    ...(total_matches === match_count ? {} : { total_matches }),
    next_cursor,
    note,
    ...leftOut(payload),
  });
}

/** A line of a file as one line: a lone carriage return or a line separator in it would look like two. */
const oneLine = (text: Json | undefined): string =>
  trimmedEnd(String(text), '\r\n').replace(/[\r\n\u2028\u2029\u0085]/g, ' ');

function lastLine(text: string, facts: JsonObject): string {
  const line = factsOf(facts);
  return line === '' ? text : `${text}\n[${line}]`;
}

/** What was kept from the model, in words. */
function leftOut({ left_out }: JsonObject): JsonObject {
  if (!Array.isArray(left_out)) return {};
  const counts = left_out.map((one: Json) =>
    isObject(one) ? `${String(one['count'])} (${String(one['reason'])})` : String(one),
  );
  return { left_out: counts.join(', ') };
}
