import { isObject, type Json } from '../base/json';
import { parseJsonc } from '../base/jsonc';
import { editJsonc, styleOf, valueOf } from '../base/jsoncEdit';
import { say, type Sentence } from '../base/sentence';
import { placeOf, type UserFolders } from '../vocabulary/agentPlaces';
import type { ClientConfiguration, ClientName } from './clientConfiguration';

/** The file in which a client keeps its servers; undefined for a client of which only the command is known. */
export function clientFile(
  client: ClientName,
  { workspace, user }: { readonly workspace: string; readonly user: UserFolders },
): string | undefined {
  const files = {
    'claude-code': `${workspace}/.mcp.json`,
    codex: placeOf('codex', user, '.codex/config.toml'),
    'copilot-cli': placeOf('copilot', user, '.copilot/mcp-config.json'),
    generic: undefined,
  };
  return files[client];
}

/**
 * The client's file with our server in it, and nothing else changed: comments, other servers and the order stay.
 * A file that cannot be read is left alone, with what is wrong with it.
 */
export function mergedClientFile(
  configuration: ClientConfiguration,
  before: string,
): { readonly text: string } | { readonly fault: Sentence } {
  return configuration.language === 'toml'
    ? mergedToml(configuration.text, before)
    : mergedJson(configuration.text, before);
}

function mergedJson(wanted: string, before: string): { readonly text: string } | { readonly fault: Sentence } {
  if (before.trim() === '') return { text: wanted };
  const { root: tree, faults } = parseJsonc(before);
  if (faults[0]) return { fault: say('fault_at', faults[0].said, faults[0].offset) };
  const root = tree && valueOf(tree);
  if (!isObject(root)) return { fault: say('client_file_no_object') };
  if (root['mcpServers'] !== undefined && !isObject(root['mcpServers']))
    return { fault: say('client_file_servers_no_object') };
  const ours: unknown = JSON.parse(wanted);
  const servers = isObject(ours) && isObject(ours['mcpServers']) ? ours['mcpServers'] : {};
  const merged = { ...root, mcpServers: { ...root['mcpServers'], ...servers } };
  // Safe: both were read from JSON.
  return { text: editJsonc(before, merged as Json, styleOf(before), '') };
}

/**
 * Replaces the table of our server, or adds it at the end. Only its header line is looked for: the rest of the file is
 * not read.
 */
function mergedToml(wanted: string, before: string): { readonly text: string } {
  const header = wanted.split('\n')[0] ?? '';
  const lines = before.split('\n');
  const from = lines.findIndex((line) => line.trim() === header);
  if (from < 0) {
    const head = before.trimEnd();
    return { text: head === '' ? wanted : `${head}\n\n${wanted}` };
  }
  const after = lines.findIndex((line, index) => index > from && /^\s*\[/.test(line));
  const rest = after < 0 ? [] : lines.slice(after);
  const head = lines.slice(0, from).join('\n');
  return { text: `${head}${head === '' ? '' : '\n'}${wanted}${rest.length > 0 ? `\n${rest.join('\n')}` : ''}` };
}
