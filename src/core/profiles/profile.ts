import { camelCase, isObject, type Json, type JsonObject, sanitizeJson, typeName } from '../base/json';
import { didYouMean } from '../base/nearest';
import type { Capability } from '../capability/capability';
import { effectiveConfig } from './promptTemplate';
import type { Parsed, Problem } from '../base/problem';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import type { Mode } from '../vocabulary/decision';

export type ProfileOrigin = 'shipped' | 'user' | 'workspace';

/** One capability in a profile: its place in the list is its place in the prompt. */
export interface ProfileEntry {
  /** A capability's id or alias. */
  readonly ref: string;
  readonly enabled: boolean;
  /** Tools that differ from their capability, by tool name. */
  readonly tools: Readonly<Record<string, boolean>>;
  readonly config: JsonObject;
}

/** A profile as it is written. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The base prompt; comes after the capabilities' additions. */
  readonly systemPrompt: string;
  /** A workspace-relative file that holds the base prompt instead. */
  readonly systemPromptFile?: string;
  readonly mode: Mode;
  /** The granted scopes; left out, the profile is granted what its enabled tools need. */
  readonly scopes?: readonly string[];
  readonly capabilities: readonly ProfileEntry[];
  readonly origin: ProfileOrigin;
}

/** A profile held against the registry: what is really on. */
export interface ResolvedProfile {
  readonly profile: Profile;
  readonly id: string;
  readonly entries: readonly ResolvedEntry[];
  /**
   * What of the user's own profile stays in force although this one, which comes from a workspace, leaves it out or has
   * it off: configuration, boundaries and limits, never tools or prompts.
   */
  readonly kept: readonly KeptEntry[];
  /** The capabilities whose boundaries and limits hold: those that are on, and those that are kept. */
  readonly carriers: readonly Capability[];
  /** The tools that are on, in prompt order. */
  readonly tools: readonly RegisteredTool[];
  readonly scopes: ReadonlySet<string>;
  readonly mode: Mode;
  readonly problems: readonly Problem[];
  isToolEnabled(tool: RegisteredTool): boolean;
  config(capabilityId: string): JsonObject;
}

export type KeptEntry = Pick<ResolvedEntry, 'capability' | 'entry'>;

export interface ResolvedEntry {
  readonly capability: Capability;
  readonly entry: ProfileEntry;
  readonly tools: readonly { readonly tool: RegisteredTool; readonly enabled: boolean }[];
}

/** Reads a profile from settings. What cannot be read is left at its default and reported; nothing is guessed. */
export function parseProfile(id: string, raw: unknown, origin: ProfileOrigin): Parsed<Profile> {
  const problems: Problem[] = [];
  const report = (path: string, message: string): void => {
    problems.push({
      severity: 'error',
      code: 'invalid_profile',
      message: `the profile \`${id}\`: ${path} ${message}`,
      subject: id,
    });
  };
  const source = isObject(raw) ? (sanitizeJson(raw) as Record<string, unknown>) : {};
  if (!isObject(raw)) report('it', `must be an object (got ${typeName(raw)})`);
  const fields = new Map(Object.entries(source).map(([key, value]) => [camelCase(key), value]));
  const text = (key: string, fallback: string): string => {
    const value = fields.get(key);
    if (value === undefined) return fallback;
    if (typeof value === 'string') return value;
    report(`/${key}`, `must be string (got ${typeName(value)})`);
    return fallback;
  };
  const known = new Set([
    'id',
    'name',
    'description',
    'systemPrompt',
    'systemPromptFile',
    'mode',
    'scopes',
    'capabilities',
  ]);
  for (const key of fields.keys())
    if (!known.has(key)) report(`/${key}`, `is not a known property${didYouMean(key, known)}`);

  let mode: Mode = 'execute';
  const rawMode = fields.get('mode');
  if (rawMode === 'plan' || rawMode === 'planning') mode = 'plan';
  else if (rawMode !== undefined && rawMode !== 'execute' && rawMode !== 'execution') {
    report('/mode', `must be \`plan\` or \`execute\` (got ${JSON.stringify(rawMode)}); plan is used`);
    mode = 'plan';
  }

  let scopes: readonly string[] | undefined;
  const rawScopes = fields.get('scopes');
  if (Array.isArray(rawScopes)) {
    scopes = rawScopes.filter((scope): scope is string => typeof scope === 'string');
    if (scopes.length !== rawScopes.length) report('/scopes', 'must hold strings only');
  } else if (rawScopes !== undefined) {
    report('/scopes', `must be an array (got ${typeName(rawScopes)}); no scope is granted`);
    scopes = [];
  }

  const capabilities: ProfileEntry[] = [];
  const rawCapabilities = fields.get('capabilities');
  if (Array.isArray(rawCapabilities)) {
    rawCapabilities.forEach((item, index) => {
      const entry = parseEntry(item, (path, message) => report(`/capabilities/${index}${path}`, message));
      if (!entry) return;
      if (capabilities.some((one) => one.ref === entry.ref))
        report(`/capabilities/${index}`, `names \`${entry.ref}\` a second time`);
      else capabilities.push(entry);
    });
  } else if (rawCapabilities !== undefined)
    report('/capabilities', `must be an array (got ${typeName(rawCapabilities)})`);

  const file = text('systemPromptFile', '');
  return {
    value: {
      id,
      name: text('name', id),
      description: text('description', ''),
      systemPrompt: text('systemPrompt', ''),
      ...(file === '' ? {} : { systemPromptFile: file }),
      mode,
      ...(scopes === undefined ? {} : { scopes }),
      capabilities,
      origin,
    },
    problems,
  };
}

function parseEntry(item: unknown, report: (path: string, message: string) => void): ProfileEntry | undefined {
  if (typeof item === 'string') return { ref: item, enabled: true, tools: {}, config: {} };
  if (!isObject(item)) {
    report('', `must be a capability's id or an object (got ${typeName(item)})`);
    return undefined;
  }
  const ref = item['ref'] ?? item['id'];
  if (typeof ref !== 'string' || ref === '') {
    report('/ref', 'must name a capability');
    return undefined;
  }
  let enabled = true;
  if (typeof item['enabled'] === 'boolean') enabled = item['enabled'];
  else if (item['enabled'] !== undefined) {
    report('/enabled', `must be boolean (got ${typeName(item['enabled'])}); it is off`);
    enabled = false;
  }
  const tools: Record<string, boolean> = {};
  if (isObject(item['tools'])) {
    for (const [name, on] of Object.entries(item['tools'])) {
      if (typeof on !== 'boolean') report(`/tools/${name}`, `must be boolean (got ${typeName(on)}); it is off`);
      tools[name] = on === true;
    }
  } else if (item['tools'] !== undefined) report('/tools', `must be an object (got ${typeName(item['tools'])})`);
  let config: JsonObject = {};
  if (isObject(item['config'])) config = item['config'] as JsonObject;
  else if (item['config'] !== undefined) report('/config', `must be an object (got ${typeName(item['config'])})`);
  for (const key of Object.keys(item))
    if (!['ref', 'id', 'enabled', 'tools', 'config'].includes(key)) report(`/${key}`, 'is not a known property');
  return { ref, enabled, tools, config };
}

/**
 * Writes a profile in its shortest form: what equals the default is left out. `parseProfile` reads it back unchanged.
 */
export function profileToJson(profile: Profile): JsonObject {
  return {
    ...(profile.name === profile.id ? {} : { name: profile.name }),
    ...(profile.description === '' ? {} : { description: profile.description }),
    ...(profile.systemPrompt === '' ? {} : { systemPrompt: profile.systemPrompt }),
    ...(profile.systemPromptFile === undefined ? {} : { systemPromptFile: profile.systemPromptFile }),
    ...(profile.mode === 'execute' ? {} : { mode: profile.mode }),
    ...(profile.scopes === undefined ? {} : { scopes: [...profile.scopes] }),
    capabilities: profile.capabilities.map((entry): Json => {
      const plain = entry.enabled && Object.keys(entry.tools).length === 0 && Object.keys(entry.config).length === 0;
      if (plain) return entry.ref;
      return {
        ref: entry.ref,
        ...(entry.enabled ? {} : { enabled: false }),
        ...(Object.keys(entry.tools).length === 0 ? {} : { tools: { ...entry.tools } }),
        ...(Object.keys(entry.config).length === 0 ? {} : { config: entry.config }),
      };
    }),
  };
}

/** The same for each registration, which never changes. */
const allAlike = new WeakMap<readonly RegisteredTool[], Partial<Record<'on' | 'off', ResolvedEntry['tools']>>>();

/**
 * A capability's tools, all on or all off. They are made once, because with thousands of tools each change of a profile
 * would be felt.
 */
function alike(registered: readonly RegisteredTool[], enabled: boolean): ResolvedEntry['tools'] {
  const known = allAlike.get(registered) ?? {};
  allAlike.set(registered, known);
  return (known[enabled ? 'on' : 'off'] ??= registered.map((tool) => ({ tool, enabled })));
}

/**
 * Holds a profile against the registry. An unknown capability or tool is a problem with the nearest names; it is never
 * dropped from the profile.
 * @param keeping what of the user's own profile stays in force beside it.
 */
export function resolveProfile(
  profile: Profile,
  registry: CapabilityRegistry,
  keeping: readonly KeptEntry[] = [],
): ResolvedProfile {
  const problems: Problem[] = [];
  const entries: ResolvedEntry[] = [];
  const seen = new Set<string>();
  for (const entry of profile.capabilities) {
    const capability = registry.capability(entry.ref);
    if (!capability) {
      problems.push({
        severity: 'error',
        code: 'unknown_capability',
        message: `the profile \`${profile.id}\` names \`${entry.ref}\`, which is not a capability${didYouMean(entry.ref, registry.capabilityIds())}`,
        subject: entry.ref,
      });
      continue;
    }
    if (seen.has(capability.id)) {
      problems.push({
        severity: 'warning',
        code: 'duplicate_capability',
        message: `the profile \`${profile.id}\` names \`${capability.id}\` twice, once as \`${entry.ref}\`; the first one counts`,
        subject: capability.id,
      });
      continue;
    }
    seen.add(capability.id);
    const registered = registry.toolsOf(capability.id);
    const isOn = entry.enabled && capability.status !== 'coming_soon';
    const named = Object.keys(entry.tools);
    if (named.length === 0) {
      entries.push({ capability, entry, tools: alike(registered, isOn) });
      continue;
    }
    const names = registered.map((tool) => tool.definition.name);
    for (const name of named) {
      if (!names.includes(name))
        problems.push({
          severity: 'error',
          code: 'unknown_tool',
          message: `the profile \`${profile.id}\` names the tool \`${name}\`, which \`${capability.id}\` does not have${didYouMean(name, names)}`,
          subject: capability.id,
        });
    }
    entries.push({
      capability,
      entry,
      tools: registered.map((tool) => ({ tool, enabled: isOn && (entry.tools[tool.definition.name] ?? true) })),
    });
  }
  problems.push(...dependencyProblems(profile, entries, registry));
  const tools: RegisteredTool[] = [];
  for (const entry of entries) for (const one of entry.tools) if (one.enabled) tools.push(one.tool);
  const scopes = new Set(profile.scopes);
  if (profile.scopes === undefined)
    for (const tool of tools) for (const scope of tool.definition.scopes) scopes.add(scope);
  let enabled: ReadonlySet<string> | undefined;
  const on = new Set(entries.filter(({ entry }) => entry.enabled).map(({ capability }) => capability));
  const kept = keeping.filter(({ capability }) => !on.has(capability));
  // An entry that is off says less of the configuration than what the user's own profile has on.
  const configs = new Map(
    [...entries, ...kept].map(({ capability, entry }) => [capability.id, effectiveConfig(capability, entry.config)]),
  );
  return {
    profile,
    id: profile.id,
    entries,
    kept,
    carriers: [...on, ...kept.map(({ capability }) => capability)],
    tools,
    scopes,
    mode: profile.mode,
    problems,
    isToolEnabled: (tool) => (enabled ??= new Set(tools.map(({ id }) => id))).has(tool.id),
    config: (capabilityId) => configs.get(capabilityId) ?? {},
  };
}

function dependencyProblems(
  profile: Profile,
  entries: readonly ResolvedEntry[],
  registry: CapabilityRegistry,
): readonly Problem[] {
  const on = new Set(entries.filter((one) => one.entry.enabled).map((one) => one.capability.id));
  const problems: Problem[] = [];
  for (const { capability, entry } of entries) {
    if (!entry.enabled) continue;
    for (const { id } of capability.dependencies ?? []) {
      const needed = registry.capability(id);
      if (needed && on.has(needed.id)) continue;
      problems.push({
        severity: 'error',
        code: needed ? 'dependency_off' : 'dependency_missing',
        message: needed
          ? `\`${capability.id}\` needs \`${needed.id}\`, which is off in the profile \`${profile.id}\``
          : `\`${capability.id}\` needs \`${id}\`, which is not a capability${didYouMean(id, registry.capabilityIds())}`,
        subject: capability.id,
      });
    }
  }
  return problems;
}
