import { isObject, type JsonObject, sanitizeJson } from '../base/json';
import { parse, type ParseError } from 'jsonc-parser';
import { parseProfile, type Profile, profileToJson, resolveProfile } from './profile';
import type { Problem } from '../base/problem';
import { offeredTools } from './offeredTools';
import type { Permission } from '../vocabulary/toolDefinition';
import { plainWords, type Translate } from '../base/translate';
import type { CapabilityRegistry } from '../registry/registry';

/** The mark and version of the one file in which a profile is shared. */
const formatKey = 'agentCapabilitiesProfile';
const formatVersion = 1;

/** Writes a profile as the one file in which it is shared. */
export function exportProfile(profile: Profile): string {
  const value: JsonObject = {
    [formatKey]: formatVersion,
    id: profile.id,
    profile: { ...profileToJson(profile), name: profile.name },
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

type ImportedProfile =
  | { readonly ok: true; readonly profile: Profile; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly message: string };

/** Reads a shared profile. Nothing of it counts until a person has seen what it grants. */
export function readProfileFile(text: string): ImportedProfile {
  const errors: ParseError[] = [];
  let raw: unknown;
  try {
    raw = sanitizeJson(parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true }));
  } catch {
    return { ok: false, message: 'the file is nested too deep' };
  }
  const first = errors[0];
  if (first)
    return {
      ok: false,
      message: `the file is not JSON; the fault is in line ${text.slice(0, first.offset).split('\n').length}`,
    };
  if (!isObject(raw) || raw[formatKey] === undefined)
    return { ok: false, message: `the file is not an exported profile: it has no \`${formatKey}\`` };
  if (raw[formatKey] !== formatVersion)
    return {
      ok: false,
      message: `the file has version ${JSON.stringify(raw[formatKey])} of the format, and this extension reads version ${formatVersion}`,
    };
  const { id, profile } = raw;
  if (typeof id !== 'string' || !isProfileId(id))
    return {
      ok: false,
      message: `the file's \`id\` must be letters, digits, \`_\` and \`-\` (got ${JSON.stringify(id)})`,
    };
  if (!isObject(profile)) return { ok: false, message: "the file's `profile` must be an object" };
  const parsed = parseProfile(id, profile, 'user');
  return { ok: true, profile: parsed.value, problems: parsed.problems };
}

export function isProfileId(id: string): boolean {
  return /^[A-Za-z][\w-]{0,63}$/.test(id) && id !== 'constructor' && id !== 'prototype';
}

/** Makes an id of a name, which no profile has yet: `My Reviewer` → `myReviewer`, `myReviewer2`. */
export function profileIdFor(name: string, taken: { has(id: string): boolean }): string {
  const words =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
  const base = /^[a-z]/i.test(joined) ? joined.slice(0, 56) : `profile${joined}`.slice(0, 56);
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}${number}`;
    if (!taken.has(id) && isProfileId(id)) return id;
  }
}

/** What a profile would let agents do, in lines for a person who decides about it. */
export function grantLines(
  profile: Profile,
  registry: CapabilityRegistry,
  t: Translate = plainWords,
): readonly string[] {
  const resolved = resolveProfile(profile, registry);
  const tools = offeredTools(resolved);
  const named = (permission: Permission): readonly string[] =>
    tools.filter((tool) => tool.definition.permissions.agent === permission).map((tool) => tool.definition.name);
  const asks = named('confirmation_required');
  const free = named('allowed');
  const listed = (words: readonly string[]): string => words.join(', ') || t('none');
  return [
    t('Mode: {0}', profile.mode),
    t('Runs without asking ({0}): {1}', free.length, listed(free)),
    t('Asks first ({0}): {1}', asks.length, listed(asks)),
    t('Scopes: {0}', listed([...resolved.scopes])),
    ...(profile.systemPrompt === '' ? [] : [t('Base prompt: {0} characters', profile.systemPrompt.length)]),
    ...(profile.systemPromptFile === undefined ? [] : [t('Base prompt from the file {0}', profile.systemPromptFile)]),
    ...resolved.problems.map((problem) => t('Problem: {0}', problem.message)),
  ];
}
