import type { KeyValueStore, SecretStore } from '../../ports/platform';
import { adminHashName } from './adminToken';

/** Secrets that keep the admin token's hash in a store, for who has no secret storage that lasts. */
export function withAdminHash(secrets: SecretStore, kept: KeyValueStore): SecretStore {
  return {
    async get(name) {
      if (name !== adminHashName) return secrets.get(name);
      const hash = kept.get(name);
      return typeof hash === 'string' ? hash : undefined;
    },
    set: async (name, value) => (name === adminHashName ? kept.set(name, value) : secrets.set(name, value)),
    names: () => secrets.names(),
  };
}
