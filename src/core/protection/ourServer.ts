import { isObject } from '../base/json';
import type { Agent } from './agents';
import { tomlValue } from './codexTrust';
import { jsonValue } from './jsonEntry';
import { serverPlaces } from './serverPlaces';

/** The files, absolute, in which an agent looks for servers. */
export function serverFiles({ id }: Agent, home: string, folders: readonly string[]): readonly string[] {
  const { home: own, folder } = serverPlaces[id];
  return [...own.map((file) => `${home}/${file}`), ...folders.flatMap((one) => folder.map((file) => `${one}/${file}`))];
}

const tables = ['mcpServers', 'mcp_servers', 'servers', 'mcp'];

/** True where a file of servers starts `agent-capabilities serve`, by that name or from another folder. */
export function startsOurServer(text: string, path: string): boolean {
  const read = path.endsWith('.toml') ? tomlValue(text) : jsonValue(text);
  if ('code' in read || !isObject(read.value)) return false;
  const root = read.value;
  return tables.some((name) => {
    const servers = Object.hasOwn(root, name) ? root[name] : undefined;
    return isObject(servers) && Object.entries(servers).some(([key, server]) => isOurs(key, server));
  });
}

function isOurs(name: string, server: unknown): boolean {
  if (!isObject(server) || server['disabled'] === true || server['enabled'] === false) return false;
  const { command, args } = server;
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  return words.includes('serve') && (name === 'agent-capabilities' || words.some((word) => word.includes('agent-cap')));
}
