import { camelCase, canonicalJson, isObject, type Json, type JsonObject, ownValue } from '../base/json';
import { parseProfile, type Profile, type ProfileEntry, profileToJson } from './profile';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';

/** One change of a profile. Pure, so that a change can be shown before it is made and made again on a newer version. */
export type ProfileChange = (profile: Profile) => Profile;

function idOf(registry: CapabilityRegistry, ref: string): string {
  return registry.capability(ref)?.id ?? ref;
}

function indexOf(profile: Profile, registry: CapabilityRegistry, id: string): number {
  return profile.capabilities.findIndex((entry) => idOf(registry, entry.ref) === id);
}

function withEntry(
  profile: Profile,
  registry: CapabilityRegistry,
  id: string,
  change: (entry: ProfileEntry) => ProfileEntry,
): Profile {
  const at = indexOf(profile, registry, id);
  const entry = profile.capabilities[at] ?? { ref: id, enabled: false, tools: {}, config: {} };
  const changed = change(entry);
  if (at < 0) return { ...profile, capabilities: [...profile.capabilities, changed] };
  return { ...profile, capabilities: profile.capabilities.map((one, index) => (index === at ? changed : one)) };
}

/** True where the profile's own words leave none of the capability's tools on. */
function allOff(entry: ProfileEntry, registry: CapabilityRegistry, id: string): boolean {
  const tools = registry.toolsOf(id);
  return tools.length > 0 && tools.every((tool) => ownValue(entry.tools, tool.definition.name) === false);
}

/**
 * Switches capabilities on or off. Switching on one whose tools are all off switches its tools on too, because a check
 * that changes nothing would say something untrue. A capability that the profile does not list yet is appended.
 */
export function switchCapabilities(registry: CapabilityRegistry, ids: readonly string[], on: boolean): ProfileChange {
  return (profile) =>
    ids.reduce(
      (next, id) =>
        withEntry(next, registry, id, (entry) => ({
          ...entry,
          enabled: on,
          tools: on && allOff(entry, registry, id) ? {} : entry.tools,
        })),
      profile,
    );
}

/**
 * Switches tools on or off. A tool that is switched on under a capability that is off brings the capability, with
 * nothing but this tool.
 */
export function switchTools(
  registry: CapabilityRegistry,
  tools: readonly RegisteredTool[],
  on: boolean,
): ProfileChange {
  return (profile) => tools.reduce((next, tool) => switchTool(next, registry, tool, on), profile);
}

function switchTool(profile: Profile, registry: CapabilityRegistry, tool: RegisteredTool, on: boolean): Profile {
  const { name } = tool.definition;
  return withEntry(profile, registry, tool.capability.id, (entry) => {
    if (!entry.enabled) {
      if (!on) return { ...entry, tools: { ...entry.tools, [name]: false } };
      const others = registry.toolsOf(tool.capability.id).filter((one) => one.id !== tool.id);
      return { ...entry, enabled: true, tools: Object.fromEntries(others.map((one) => [one.definition.name, false])) };
    }
    const { [name]: _before, ...rest } = entry.tools;
    return { ...entry, tools: on ? rest : { ...rest, [name]: false } };
  });
}

/**
 * Moves capabilities up (-1) or down (1) by one place; several move together and keep their order. At the end of the
 * list nothing happens.
 */
export function moveCapabilities(registry: CapabilityRegistry, ids: readonly string[], delta: -1 | 1): ProfileChange {
  return (profile) => {
    const list = [...listed(profile, registry, ids).capabilities];
    const moving = new Set(ids);
    const isMoving = (index: number): boolean => moving.has(idOf(registry, list[index]?.ref ?? ''));
    const order = delta < 0 ? list.map((_one, index) => index) : list.map((_one, index) => list.length - 1 - index);
    for (const index of order) {
      const target = index + delta;
      const [here, there] = [list[index], list[target]];
      if (!here || !there || !isMoving(index) || isMoving(target)) continue;
      list[index] = there;
      list[target] = here;
    }
    return { ...profile, capabilities: list };
  };
}

/** Moves capabilities before another one, or to the end where `before` is undefined. */
export function placeCapabilities(
  registry: CapabilityRegistry,
  ids: readonly string[],
  before: string | undefined,
): ProfileChange {
  return (profile) => {
    const all = listed(profile, registry, before === undefined ? ids : [...ids, before]).capabilities;
    const moving = new Set(ids);
    const moved = all.filter((entry) => moving.has(idOf(registry, entry.ref)));
    const rest = all.filter((entry) => !moving.has(idOf(registry, entry.ref)));
    const at = before === undefined ? rest.length : rest.findIndex((entry) => idOf(registry, entry.ref) === before);
    if (at < 0) return profile;
    return { ...profile, capabilities: [...rest.slice(0, at), ...moved, ...rest.slice(at)] };
  };
}

/** Lists capabilities that the profile does not name yet, switched off, so that they have a place. */
function listed(profile: Profile, registry: CapabilityRegistry, ids: readonly string[]): Profile {
  const missing = ids.filter((id) => indexOf(profile, registry, id) < 0);
  if (missing.length === 0) return profile;
  const added = missing.map((id): ProfileEntry => ({ ref: id, enabled: false, tools: {}, config: {} }));
  return { ...profile, capabilities: [...profile.capabilities, ...added] };
}

/**
 * Writes a changed profile over the JSON that stands in the settings, touching only what changed: other spellings,
 * unknown properties and entries that could not be read stay as the person wrote them.
 * @param raw what stands there now; undefined where the profile is not in these settings yet.
 */
export function editRawProfile(raw: unknown, after: Profile): JsonObject {
  const fresh = profileToJson(after);
  if (!isObject(raw)) return after.name === after.id ? fresh : { ...fresh, name: after.name };
  const before = profileToJson(parseProfile(after.id, raw, after.origin).value);
  const out: Record<string, Json | undefined> = {};
  const kept = new Map<string, string>();
  for (const [key, value] of Object.entries(raw)) {
    const name = camelCase(key);
    if (known.has(name) && canonicalJson(before[name]) !== canonicalJson(fresh[name])) {
      if (fresh[name] !== undefined) out[name] = fresh[name];
    } else out[key] = value as Json;
    kept.set(name, key);
  }
  for (const name of known) {
    if (kept.has(name) || fresh[name] === undefined || name === 'capabilities') continue;
    if (canonicalJson(before[name]) !== canonicalJson(fresh[name])) out[name] = fresh[name];
  }
  const key = kept.get('capabilities') ?? 'capabilities';
  if (canonicalJson(before['capabilities']) !== canonicalJson(fresh['capabilities']))
    out['capabilities'] = editRawEntries(raw[key], before['capabilities'], fresh['capabilities']);
  return out;
}

const known: ReadonlySet<string> = new Set([
  'name',
  'description',
  'systemPrompt',
  'systemPromptFile',
  'mode',
  'scopes',
  'capabilities',
]);
const entryKeys: ReadonlySet<string> = new Set(['ref', 'id', 'enabled', 'tools', 'config']);

function refOf(item: unknown): unknown {
  return typeof item === 'string' ? item : isObject(item) ? (item['ref'] ?? item['id']) : undefined;
}

/** @param before what the raw entries say, in the spelling that we write; `fresh` what they are to say. */
function editRawEntries(raw: unknown, before: Json | undefined, fresh: Json | undefined): Json[] {
  const byRef = new Map<string, unknown>();
  const said = new Map((Array.isArray(before) ? before : []).map((item) => [refOf(item), canonicalJson(item)]));
  const unread: unknown[] = [];
  for (const item of Array.isArray(raw) ? (raw as readonly unknown[]) : []) {
    const ref = refOf(item);
    if (typeof ref === 'string' && ref !== '' && !byRef.has(ref)) byRef.set(ref, item);
    else unread.push(item);
  }
  const entries = (Array.isArray(fresh) ? (fresh as readonly Json[]) : []).map((item): Json => {
    const ref = typeof item === 'string' ? item : isObject(item) ? String(item['ref']) : '';
    const old = byRef.get(ref);
    // Another spelling of the same stays as the person wrote it.
    if (old !== undefined && said.get(ref) === canonicalJson(item)) return old as Json;
    const extra = isObject(old) ? Object.entries(old).filter(([name]) => !entryKeys.has(name)) : [];
    if (extra.length === 0) return item;
    return {
      ...(typeof item === 'string' ? { ref } : (item as JsonObject)),
      ...(Object.fromEntries(extra) as JsonObject),
    };
  });
  return [...entries, ...(unread as Json[])];
}
