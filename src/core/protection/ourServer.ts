import { isObject } from '../base/json';
import { placeOf, type UserFolders } from '../vocabulary/agentPlaces';
import type { Agent } from './agents';
import { tomlValue } from './codexTrust';
import { jsonValue } from './jsonEntry';
import { serverPlaces } from './serverPlaces';

/** The files, absolute, in which an agent looks for servers. */
export function serverFiles({ id }: Agent, user: UserFolders, folders: readonly string[]): readonly string[] {
  const { home, folder } = serverPlaces[id];
  return [
    ...home.map((file) => placeOf(id, user, file)),
    ...folders.flatMap((one) => folder.map((file) => `${one}/${file}`)),
  ];
}

const tables = ['mcpServers', 'mcp_servers', 'servers', 'mcp'];

/** True for a word of a command line that is the path of our own program, or finds it. */
export type IsOurProgram = (word: string) => boolean;

/**
 * True where a file of servers starts `agent-capabilities serve`: in the user's own file by that name or from a folder
 * of it, in one that a repository may have brought by our own program alone.
 * @param isOurProgram left out for the user's own file.
 */
export function startsOurServer(text: string, path: string, isOurProgram?: IsOurProgram): boolean {
  const read = path.endsWith('.toml') ? tomlValue(text) : jsonValue(text);
  if ('code' in read || !isObject(read.value)) return false;
  const root = read.value;
  return tables.some((name) => {
    const servers = Object.hasOwn(root, name) ? root[name] : undefined;
    return (
      isObject(servers) &&
      Object.entries(servers).some(([key, server]) => {
        if (!isObject(server) || server['disabled'] === true || server['enabled'] === false) return false;
        return isOurProgram ? isProven(server, isOurProgram) : isNamedOurs(key, server);
      })
    );
  });
}

type Server = Readonly<Record<string, unknown>>;

const wordsOf = ({ command, args }: Server): readonly string[] =>
  [command, args].flat().filter((word) => typeof word === 'string');

function isNamedOurs(name: string, server: Server): boolean {
  const words = wordsOf(server);
  return words.includes('serve') && (name === 'agent-capabilities' || words.some((word) => word.includes('agent-cap')));
}

/** What an entry may say beside its command line and start the same program: no environment, no folder of its own. */
const harmless: ReadonlySet<string> = new Set(['type', 'command', 'args', 'enabled', 'disabled', 'tools', 'timeout']);

function isProven(server: Server, isOurProgram: IsOurProgram): boolean {
  if (Object.keys(server).some((key) => !harmless.has(key))) return false;
  const words = wordsOf(server);
  const [program = '', verb, ...more] = words[0] === 'node' ? words.slice(1) : words;
  // With `--yes` nobody is asked.
  return isOurProgram(program) && verb === 'serve' && !more.includes('--yes');
}
