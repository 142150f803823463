import type { Disposable } from '../../core/base/lifecycle';
import type { SecretStore } from '../../core/ports/platform';
import type { CommandRuns } from './commandRuns';
import { lazily } from './lazily';

/**
 * Adds *Set Secret…*: keeps a value that definitions, servers and probes name as `${secret:NAME}` in the editor's
 * secret storage. An empty value removes the secret. The value is typed into a password box and shown nowhere.
 */
export function addSecretCommands(commands: CommandRuns, secrets: SecretStore): Disposable {
  const set = lazily(async () => (await import('./setSecret')).setSecret);
  return commands.add({ setSecret: (given?: unknown) => set(secrets, given) });
}
