import { placeOf, type UserFolders } from '../vocabulary/agentPlaces';
import type { Agent, SwitchPlace } from './agents';
import { tomlValue } from './codexTrust';
import { jsonValue, valueUnder } from './jsonEntry';

/** A place that switches an agent's hooks off now. */
export interface SwitchedOff {
  readonly path: string;
  readonly key: string;
  readonly of: SwitchPlace['of'];
}

/** Every file in which an agent's hooks can be switched off, absolute, for who watches them. */
export function switchFiles(agent: Agent, user: UserFolders, folders: readonly string[]): readonly string[] {
  return [...new Set(agent.switches.flatMap((place) => pathsOf(agent, place, user, folders)))];
}

/**
 * Where hooks are switched off, by the user or by a repository.
 * @param read answers a file's text, undefined where there is none or it cannot be read.
 */
export function switchedOff(
  agent: Agent,
  user: UserFolders,
  folders: readonly string[],
  read: (path: string) => string | undefined,
): readonly SwitchedOff[] {
  return agent.switches.flatMap((place) =>
    pathsOf(agent, place, user, folders).flatMap((path) => {
      const text = read(path);
      return text !== undefined && valueAt(text, path, place.key) === place.off
        ? [{ path, key: place.key.join('.'), of: place.of }]
        : [];
    }),
  );
}

const pathsOf = (
  { id }: Agent,
  { file, of }: SwitchPlace,
  user: UserFolders,
  folders: readonly string[],
): readonly string[] => (of === 'user' ? [placeOf(id, user, file)] : folders.map((folder) => `${folder}/${file}`));

function valueAt(text: string, path: string, key: readonly string[]): unknown {
  const read = path.endsWith('.toml') ? tomlValue(text) : jsonValue(text);
  return 'code' in read ? undefined : valueUnder(read.value, ...key);
}
