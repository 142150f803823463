import type { SecretStore } from '../ports';
import { toolError } from '../errors';

export interface FillInOptions {
  readonly secrets: Pick<SecretStore, 'get'>;
  readonly workspaceFolder: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Fills `${secret:NAME}`, `${env:NAME}`, `${workspaceFolder}` and `${userHome}` into a text of a server's entry, just before it is used.
 * A secret that is not set fails with its name, never with a value; what else stands in `${…}` stays as it is.
 */
export async function fillIn(text: string, options: FillInOptions): Promise<string> {
  if (!text.includes('${')) return text;
  let out = '';
  let at = 0;
  for (const match of text.matchAll(/\$\{(?:(secret|env):([^}]*)|(workspaceFolder|userHome))\}/g)) {
    out += text.slice(at, match.index);
    at = match.index + match[0].length;
    const [whole, type, name = '', plain] = match;
    if (type === 'secret') {
      const value = await options.secrets.get(name);
      if (value === undefined) throw toolError('requirement_failed', `the secret \`${name}\` is not set; ask the user to set it`);
      out += value;
    } else if (type === 'env') out += options.environment[name] ?? '';
    else if (plain === 'workspaceFolder') out += options.workspaceFolder ?? whole;
    else out += options.environment['HOME'] ?? options.environment['USERPROFILE'] ?? whole;
  }
  return out + text.slice(at);
}

/** Fills in every value of a record. */
export async function fillInAll(record: Readonly<Record<string, string>>, options: FillInOptions): Promise<Record<string, string>> {
  const out: Record<string, string> = {};
  for (const [key, value] of Object.entries(record)) out[key] = await fillIn(value, options);
  return out;
}
