import { ownValue } from '../base/json';
import type { SecretStore } from '../ports/platform';
import { say } from '../base/sentence';
import { refusal } from '../vocabulary/errors';
import { holdsSecret, referencesOf } from './references';

export interface FillInOptions {
  readonly secrets: Pick<SecretStore, 'get'>;
  readonly workspaceFolder: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Fills `${secret:NAME}`, `${env:NAME}`, `${workspaceFolder}` and `${userHome}` into a text of a server's entry, just
 * before it is used. A secret that is not set fails with its name, never with a value; what else stands in `${…}` stays
 * as it is.
 */
export async function fillIn(text: string, options: FillInOptions): Promise<string> {
  let out = '';
  let at = 0;
  for (const { type, name, whole, at: from } of referencesOf(text)) {
    if (type === 'unknown') continue;
    out += text.slice(at, from);
    at = from + whole.length;
    if (type === 'secret') {
      const value = await options.secrets.get(name);
      if (value === undefined) throw refusal('requirement_failed', say('mcp_secret_not_set', name));
      out += value;
    } else if (type === 'env') out += ownValue(options.environment, name) ?? '';
    else out += placeOf(type, options) ?? whole;
  }
  return out + text.slice(at);
}

/** Fills in the places alone, which are no secrets: what an approval shows and binds. */
export function fillPlaces(text: string, options: Omit<FillInOptions, 'secrets'>): string {
  let out = text;
  for (const { type, whole } of referencesOf(text))
    if (type === 'workspaceFolder' || type === 'userHome')
      out = out.replace(whole, () => placeOf(type, options) ?? whole);
  return out;
}

/**
 * What a text may come to, to look for the files that it names: with the variables of the environment, and with a
 * secret, whose value nobody reads for this, as nothing and as a plain word.
 */
export function likelyTexts(text: string, options: Omit<FillInOptions, 'secrets'>): readonly string[] {
  const filled = fillPlaces(text, options);
  const known = filled.replace(
    /\$\{env:([^}]*)\}/g,
    (_whole, name: string) => ownValue(options.environment, name) ?? '',
  );
  if (!holdsSecret(filled)) return [filled];
  return [...new Set(['', 'secret'].map((secret) => known.replace(/\$\{secret:[^}]*\}/g, secret)))];
}

function placeOf(type: 'workspaceFolder' | 'userHome', options: Omit<FillInOptions, 'secrets'>): string | undefined {
  return type === 'workspaceFolder'
    ? options.workspaceFolder
    : (options.environment['HOME'] ?? options.environment['USERPROFILE']);
}

/** Fills in every value of a record. */
export async function fillInAll(
  record: Readonly<Record<string, string>>,
  options: FillInOptions,
): Promise<Record<string, string>> {
  const out: Record<string, string> = {};
  for (const [key, value] of Object.entries(record)) out[key] = await fillIn(value, options);
  return out;
}
