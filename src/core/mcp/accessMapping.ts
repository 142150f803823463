import type { Access, SideEffect } from '../access';
import { isObject } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { wordsOf } from '../inference';
import { matchesGlob } from './nameGlob';
import type { FileSystem, WorkspaceFolder } from '../ports/files';
import { accessLabel } from '../paths';
import { isToolError, toolError } from '../errors';

/** What an argument of a foreign tool touches: `fs.read`, several effects, or `none` for an argument that only looks like a path. */
export type ArgumentEffect = SideEffect | readonly SideEffect[];

/** By tool (a name or a glob), then by argument (its name or a JSON pointer): what the argument touches. Editable by the user. */
export type AccessMapping = Readonly<Record<string, Readonly<Record<string, ArgumentEffect>>>>;

export interface MappingFacts {
  readonly tool: string;
  readonly schema: JsonSchema;
  /** The tool's inferred side effects, from which the effect of a path argument follows. */
  readonly sideEffects: readonly SideEffect[];
  readonly readOnly: boolean;
  readonly mapping: AccessMapping;
  /** What names of arguments were found to mean, kept with the tool so that its next call need not take them apart again. */
  readonly roles?: Map<string, NameRole>;
}

const pathNames =
  /^(?:path|paths|file|files|filename|filenames|filepath|filepaths|dir|dirs|directory|directories|folder|folders|root|roots|cwd|workdir|source|src|destination|dest|dst|target|input|output|location|document|attachment|attachments)$/;
const urlNames = /^(?:url|urls|uri|uris|href|link|links|endpoint|website|site|host|hostname|domain)$/;
const commandNames = /^(?:command|commands|cmd|shell|script)$/;
/** Arguments that hold what is written, not where: their text is never taken for a place. */
const contentNames =
  /^(?:content|contents|text|body|message|description|prompt|query|pattern|regex|replace|replacement|newtext|oldtext|data|code|thought|observation|observations|title)$/;

const mostValues = 2000;
const longestValue = 4096;

type Role =
  | { readonly type: 'path' }
  | { readonly type: 'url' }
  | { readonly type: 'command' }
  | { readonly type: 'mapped'; readonly effects: readonly SideEffect[] };

/** The side effects that a schema's arguments show, for inference: a tool with a `path` reads files at least. */
export function argumentEffects(schema: JsonSchema): readonly SideEffect[] {
  const found = new Set<SideEffect>();
  const walk = (value: unknown, name: string, depth: number): void => {
    if (!isObject(value) || depth > 8) return;
    if (isObject(value['properties'])) for (const [key, inner] of Object.entries(value['properties'])) walk(inner, key, depth + 1);
    if (value['items'] !== undefined) walk(value['items'], name, depth + 1);
    if (name === '' || value['type'] === 'number' || value['type'] === 'boolean' || value['type'] === 'integer') return;
    const role = roleByName(name, value['format']);
    if (role === 'path') found.add('fs.read');
    if (role === 'url') found.add('network.http');
    if (role === 'command') found.add('system.exec');
  };
  walk(schema, '', 0);
  return [...found];
}

type NameRole = 'path' | 'url' | 'command' | 'content' | undefined;

/** More names than this in one tool are made up by its callers. */
const mostNames = 500;

function keptRole(name: string, format: unknown, roles: Map<string, NameRole> | undefined): NameRole {
  if (!roles) return roleByName(name, format);
  const key = `${typeof format === 'string' ? format : ''}\0${name}`;
  const known = roles.get(key);
  if (known !== undefined || roles.has(key)) return known;
  const role = roleByName(name, format);
  if (roles.size < mostNames) roles.set(key, role);
  return role;
}

function roleByName(name: string, format: unknown): NameRole {
  if (format === 'uri' || format === 'url' || format === 'iri' || format === 'uri-reference') return 'url';
  if (format === 'path' || format === 'file-path' || format === 'directory-path') return 'path';
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const joined = words.join('');
  if (contentNames.test(last) || contentNames.test(joined)) return 'content';
  if (urlNames.test(last) || urlNames.test(joined)) return 'url';
  if (commandNames.test(last)) return 'command';
  if (pathNames.test(last) || pathNames.test(joined)) return 'path';
  return undefined;
}

/**
 * The accesses of one call of a foreign tool: every argument that is a path, a URL or a command line by the user's mapping, its schema, its
 * name or its value. Paths become labels of the workspace where they lie inside, so that one rule guards a file whoever reads it; both the
 * path as written and where its links lead are judged.
 */
export async function foreignAccesses(
  facts: MappingFacts,
  input: unknown,
  files: FileSystem,
  cwd: string | undefined,
): Promise<readonly Access[]> {
  const out: Access[] = [];
  const seen = new Set<string>();
  const add = (access: Access): void => {
    const key = `${access.effect}\0${access.resource}`;
    if (seen.has(key)) return;
    seen.add(key);
    out.push(access);
  };
  let values = 0;
  const rules = Object.entries(facts.mapping).filter(([tool]) => matchesGlob(tool, facts.tool));
  const mapped = (pointer: string, name: string): readonly SideEffect[] | undefined => {
    for (const [, table] of rules) {
      const found = Object.hasOwn(table, pointer) ? table[pointer] : Object.hasOwn(table, name) ? table[name] : undefined;
      if (found !== undefined) return typeof found === 'string' ? [found] : found;
    }
    return undefined;
  };
  const visit = async (value: unknown, name: string, pointer: string, schema: unknown): Promise<void> => {
    if (Array.isArray(value)) {
      for (const item of value) await visit(item, name, pointer, isObject(schema) ? schema['items'] : undefined);
      return;
    }
    if (isObject(value)) {
      const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
      for (const [key, item] of Object.entries(value))
        await visit(item, key, `${pointer}/${key}`, Object.hasOwn(properties, key) ? properties[key] : undefined);
      return;
    }
    if (typeof value !== 'string' || value === '') return;
    if (++values > mostValues) throw toolError('too_large', `the call has more than ${mostValues} text arguments, too many to judge`);
    const format = isObject(schema) ? schema['format'] : undefined;
    const role = roleOf(mapped(pointer, name), keptRole(name, format, facts.roles), value, files.folders());
    if (!role) return;
    for (const access of await accessesOf(role, value, facts, name, files, cwd)) add(access);
  };
  await visit(input, '', '', facts.schema);
  return out;
}

function roleOf(
  mapped: readonly SideEffect[] | undefined,
  byName: NameRole,
  value: string,
  folders: readonly WorkspaceFolder[],
): Role | undefined {
  if (mapped) return mapped.includes('none') ? undefined : { type: 'mapped', effects: mapped };
  const oneLine = value.length <= longestValue && !value.includes('\n');
  if (byName === 'content') return undefined;
  if (byName === 'command') return { type: 'command' };
  if (oneLine && /^(?:https?|wss?|ftp):\/\//i.test(value.trim())) return { type: 'url' };
  if (oneLine && /^file:\/\//i.test(value.trim())) return { type: 'path' };
  if (byName === 'url') return { type: 'url' };
  if (byName === 'path') return { type: 'path' };
  // By value alone: only what lies inside the workspace or plainly names a file relative to something.
  if (oneLine && (/^(?:~|\.{1,2})[/\\]/.test(value) || folders.some((folder) => isInside(value, folder.path)))) return { type: 'path' };
  if (oneLine && /(?:^|[/\\])\.[a-z][\w.-]*$/i.test(value)) return { type: 'path' };
  return undefined;
}

function isInside(value: string, root: string): boolean {
  const clean = value.replaceAll('\\', '/');
  const base = root.replaceAll('\\', '/').replace(/\/+$/, '');
  return base !== '' && (clean === base || clean.startsWith(`${base}/`));
}

async function accessesOf(
  role: Role,
  value: string,
  facts: MappingFacts,
  name: string,
  files: FileSystem,
  cwd: string | undefined,
): Promise<readonly Access[]> {
  switch (role.type) {
    case 'command':
      return [{ effect: 'system.exec', resource: value }];
    case 'url':
      return [urlAccess(value, facts.readOnly)];
    case 'path': {
      const effects = pathEffects(facts, name);
      return (await pathLabels(value, files, cwd)).flatMap((resource) => effects.map((effect) => ({ effect, resource })));
    }
    case 'mapped': {
      const out: Access[] = [];
      for (const effect of role.effects) {
        if (effect.startsWith('fs.')) for (const resource of await pathLabels(value, files, cwd)) out.push({ effect, resource });
        else if (effect.startsWith('network.')) out.push({ ...urlAccess(value, facts.readOnly), effect });
        else out.push({ effect, resource: value });
      }
      return out;
    }
  }
}

function urlAccess(value: string, readOnly: boolean): Access {
  return { effect: 'network.http', resource: value.trim(), ...(readOnly ? { method: 'GET' } : {}) };
}

/** What a path argument is used for, as far as the tool's effects and the argument's name say; a tool of unknown effect reads. */
function pathEffects(facts: MappingFacts, name: string): readonly SideEffect[] {
  if (facts.readOnly) return ['fs.read'];
  const words = wordsOf(name);
  const has = (effect: SideEffect): boolean => facts.sideEffects.includes(effect);
  const toolWords = wordsOf(facts.tool);
  const moves = toolWords.some((word) => word === 'move' || word === 'rename');
  if (words.some((word) => word === 'source' || word === 'src' || word === 'from')) {
    if (moves) return ['fs.read', 'fs.delete'];
    return has('fs.delete') ? ['fs.read', 'fs.delete'] : ['fs.read'];
  }
  if (words.some((word) => /^(?:destination|dest|dst|target|to|output)$/.test(word)) && (has('fs.write') || moves)) return ['fs.write'];
  const effects = (['fs.write', 'fs.delete', 'fs.chmod'] as const).filter(has);
  return effects.length > 0 ? [...(has('fs.write') ? ['fs.read'] : []), ...effects] : ['fs.read'];
}

/** How policy names a foreign path: relative to the workspace inside it, absolute outside. With where its links lead, if that differs. */
async function pathLabels(value: string, files: FileSystem, cwd: string | undefined): Promise<readonly string[]> {
  const text = plainPath(value);
  const absolute = absolutePath(text, cwd ?? files.folders()[0]?.path, files.style);
  if (absolute === undefined) return [text];
  const labels: string[] = [];
  for (const folder of files.folders()) {
    if (folder.scheme !== 'file' || !isInsideFolder(absolute, folder.path, files)) continue;
    const path = absolute.slice(folder.path.replace(/[/\\]+$/, '').length).replace(/^\/+/, '');
    labels.push(accessLabel({ folder, path }, files));
    try {
      const canonical = await files.canonical({ folder, path }, { follow: true });
      labels.push(accessLabel(canonical, files));
    } catch (error) {
      // A link that leads out of the workspace would make the label a lie; a path that is not there yet is judged as written.
      if (isToolError(error) && error.data.code === 'path_outside') throw error;
    }
  }
  return labels.length > 0 ? [...new Set(labels)] : [absolute];
}

function isInsideFolder(absolute: string, root: string, files: FileSystem): boolean {
  return files.caseInsensitive ? isInside(absolute.toLowerCase(), root.toLowerCase()) : isInside(absolute, root);
}

/** A `file:` URI as the path that it names; everything else as it is. */
function plainPath(value: string): string {
  const match = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(value.trim());
  if (!match) return value;
  const path = match[1] ?? '';
  try {
    return decodeURIComponent(path).replace(/^\/([a-z]:)/i, '$1');
  } catch {
    return path;
  }
}

/** Resolves `.` and `..` against the server's folder; undefined where there is nothing to resolve against. */
function absolutePath(text: string, base: string | undefined, style: 'posix' | 'windows'): string | undefined {
  const slashes = style === 'windows' ? text.replaceAll('\\', '/') : text;
  const isAbsolute = slashes.startsWith('/') || (style === 'windows' && /^[a-z]:\//i.test(slashes));
  if (slashes.startsWith('~')) return slashes;
  if (!isAbsolute && base === undefined) return undefined;
  const whole = isAbsolute ? slashes : `${(base ?? '').replaceAll('\\', '/')}/${slashes}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `${whole.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
