import { notAvailable } from '../vocabulary/errors';
import type { Missing } from '../vocabulary/missing';
import { secretMissing } from '../vocabulary/template';
import type { SecretStore } from './platform';

/** Why a port is not there. */
const absent = (what: string): string => `${what} is not available here; use the editor`;

/** Answers a port that only some surfaces have, or throws the error that says so. */
export function need<T>(port: T | undefined, tool: string, what: string): T {
  if (port === undefined) throw notAvailable(tool, absent(what));
  return port;
}

/** The same for whoever asks what is missing, before there is a call. */
export const missingPort = (port: unknown, what: string): readonly Missing[] =>
  port === undefined ? [{ kind: 'surface', name: 'editor', why: absent(what) }] : [];

/** Secrets that are named and not set. */
export async function missingSecrets(names: readonly string[], secrets: SecretStore): Promise<readonly Missing[]> {
  const found = await Promise.all(
    names.map(async (name) => ({ name, isSet: (await secrets.get(name)) !== undefined })),
  );
  return found.flatMap(({ name, isSet }) =>
    isSet ? [] : [{ kind: 'secret', name, why: secretMissing(name).data.message }],
  );
}
