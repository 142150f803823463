import type { SecretStore } from './platform';

/** Names of secrets that are the extension's own: the admin token's hash, the key of the audit. */
const ownPrefix = 'agentCapabilities.';

/**
 * The secrets as tools, definitions, servers and probes see them: what `${secret:NAME}` may name. The extension's own
 * are not there, so that no approved definition can send them anywhere.
 */
export function withoutOwnSecrets(secrets: SecretStore): SecretStore {
  return {
    get: async (name) => (name.startsWith(ownPrefix) ? undefined : secrets.get(name)),
    async set(name, value) {
      if (name.startsWith(ownPrefix))
        throw new Error(`secrets whose names start with ${ownPrefix} are the extension's own`);
      await secrets.set(name, value);
    },
    names: async () => (await secrets.names()).filter((name) => !name.startsWith(ownPrefix)),
  };
}
