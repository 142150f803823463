import type { SideEffect } from '../vocabulary/access';
import { isObject } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { isInside } from '../files/isInside';
import type { TextUse } from '../places/mentions';
import { wordsOf } from '../vocabulary/names';
import type { WorkspaceFolder } from '../ports/workspacePath';

const pathNames =
  /^(?:path|paths|file|files|filename|filenames|filepath|filepaths|dir|dirs|directory|directories|folder|folders|root|roots|cwd|workdir|source|src|destination|dest|dst|target|input|output|location|document|attachment|attachments)$/;
const urlNames = /^(?:url|urls|uri|uris|href|link|links|endpoint|website|site|host|hostname|domain)$/;
const commandNames = /^(?:command|commands|cmd|shell|script)$/;
/** Arguments that hold what is written, not where: their text is never taken for a place. */
const contentNames =
  /^(?:content|contents|text|body|message|description|prompt|query|pattern|regex|replace|replacement|newtext|oldtext|data|code|thought|observation|observations|title)$/;

/** Names of arguments whose text is stored or shown, and so leads nowhere unless it holds a URL. */
const inertNames =
  /^(?:content|contents|text|body|message|description|replace|replacement|newtext|oldtext|thought|observation|observations|title|comment|comments|summary|subject|note|notes|reason|markdown|html|css|xml|csv|json|diff|patch|snippet|label|labels|details|caption|answer|reply|readme|changelog|documentation|details)$/;
/** Names of arguments that hold a host without a scheme, beside those that hold URLs. */
const hostNames =
  /^(?:ip|ips|addr|address|addresses|server|servers|proxy|gateway|dns|peer|upstream|webhook|callback|remote|origin)$/;

export type Role =
  { readonly type: 'path' | 'url' | 'command' } | { readonly type: 'mapped'; readonly effects: readonly SideEffect[] };

const roleEffects: Readonly<Partial<Record<string, SideEffect>>> = {
  path: 'fs.read',
  url: 'network.http',
  command: 'system.exec',
};

/** The side effects that a schema's arguments show, for inference: a tool with a `path` reads files at least. */
export function argumentEffects(schema: JsonSchema): readonly SideEffect[] {
  const found = new Set<SideEffect>();
  const walk = (value: unknown, name: string, depth: number): void => {
    if (!isObject(value) || depth > 8) return;
    if (isObject(value['properties']))
      for (const [key, inner] of Object.entries(value['properties'])) walk(inner, key, depth + 1);
    if (value['items'] !== undefined) walk(value['items'], name, depth + 1);
    if (name === '' || value['type'] === 'number' || value['type'] === 'boolean' || value['type'] === 'integer') return;
    const effect = roleEffects[roleByName(name, value['format']) ?? 'content'];
    if (effect) found.add(effect);
  };
  walk(schema, '', 0);
  return [...found];
}

export type NameRole = 'path' | 'url' | 'command' | 'content' | undefined;

/** More names than this in one tool are made up by its callers. */
const mostNames = 500;

export function keptRole(name: string, format: unknown, roles: Map<string, NameRole> | undefined): NameRole {
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

/** Longer text is no place as a whole. */
export const longestValue = 4096;

/** Tells whether a name says that the argument is a host or an address. */
export function namesHost(name: string): boolean {
  return hostNames.test(wordsOf(name).at(-1) ?? '');
}

export function isInert(name: string): boolean {
  const words = wordsOf(name);
  // A `string` by itself is any text; a `connectionString` is none.
  return (
    inertNames.test(words.at(-1) ?? '') || inertNames.test(words.join('')) || /^(?:str|strings?)$/.test(words.join(''))
  );
}

/** A prompt, a query or code is read by something, though it is no place as a whole. */
export const inertOr = (name: string): TextUse => (isInert(name) ? 'inert' : 'acting');

/** What an argument is by the user's mapping, its name or its value; undefined where it is no place by itself. */
export function roleOf(
  mapped: readonly SideEffect[] | undefined,
  { name, byName }: { readonly name: string; readonly byName: NameRole },
  value: string,
  folders: readonly WorkspaceFolder[],
): Role | undefined {
  if (mapped) return { type: 'mapped', effects: mapped };
  const oneLine = value.length <= longestValue && !value.includes('\n');
  // A remark that begins with a URL is more than that.
  if (byName === 'content' || (byName === undefined && isInert(name) && /\s/.test(value.trim()))) return undefined;
  if (byName === 'command') return { type: 'command' };
  const type = (value.length <= longestValue ? urlType(value) : undefined) ?? byName;
  if (type) return { type };
  // By value alone: only what lies inside the workspace or plainly names a file relative to something.
  const isPath =
    /^(?:~|\.{1,2})[/\\]|(?<![^/\\])\.[a-z][\w.-]*$/i.test(value) ||
    folders.some((folder) => isInside(value, folder.path));
  return oneLine && isPath ? { type: 'path' } : undefined;
}

/** What text is that is a URL as a whole, whatever it holds that the parser drops: one of a file names a path. */
function urlType(value: string): 'path' | 'url' | undefined {
  const clean = value.trim().replace(/[\t\n\r]/g, '');
  const [, scheme, slashes = ''] = /^(https?|wss?|ftp|file):([\\/]*)/i.exec(clean) ?? [];
  if (scheme === undefined) return undefined;
  // Words after a colon (`file: see below`) are no URL, and prose that begins with one is more than that.
  if (/\s/.test(clean) && (slashes.length < 2 || value.includes('\n'))) return undefined;
  return scheme.toLowerCase() === 'file' ? 'path' : 'url';
}
