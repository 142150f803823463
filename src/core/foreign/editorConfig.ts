import { say, type Sentence } from '../base/sentence';
import { isObject, type Json, type JsonObject, sanitizeJson } from '../base/json';
import { got } from '../base/jsonReader';
import { parseServers } from './serverSpec';

/** A server of the editor's own configuration that can be taken over. */
export interface EditorServer {
  readonly name: string;
  /** The entry for `agentCapabilities.mcp.servers`. */
  readonly entry: JsonObject;
  /** What the person should know: inputs that became secrets, settings that do not carry over. */
  readonly notes: readonly Sentence[];
}

interface EditorServers {
  readonly servers: readonly EditorServer[];
  /** Entries that cannot be taken over, and why. */
  readonly faults: readonly Sentence[];
}

const carried = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth'] as const;

/**
 * Reads the value of an mcp.json, in the editor's shape (`servers`, `inputs`), the portable one (`mcpServers`), or bare
 * entries. `${input:name}` becomes `${secret:name}`: values that the editor asks for are secrets here. Nothing is
 * written; the caller asks first. What stands in a file of a workspace (`folder`) may say no more than an entry of the
 * workspace, and goes on meaning that folder: among the user's settings it would start whatever file of that name the
 * next workspace has.
 */
export function readEditorServers(value: unknown, folder?: string): EditorServers {
  if (!isObject(value)) return { servers: [], faults: [say('file_no_object', got(value))] };
  let clean: unknown;
  try {
    clean = sanitizeJson(value, 16);
  } catch {
    return { servers: [], faults: [say('file_too_deep')] };
  }
  const root: Readonly<Record<string, unknown>> = isObject(clean) ? clean : {};
  const table = isObject(root['servers']) ? root['servers'] : isObject(root['mcpServers']) ? root['mcpServers'] : root;
  const servers: EditorServer[] = [];
  const faults: Sentence[] = [];
  const take = (name: string, raw: Readonly<Record<string, unknown>>): void => {
    const { entry, notes } = carriedOver(raw, folder);
    const parsed = parseServers({ [name]: entry }, folder === undefined ? 'user' : 'workspace');
    if (parsed.servers.length > 0) servers.push({ name, entry, notes });
    else faults.push(parsed.problems[0]?.said ?? say('entry_unreadable', name));
  };
  for (const [name, raw] of Object.entries(table)) {
    if (isObject(raw)) {
      if (table !== root || raw['command'] !== undefined || raw['url'] !== undefined) take(name, raw);
    } else if (table !== root) faults.push(say('entry_fault', name, say('must_be', say('an_object'), got(raw))));
  }
  return { servers, faults };
}

/** One entry as our settings have it, with what the person should know of it. */
function carriedOver(
  raw: Readonly<Record<string, unknown>>,
  folder: string | undefined,
): { readonly entry: Record<string, Json>; readonly notes: readonly Sentence[] } {
  const notes: Sentence[] = [];
  const secrets = new Set<string>();
  const convert = (item: unknown): Json => {
    if (typeof item === 'string')
      return (folder === undefined ? item : item.replaceAll('${workspaceFolder}', () => folder)).replace(
        /\$\{input:([^}]+)\}/g,
        (_match, id: string) => {
          secrets.add(id);
          return `\${secret:${id}}`;
        },
      );
    if (Array.isArray(item)) return item.map(convert);
    if (isObject(item)) return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, convert(inner)]));
    // What is left of JSON: numbers, booleans, null.
    return item as Json;
  };
  const entry: Record<string, Json> = {};
  for (const key of carried) if (raw[key] !== undefined) entry[key] = convert(raw[key]);
  if (entry['type'] === 'local') entry['type'] = 'stdio';
  for (const key of Object.keys(raw))
    if (!carried.some((one) => one === key)) notes.push(say('setting_not_carried', key));
  for (const id of secrets) notes.push(say('input_becomes_secret', id));
  const isHere = folder !== undefined && entry['url'] === undefined;
  if (isHere) entry['cwd'] = folderIn(folder, entry['cwd']);
  return { entry, notes };
}

/** Where a server of a workspace's file starts, whichever workspace is open. */
function folderIn(folder: string, cwd: Json | undefined): Json {
  if (typeof cwd !== 'string' || cwd === '') return cwd === undefined || cwd === '' ? folder : cwd;
  return /^(?:[\\/~]|[A-Za-z]:|\$\{)/.test(cwd) ? cwd : `${folder}/${cwd}`;
}
