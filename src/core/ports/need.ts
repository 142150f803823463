import { say, type Sentence } from '../base/sentence';
import { notAvailable } from '../vocabulary/errors';
import type { Missing } from '../vocabulary/missing';
import { secretMissing } from '../vocabulary/template';
import type { SecretStore } from './platform';

/** What a port is for that only some surfaces have. */
type PortUse = 'changes' | 'commands' | 'databases' | 'mail' | 'modules' | 'notifier' | 'programs' | 'sandbox';

/** Why a port is not there. */
const absent = (use: PortUse): Sentence => say('port_absent', say(`port_${use}`));

/** Answers a port that only some surfaces have, or throws the error that says so. */
export function need<T>(port: T | undefined, tool: string, use: PortUse): T {
  if (port === undefined) throw notAvailable(tool, absent(use));
  return port;
}

/** The same for whoever asks what is missing, before there is a call. */
export const missingPort = (port: unknown, use: PortUse): readonly Missing[] =>
  port === undefined ? [{ kind: 'surface', name: 'editor', why: absent(use) }] : [];

/** Secrets that are named and not set. */
export async function missingSecrets(names: readonly string[], secrets: SecretStore): Promise<readonly Missing[]> {
  const found = await Promise.all(
    names.map(async (name) => ({ name, isSet: (await secrets.get(name)) !== undefined })),
  );
  return found.flatMap(({ name, isSet }) => (isSet ? [] : [{ kind: 'secret', name, why: secretMissing(name).said }]));
}
