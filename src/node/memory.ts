import type { Json } from '../core/base/json';
import type { KeyValueStore, SecretStore } from '../core/ports/platform';

/** Keeps values for the life of the process. The command line uses it where nothing may be left behind. */
export function memoryStore(): KeyValueStore {
  const values = new Map<string, Json>();
  return {
    get: (key) => values.get(key),
    async set(key, value) {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    },
  };
}

/**
 * Secrets of the command line: `AGENT_CAPABILITIES_SECRET_<NAME>` in the environment, the name in capitals with `_` for
 * all else. What is set lasts as long as the process.
 */
export function environmentSecrets(environment: NodeJS.ProcessEnv): SecretStore {
  const own = new Map<string, string>();
  const variable = (name: string): string =>
    `AGENT_CAPABILITIES_SECRET_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
  return {
    get: async (name) => own.get(name) ?? environment[variable(name)],
    async set(name, value) {
      if (value === undefined) own.delete(name);
      else own.set(name, value);
    },
    names: async () => [...own.keys()],
  };
}
