import { parse } from 'smol-toml';
import { canonicalJson, isObject, type Json } from '../base/json';
import { say, type Sentence } from '../base/sentence';
import { valueUnder } from './jsonEntry';
import type { Insertion } from './textEdit';

/** A hook of Codex as far as its trust goes. */
export interface TrustedHook {
  /** As in the file of hooks: `PreToolUse`. */
  readonly event: string;
  /** The group's number among those of the event. */
  readonly group: number;
  readonly matcher?: string;
  readonly command: string;
  readonly timeoutSeconds: number;
}

const eventName = (event: string): string => event.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

/** What Codex calls a hook in its settings: the absolute path of the file, the event, the group, the place in it. */
export const trustKey = (hooksFile: string, { event, group }: TrustedHook): string =>
  `${hooksFile}:${eventName(event)}:${group}:0`;

/** The hash by which Codex knows a hook that its user looked at; it skips one without it, and says nothing. */
export function trustHash(hook: TrustedHook, sha256: (text: string) => string): string {
  const { event, matcher, command, timeoutSeconds } = hook;
  const hooks = [{ type: 'command', command, timeout: timeoutSeconds, async: false }];
  const known = { event_name: eventName(event), ...(matcher === undefined ? {} : { matcher }), hooks };
  return `sha256:${sha256(canonicalJson(known))}`;
}

/** The settings of Codex; why they cannot be read where they are broken. */
export function tomlValue(text: string): { readonly value: Readonly<Record<string, unknown>> } | Sentence {
  try {
    return { value: parse(text.replace(/^\ufeff/, '')) };
  } catch (error) {
    const line = isObject(error) && typeof error['line'] === 'number' ? error['line'] : 1;
    return say('entry_broken_toml', line);
  }
}

/**
 * The piece of text that makes Codex trust these hooks, put at the end of its settings. It is proven by reading what
 * comes of it: the same settings as before, and the hashes. A sentence says why that cannot be done.
 */
export function trustInsertion(
  text: string,
  trusted: readonly { readonly key: string; readonly hash: string }[],
): Insertion | Sentence {
  const before = tomlValue(text);
  if ('code' in before) return before;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const tables = trusted.map(
    ({ key, hash }) => `[hooks.state.${JSON.stringify(key)}]${eol}trusted_hash = "${hash}"${eol}`,
  );
  const start = text === '' || /^\ufeff$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
  const insertion = { at: text.length, text: start + tables.join(eol) };
  const after = tomlValue(text + insertion.text);
  if ('code' in after || !isSame(withTrust(before.value, trusted), after.value)) return say('entry_trust_unwritable');
  return insertion;
}

/** The hash that stands in the settings for a hook. */
export function trustedHash(settings: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const hash = valueUnder(settings, 'hooks', 'state', key, 'trusted_hash');
  return typeof hash === 'string' ? hash : undefined;
}

function withTrust(
  settings: Readonly<Record<string, unknown>>,
  trusted: readonly { readonly key: string; readonly hash: string }[],
): Readonly<Record<string, unknown>> {
  const hooks = valueUnder(settings, 'hooks');
  const state = valueUnder(settings, 'hooks', 'state');
  const added = Object.fromEntries(trusted.map(({ key, hash }) => [key, { trusted_hash: hash }]));
  return {
    ...settings,
    hooks: { ...(isObject(hooks) ? hooks : {}), state: { ...(isObject(state) ? state : {}), ...added } },
  };
}

/** Dates and large numbers of TOML are no JSON; as text they compare all the same. */
function isSame(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): Json =>
    JSON.parse(JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one))) as Json;
  return canonicalJson(plain(a)) === canonicalJson(plain(b));
}
