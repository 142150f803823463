import { forbiddenKeys, isObject, type JsonObject } from '../base/json';
import { readJsonDocument } from '../base/jsonDocument';
import { got, gotJson } from '../base/jsonReader';
import type { Problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import { parseProfile, type Profile, profileToJson } from './profile';

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
  | { readonly ok: false; readonly said: Sentence };

/** Reads a shared profile. Nothing of it counts until a person has seen what it grants. */
export function readProfileFile(text: string): ImportedProfile {
  const no = (said: Sentence): ImportedProfile => ({ ok: false, said });
  const { value: raw, problems } = readJsonDocument(text, '');
  const fault = problems.find((one) => one.severity === 'error');
  if (fault) return no(say('profile_file_no_json', fault.said, fault.line ?? 1));
  if (!isObject(raw) || raw[formatKey] === undefined) return no(say('profile_file_unmarked', formatKey));
  const { id, profile, [formatKey]: version } = raw;
  if (version !== formatVersion) return no(say('profile_file_version', gotJson(version), formatVersion));
  if (typeof id !== 'string' || !isProfileId(id)) return no(say('profile_file_id', gotJson(id)));
  if (!isObject(profile)) return no(say('profile_file_no_object', got(profile)));
  const parsed = parseProfile(id, profile, 'user');
  return { ok: true, profile: parsed.value, problems: parsed.problems };
}

export function isProfileId(id: string): boolean {
  return /^[A-Za-z][\w-]{0,63}$/.test(id) && !forbiddenKeys.has(id);
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
